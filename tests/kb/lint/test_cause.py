import pytest

from kb.lint.cause import named


def replaced(by_id, kb_id, prose):
    text = by_id[kb_id].text
    block = text.split("meaning: >-\n", 1)[1]
    return (
        block[: block.index("\n# ")] if "\n# " in block.split("workarounds")[0] else block.split("workarounds")[0]
    ), prose


@pytest.mark.parametrize(
    ("prose", "accepted"),
    [
        ("  `MemoryManagement::reserve` panics. It does so.\n", True),
        ("  The crate cubecl-runtime panics. It does so.\n", False),
        ("  `MemoryManagement` panics. It does so.\n", False),
        ("  MemoryManagement::reserve panics. It does so.\n", False),
        ("  `SlicedPool::reserve` panics. It does so.\n", False),
        ("  `MemoryManagement::reserved` panics. It does so.\n", False),
    ],
)
def test_the_raising_function_stands_in_back_ticks(changed, by_id, hits, prose, accepted):
    old, new = replaced(by_id, "KB-0011", prose)
    assert (hits(changed("KB-0011", (old, new)), "cause") == []) is accepted


def test_a_bare_name_is_enough_where_one_function_of_the_crate_bears_it(changed, by_id, hits):
    old, new = replaced(by_id, "KB-0013", "  `checkpoint` panics. It does so.\n")
    assert hits(changed("KB-0013", (old, new)), "cause") != []
    old, new = replaced(by_id, "KB-0017", "  `concat_update_outputs` panics. It does so.\n")
    assert hits(changed("KB-0017", (old, new)), "cause") == []


def test_a_function_that_leads_to_two_panics_does_not_tell_them_apart(changed, by_id, hits):
    old, new = replaced(by_id, "KB-0056", "  `Tensor::squeeze_dims` panics. It does so.\n")
    [found] = hits(changed("KB-0056", (old, new)), "cause")
    assert "TensorCheck::squeeze_dims_input" in found.remedy
    old, new = replaced(
        by_id, "KB-0056", "  `Tensor::squeeze_dims` asks `TensorCheck::squeeze_dims_input`. It does so.\n"
    )
    assert hits(changed("KB-0056", (old, new)), "cause") == []


def test_paths_in_code_spans_are_read_whole():
    assert named("`<Fusion as TransactionOps>::tr_execute` and `a.matmul(b)`") >= {
        "Fusion::tr_execute",
        "matmul",
        "tr_execute",
    }
