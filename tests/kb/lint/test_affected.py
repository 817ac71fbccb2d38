# ruff: noqa: E501 - texts of entries, as they stand
import pytest

CASES = [
    ("KB-0024", ("from: v0.19.0\n", "from: v9.0.0\n"), "has no release v9.0.0"),
    ("KB-0011", ("  to: v0.6.0 ", "  to: v0.3.0 "), "ends before it begins"),
    ("KB-0024", ("  fixed: v0.21.0-pre.5\n", ""), "fixed, but in which release?"),
    ("KB-0024", ('  fixed_by: {commit: 8319ebab1a561d51dea5235b257468a07ade5c4b, pr: "tracel-ai/burn#4899"}\n', ""), "without the commit"),
    ("KB-0024", ("fixed: v0.21.0-pre.5", "fixed: main"), "has no release main"),
    ("KB-0009", ("  ended: unreachable\n", ""), "nothing says how"),
    ("KB-0009", ("ended: unreachable", "ended: removed"), "still stands at main"),
    ("KB-0100", ("to: v0.11.1, ended: removed, ", ""), "none of its sites stands at main"),
    ("KB-0100", ("to: v0.11.1, ended", "to: v0.12.0, ended"), "where no site stands"),
    ("KB-0003", ("except: [v0.18.0]", "except: [v0.21.0]"), "outside the range"),
    ("KB-0010", ("versions: {repo: tracel-ai/burn, from: v0.17.0", "versions: {from: v0.17.0"), "has no release v0.17.0"),
]  # fmt: skip


@pytest.mark.parametrize(("kb_id", "pair", "said"), CASES)
def test_a_claim_about_releases_that_the_index_does_not_bear_out(changed, hits, kb_id, pair, said):
    found = hits(changed(kb_id, pair), "affected")
    assert any(said in hit.text and hit.remedy for hit in found), [hit.text for hit in found]


def test_fixed_is_the_release_after_the_last_affected_one(changed, hits):
    tree = changed("KB-0024", ("from: v0.19.0\n  fixed", "from: v0.19.0\n  to: v0.20.1\n  fixed"))
    assert sum("does not follow" in hit.text for hit in hits(tree, "affected")) == 1
