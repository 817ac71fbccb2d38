import pytest

CASES = [
    ("KB-0011", ("related: [144e9e6bff1070d8]", "related: [144e9e6bff1070d9]"), "no entry has the id"),
    ("KB-0007", ("related: [d6e2b2b9d32c94c9]", "related: [144e9e6bff1070d8]"), "related to itself"),
    ("KB-0011", ('issues: ["tracel-ai/burn#3465"', 'issues: ["tracel-ai/burn#3510"'), "stands twice"),
    ("KB-0011", ("against: {cubecl:", "against: {cubicle:"), "no repository of the family"),
]


@pytest.mark.parametrize(("kb_id", "pair", "said"), CASES)
def test_a_link_that_leads_nowhere(changed, hits, kb_id, pair, said):
    assert [said in hit.text for hit in hits(changed(kb_id, pair), "links")] == [True]


@pytest.mark.parametrize(
    ("old", "new"), [("tracel-ai/burn#3465", "burn#3465"), ("tracel-ai/burn#3465", "tracel-ai/burn/3465")]
)
def test_a_thread_is_owner_name_and_number(changed, hits, old, new):
    assert [hit.path[0] for hit in hits(changed("KB-0011", (old, new)), "shape")] == ["issues"]
