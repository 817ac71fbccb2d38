import pytest

from kb.source.snippet import syntax_error, used_names


@pytest.mark.parametrize(
    ("pair", "line"),
    [
        (("Tensor<B, 1> = t.squeeze();", "Tensor<B, 1 = t.squeeze();"), 2),
        (("let t = Tensor::<B, 2>::ones([1, 1], &device);", "let t = Tensor::<B, 2>::ones([1, 1], &device;"), 1),
    ],
)
def test_a_block_that_does_not_parse(changed, hits, pair, line):
    assert [f"line {line} of the block" in hit.text for hit in hits(changed("KB-0022", pair), "rust")] == [True]


@pytest.mark.parametrize("code", ["fn f() {}", "let x = 1;\nx.y(z)?;", "use a::b;\ntype T = A<B>;", "x", ""])
def test_items_statements_and_expressions_parse(code):
    assert syntax_error(code) is None


def test_what_a_block_defines_or_binds_is_not_taken_from_elsewhere():
    code = "fn mine(x: Tensor<B, 1>) -> Kind { let y = x.sum(); helper(y) }"
    assert [name for name, _ in used_names(code)] == ["Tensor", "B", "Kind", "sum", "helper"]
