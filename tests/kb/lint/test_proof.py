import pytest

from kb.load import parse_file
from kb.upkeep.proof import make_proof, prose_hash, with_proof

PROVED = [
    ("meaning", ("A plain backend has that operation.", "A plain backend may have that operation."), True),
    ("example fix", ("let rows = table.select(0,", "let rows = table.select(1,"), True),
    ("a version", ("versions: {from: v0.13.0, to: main}", "versions: {from: v0.14.0, to: main}"), True),
    ("the commit it was read at", ("2c06be35", "3c06be35"), True),
    ("related", ("related: []", "related: [1fe02e509ab6d908]"), False),
    ("the reviewer", ("reviewed_by: ", "reviewed_by: somebody with "), False),
    ("a comment", ("# crates/burn-autodiff", "# see crates/burn-autodiff"), False),
]


@pytest.mark.parametrize(("pair", "found"), [p[1:] for p in PROVED], ids=[p[0] for p in PROVED])
def test_claims_need_a_new_proof_and_nothing_else_does(changed, hits, pair, found):
    assert bool(hits(changed("KB-0001", pair), "proof")) is found


def test_a_published_entry_without_a_proof(changed, by_id, hits):
    text = by_id["KB-0001"].text
    assert [hit.text for hit in hits(changed("KB-0001", (text[text.index("proof:") :], "")), "proof")] == ["no proof"]


def test_a_proof_of_other_sites(changed, by_id, hits):
    first = by_id["KB-0001"].entry.proof.sites[0]
    tree = changed("KB-0001", (first, "0" * 16))
    assert ["not those of its proof" in hit.text for hit in hits(tree, "proof")] == [True]


def test_a_new_proof_leaves_the_rest_of_the_file_as_it_is(by_id):
    file = by_id["KB-0001"]
    again = with_proof(file.text, make_proof(file.entry, file.entry.proof.against))
    assert again == file.text
    assert parse_file(file.path, again).entry == file.entry


def test_line_breaks_inside_a_folded_text_do_not_count(by_id):
    file = by_id["KB-0001"]
    joined = file.text.replace(
        "When the wrapped backend is again an `Autodiff`, its\n  ",
        "When the wrapped backend is again an `Autodiff`, its ",
    )
    assert joined != file.text
    assert prose_hash(parse_file(file.path, joined).entry) == prose_hash(file.entry)
