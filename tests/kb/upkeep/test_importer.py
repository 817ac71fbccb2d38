from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kb import lint
from kb.lint.tree import Tree
from kb.load import parse_file
from kb.upkeep.claims import claims_to_check, code_words, stem, tick_names
from kb.upkeep.emit import entry_yaml
from kb.upkeep.excerpt import foreign_lines
from kb.upkeep.importer import check_page, draft_of, find_site, looks_like_code, pinned_revision
from kb.upkeep.page import parse_page

PAGES = Path(__file__).parents[2] / "corpus/pages"


def page(name):
    return parse_page((PAGES / name).read_text("utf-8"))


@pytest.fixture
def right():
    return parse_page(json.dumps(json.loads((PAGES / "right.json").read_text("utf-8"))))


def reasons(page, index):
    return check_page(page, index, index, index.entries).reasons


def test_an_explanation_of_another_function_is_refused_for_that_reason(index):
    (reason,) = reasons(page("about-another-function.txt"), index)
    assert "never names `<Autodiff as ModuleOps>::embedding_backward`" in reason
    assert "it is about `<BackendRouter as QTensorOps>::q_from_data` of burn-router" in reason


def test_a_page_about_the_right_function_passes_and_its_wide_claim_is_pointed_at(index):
    checked = check_page(page("one-claim-too-many.txt"), index, index, index.entries)
    assert checked.reasons == ()
    (claim,) = checked.claims
    assert claim.sentence == "There is no quantized-tensor handling in the fusion server."
    assert "crates/burn-fusion/src/server.rs has `read_quantized`" in claim.against


def test_notes_say_what_the_page_has_otherwise_than_the_index(index):
    notes = check_page(page("one-claim-too-many.txt"), index, index, index.entries).notes
    assert [note for note in notes if "d16f7ba2ed is not in the index; checked at main" in note]
    assert [note for note in notes if "a user sees: not yet implemented: Quantization not supported yet" in note]
    assert [note for note in notes if "belongs to KB-0002" in note]


WRONG = [
    ({"message": "OUT_DIR env is unset"}, "no panic with this message"),
    ({"path": "crates/burn-import/src/onnx/other.rs", "message": "no such words here"}, "no site of the index"),
    ({"repo": "tracel-ai/other"}, "no repository of the family"),
    ({"meaning": "run_from_script needs OUT_DIR."}, "never names `ModelGen::get_output_directory`"),
    (
        {"meaning": "ModelGen::get_output_directory asks get_output_folder."},
        "`get_output_folder` is no name of the source",
    ),
    ({"solutions": ("Use ModelGenerator instead.",)}, "`ModelGenerator` is no name of the source"),
    ({"before": "let x = ("}, "no Rust at line 1"),
    ({"guard": "fn f( {"}, "type guard: no Rust"),
]


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_what_does_not_hold_is_a_reason(index, right, change, said):
    found = reasons(replace(right, **change), index)
    assert [reason for reason in found if said in reason], found


def test_the_page_that_is_right_has_none(index, right):
    checked = check_page(right, index, index, index.entries)
    assert (checked.reasons, checked.claims) == ((), ())


def test_another_line_is_a_note_and_no_reason(index, right):
    checked = check_page(replace(right, line=270), index, index, index.entries)
    assert checked.reasons == ()
    assert checked.notes == ("thrown at line 270: at v0.20.1 it is line 278",)


@pytest.mark.parametrize("message", ["OUT_DIR env is not set", "OUT_DIR env is not set: NotPresent"])
def test_the_message_may_be_the_template_or_what_is_printed(index, right, message):
    assert reasons(replace(right, message=message), index) == ()


@pytest.mark.parametrize(
    "message", ['panic!("Quantization not supported yet")', 'todo!("Quantization is not supported")']
)
def test_another_macro_or_other_words_are_another_panic(index, message):
    assert "no panic with this message" in reasons(replace(page("one-claim-too-many.txt"), message=message), index)[0]


def test_a_draft_has_places_versions_and_messages_of_the_index_and_lints_clean(index, tree):
    checked = check_page(page("one-claim-too-many.txt"), index, index, index.entries)
    taken = [value for entry in index.entries for value in entry.ids]
    draft = draft_of(checked, index, index, "2026-12-01", taken)
    assert draft.message == "not yet implemented: Quantization not supported yet"
    assert draft.id not in taken
    assert draft.review
    file = parse_file(tree.root / "entries/burn-fusion/KB-0000-x.yaml", entry_yaml(draft))
    alone = Tree(tree.root, (file,), index, index)
    found = {name: list(lint.run_one(alone, name, module)) for name, module in lint.checks().items()}
    assert {name for name, hits in found.items() if hits} == {"ids"}


def test_a_draft_keeps_the_pages_id_where_nobody_has_it(index, right):
    assert draft_of(check_page(right, index, index), index, index, "2026-12-01").id == "0123456789abcdef"


def test_names_are_put_into_back_ticks_where_the_source_has_them(index):
    revision = index.revision("tracel-ai/burn", "v0.21.0")
    text = "The tr_execute of TransactionOps, not tr_excecute, and read_qfloats (see `tr_execute`)."
    expected = "The `tr_execute` of `TransactionOps`, not tr_excecute, and `read_qfloats` (see `tr_execute`)."
    assert tick_names(text, index, revision) == expected


@pytest.mark.parametrize(
    ("word", "code"), [("tr_execute", True), ("QTensorOps", True), ("Fusion", False), ("GPU", False), ("server", False)]
)
def test_what_looks_like_code(word, code):
    assert looks_like_code(word) is code


def test_words_with_one_stem():
    assert {stem(word) for word in ("quantized", "quantization", "quantizing", "quantize")} == {"quant"}
    assert code_words("a.b q_from_data::<X>(y) half-word") == {"a", "q_from_data", "X", "y"}


def test_a_sentence_without_a_wide_word_is_no_claim_to_check(index, right):
    site = find_site(right, index, pinned_revision(right, index)[0])
    assert list(claims_to_check(right, index, site)) == []


def test_lines_that_an_excerpt_has_and_the_source_has_not():
    assert foreign_lines("  a( b )\n\n c\n", "x\na(b)\n") == ["c"]
