import pytest

CASES = [
    (
        "KB-0027",
        ('template: "The size should match"', 'template: "The size must match"'),
        "no such site",
        "did you mean",
    ),
    ("KB-0024", ("crate: burn-cubecl", "crate: burn-cubic"), "no such site", "knows no crate"),
    ("KB-0024", ("repo: tracel-ai/burn, crate", "repo: tracel-ai/born, crate"), "is not indexed", "repos.yaml"),
    ("KB-0024", ("to: v0.21.0-pre.4", "to: v0.21.9"), "has no release v0.21.9", "tag"),
    ("KB-0011", ("to: v0.6.0}", "to: v0.7.0}"), "claimed at v0.7.0", "{from: v0.5.0, to: v0.6.0}"),
    ("KB-0011", ("{from: v0.5.0, to: v0.6.0}", "{from: v0.6.0, to: v0.6.0}"), "also stands at v0.5.0", "{from: v0.5.0"),
    ("KB-0017", ("receiver: find_map", "receiver: find"), "no such site", ""),
    ("KB-0022", ('target: "TensorCheck::squeeze_dims_len"', 'target: "TensorCheck::squeeze_all"'), "no such site", ""),
]


@pytest.mark.parametrize(("kb_id", "pair", "text", "remedy"), CASES)
def test_a_site_that_is_not_there_as_claimed(changed, hits, kb_id, pair, text, remedy):
    found = hits(changed(kb_id, pair), "sites")
    assert any(text in hit.text and remedy in hit.remedy for hit in found), [(h.text, h.remedy) for h in found]


def test_a_site_that_moved_on_is_checked_too(changed, hits):
    tree = changed(
        "KB-0007", ("failed to reserve {size} bytes of device memory", "failed to reserve {size} bytes of memory")
    )
    assert [hit.path[:2] for hit in hits(tree, "sites")] == [("affected", "moved_to")]


def test_what_is_said_of_a_cause_site_are_releases(changed, hits):
    tree = changed("KB-0008", ("stands: {from: v0.1.1, to: v0.6.0}", "stands: {from: v0.1.1, to: v0.6.9}"))
    assert ["v0.6.9" in hit.text for hit in hits(tree, "sites")] == [True]


def test_withdrawn_entries_need_not_hold_any_more(changed, hits):
    gone = "status: withdrawn\nwithdrawn: {on: '2026-12-01', reason: it was wrong}\nseverity: error"
    tree = changed("KB-0011", ("to: v0.6.0}", "to: v0.7.0}"), ("severity: error", gone))
    assert hits(tree, "sites") == []


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (('function: "format_powf_primitive"', 'function: "format_power_primitive"'), "no `format_power_primitive`"),
        (("stands: {from: v0.1.1, to: v0.6.0}", "stands: {from: v0.1.1, to: main}"), "at main"),
    ],
)
def test_a_cause_site_is_a_function_of_both_ends(changed, hits, pair, said):
    found = hits(changed("KB-0008", pair), "sites")
    assert found != []
    assert [hit.text for hit in found if said not in hit.text] == []
