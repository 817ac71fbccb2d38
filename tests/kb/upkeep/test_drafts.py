from __future__ import annotations

from pathlib import Path

import pytest

from bot.triage.fingerprint import fingerprint
from bot.triage.model import PanicReport, Place, SourceRef
from kb import lint
from kb.errors import KnowledgeBaseError
from kb.lint.tree import Tree
from kb.load import parse_file
from kb.model import PANIC_KINDS, SiteKind
from kb.upkeep.drafts import example, file_name, find_keys, printed, site_fingerprint, skeleton, slug
from kb.upkeep.emit import entry_yaml


def test_one_function_and_text_over_crates_and_time_is_one_panic(index):
    keys = find_keys(index, "Cannot get uninitialized handle")
    assert {(key.crate, key.function) for key in keys} == {
        ("burn-fusion", "HandleContainer::get_handle"),
        ("burn-tensor", "HandleContainer::get_handle"),
        ("burn-ir", "HandleContainer::get_handle"),
    }


@pytest.mark.parametrize("form", ["id", "fingerprint", "template", "function"])
def test_a_site_is_found_by_whatever_names_it(index, form):
    key = next(k for k in index.keys(frozenset({SiteKind.EXPECT})) if k.template == "The size should match")
    query = {
        "id": key.id,
        "fingerprint": site_fingerprint(key),
        "template": "size should match",
        "function": key.function,
    }
    assert key in find_keys(index, query[form])


def test_what_could_be_several_lists_them(index):
    with pytest.raises(KnowledgeBaseError, match=r"different panics fit; take one by its id:\n  [0-9a-f]{16}  "):
        find_keys(index, "LearnerCheckpointer::checkpoint")


def test_what_is_not_there(index):
    with pytest.raises(KnowledgeBaseError, match="no such site"):
        find_keys(index, "no such words anywhere at all")


def test_fingerprints_are_the_bots(index):
    for key in index.keys(PANIC_KINDS)[::400]:
        stands = index.stands(key)
        if key.template and stands:
            site = index.places(key, stands[-1][1])[0]
            place = Place(key.repo, site.revision, site.path, site.line, key.function, site)
            report = PanicReport("whatever 12", None, "rust_1_73", SourceRef("body"))
            assert site_fingerprint(key) == fingerprint(report, place)


def test_a_skeleton_is_read_back_and_all_that_lint_finds_is_left_to_write(index, tree):
    entry = skeleton(index, find_keys(index, "Client already created for device {:?}"), "2026-12-01")
    file = parse_file(Path(tree.root / "entries" / file_name(entry)), entry_yaml(entry))
    assert file.entry == entry
    alone = Tree(tree.root, (file,), index, index)
    found = {name for name, module in lint.checks().items() if list(lint.run_one(alone, name, module))}
    assert found <= {"style", "ids", "cause"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "Cross product on non-last dimension",
            "not implemented: Cross product on non-last dimension not yet implemented",
        ),
        ("The size should match", "The size should match: {..}"),
        ("Attempted to squeeze too many dimensions! Got", "=== Tensor Operation Error ==="),
        ("No pool handles allocation", "No pool handles allocation of size {size}"),
    ],
)
def test_the_message_is_what_a_user_sees(index, words, message):
    assert printed(find_keys(index, words)[0]).startswith(message)


def test_the_example_is_printed_at_the_newest_release_with_the_site(index):
    made = example(index, find_keys(index, "Cross product on non-last dimension")[0])
    assert "burn-cubecl-0.21.0-pre.4/src/kernel/cross.rs:63:9:\nnot implemented: Cross" in made.text
    assert made.source == "composed from the source at v0.21.0-pre.4"


def test_a_file_name_has_a_few_words_of_the_title():
    assert slug("TODO: Can't do: this, that & 1 more thing") == "can-t-do-this-that"
    assert slug("!!!") == "draft"
