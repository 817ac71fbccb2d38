import pytest

PLACE = "Name what goes, with `squeeze_dims` and the list of dimensions."
WRONG = [
    ("Ask @octocat about it.", "mentions an account"),
    ("This closes #12 for good.", "closing keyword"),
    ("It Fixed tracel-ai/burn#12 there.", "closing keyword"),
    ("Use <b>this</b>.", "holds HTML"),
    ("See https://example.com for more.", "holds a link"),
    ("See issue #12.", "bare #number"),
    ("Use `squeeze_dims and more.", "without its partner"),
    ("TODO later.", "is not written yet"),
]


@pytest.mark.parametrize(("prose", "said"), WRONG)
def test_what_a_comment_may_not_hold(changed, hits, prose, said):
    found = hits(changed("KB-0022", (PLACE, '"' + prose + '"')), "style")
    assert any(said in hit.text for hit in found)


@pytest.mark.parametrize(
    "prose",
    [
        "Mail to someone or write `@octocat` in code.",
        "It fixes the shape of issue 12.",
        "Write `Vec<u8>` and `a < b`.",
        "An attribute such as `#[module(skip)]` helps.",
    ],
)
def test_what_looks_like_it_and_is_not(changed, hits, prose):
    assert hits(changed("KB-0022", (PLACE, '"' + prose + '"')), "style") == []


def test_a_comment_swallowed_by_a_folded_block_is_found(changed, hits):
    old = "`Tensor::squeeze` (from v0.19.0 on)"
    tree = changed("KB-0022", (old, f"# base.rs v0.19.0\n  {old}"))
    assert any("comment inside the text" in hit.text for hit in hits(tree, "style"))


@pytest.mark.parametrize(
    ("field", "text"),
    [("summary", "One. Two. Three. Four."), ("meaning", "`squeeze_dims` has only one sentence.")],
)
def test_the_number_of_sentences(changed, by_id, hits, field, text):
    block = by_id["KB-0022"].text.split(f"{field}: >-\n", 1)[1]
    lines = block.split("\n")
    count = next(i for i, line in enumerate(lines) if not line.startswith("  "))
    tree = changed("KB-0022", ("\n".join(lines[:count]), f"  {text}"))
    assert [hit.path for hit in hits(tree, "style")] == [(field,)]


def test_a_title_that_is_too_long(changed, hits):
    tree = changed("KB-0022", ('title: "Resulting', 'title: "' + "Very " * 20 + "Resulting"))
    assert [hit.path for hit in hits(tree, "style")] == [("title",)]
