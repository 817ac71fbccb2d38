# ruff: noqa: E501 - texts of entries, as they stand
import pytest

from kb.printed import printed_place


def test_an_example_of_another_panic(changed, hits):
    tree = changed("KB-0011", ("No pool handles allocation of size 2147483648", "The size should match"))
    assert ["does not match this entry" in hit.text for hit in hits(tree, "examples")] == [True]


def test_an_example_whose_line_is_another_site(changed, hits):
    tree = changed("KB-0017", ("onnx-ir-0.18.0/src/node/concat.rs:14:10", "onnx-ir-0.18.0/src/node/linear.rs:46:9"))
    assert any("the example's place is linear_update_outputs" in hit.text for hit in hits(tree, "examples"))


def test_an_example_that_two_entries_claim(changed, hits):
    tree = changed("KB-0013", ('match:\n  value: "sending on a closed channel"', 'match:\n  value: "Can delete"'))
    assert hits(tree, "examples") == []
    tree = changed("KB-0018", ('value: "This operation (free("', 'value: "This operation"'))
    assert hits(tree, "examples") == []


def test_a_bare_text_without_a_place_matches_nothing(changed, hits):
    header = "thread 'main' panicked at /home/user/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/onnx-ir-0.18.0/src/node/concat.rs:14:10:\n      "
    assert ["does not match" in hit.text for hit in hits(changed("KB-0017", (header, "")), "examples")] == [True]


def test_an_entry_without_examples(changed, by_id, hits):
    text = by_id["KB-0011"].text
    block = text[text.index("examples:\n") : text.index("provenance:")]
    assert ["no example" in hit.text for hit in hits(changed("KB-0011", (block, "examples: []\n")), "examples")] == [
        True
    ]


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("at /x/burn-cubecl-0.20.1/src/kernel/cross.rs:61:9:", {"cross"}),
        (r"at C:\x\cubecl-runtime-0.6.0\src\memory_management\memory_manage.rs:310:32", {"MemoryManagement::reserve"}),
        ("at /x/burn-cubecl-0.20.1/src/kernel/cross.rs:1:1:", set()),
    ],
)
def test_the_place_of_an_example(tree, text, functions):
    assert {site.key.function for site in printed_place(tree.index, text).sites} == functions


def test_a_place_that_cannot_be_read(tree):
    assert printed_place(tree.index, "at src/main.rs:1:1") is None
