import pytest

from kb.lint.code_names import outside, used

CASES = [
    (
        "KB-0009",
        ("`create_tensor_uninit` reserves", "`create_tensor_uninitialised` reserves"),
        "create_tensor_uninitialised",
    ),
    ("KB-0022", ("t.squeeze_dims(&[0])", "t.squeeze_axes(&[0])"), "squeeze_axes"),
    ("KB-0014", ("`run_from_cli` takes", "`run_from_shell` takes"), "run_from_shell"),
    ("KB-0019", ("`detach` and `inner` end it", "`detatch` and `inner` end it"), "detatch"),
    ("KB-0020", ("noise_f16.cast(DType::F32)", "noise_f16.cast(DType::Float99)"), "Float99"),
]


@pytest.mark.parametrize(("kb_id", "pair", "name"), CASES)
def test_a_name_that_the_source_does_not_have(changed, hits, kb_id, pair, name):
    assert [f"`{name}`" in hit.text for hit in hits(changed(kb_id, pair), "code_names")] == [True]


def test_a_name_in_a_block_of_rust_has_the_line_it_stands_on(changed, hits):
    (hit,) = hits(changed("KB-0022", ("t.squeeze_dims(&[0])", "t.squeeze_axes(&[0])")), "code_names")
    assert "squeeze_axes" in hit.file.text.splitlines()[hit.file.line(hit.path) + hit.line - 1]


def test_names_of_the_message_and_quotations_need_no_source(by_id):
    names = {name for _, _, name in used(by_id["KB-0012"].entry)}
    assert "deleted" not in names
    assert "AsyncCheckpointer" in names


def test_the_list_of_outside_names_has_no_comment_words():
    assert "unwrap" in outside()
    assert "keywords," not in outside()
