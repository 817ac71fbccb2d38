from __future__ import annotations

import pytest

from kb.lint.tree import Tree
from kb.load import parse_file
from kb.upkeep.drift import Change, drift, markdown, revision_for


def changed(tree, kb_id, *pairs):
    file = next(file for file in tree.files if file.path.stem == kb_id)
    text = file.text
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return Tree(tree.root, (parse_file(file.path, text),), tree.index, tree.names)


def at(tree, name):
    return tree.index.revision("tracel-ai/burn", name)


@pytest.mark.parametrize("name", ["v0.18.0", "v0.20.0", "v0.21.0", "v0.22.0-pre.1", "main"])
def test_entries_that_lint_clean_need_nobody_at_any_release(tree, name):
    assert [found for found in drift(tree, at(tree, name)) if found.needs_work] == []


def test_a_site_that_is_gone_and_the_entry_does_not_know(tree):
    stale = changed(tree, "KB-0024", ("to: v0.21.0-pre.4}", "to: main}"))
    (found,) = drift(stale, at(tree, "v0.21.0-pre.5"))
    assert (found.change, found.needs_work) == (Change.GONE, True)
    report = markdown([found], at(tree, "v0.21.0-pre.5"))
    assert "1 need a person" in report
    assert "| KB-0024 (entries/burn-cubecl/KB-0024.yaml) | gone | `Cross product" in report


def test_a_site_that_is_reworded_shows_the_old_and_the_new_text(tree):
    file = next(file for file in tree.files if file.path.stem == "KB-0005")
    second = file.text[
        file.text.index("  - {repo: tracel-ai/burn", file.text.index("kind: panic")) : file.text.index("# The sibling")
    ]
    stale = changed(tree, "KB-0005", (second, ""), ("to: v0.21.0}", "to: main}"))
    (found,) = drift(stale, at(tree, "v0.22.0-pre.1"))
    assert found.change is Change.REWORDED
    report = markdown([found], at(tree, "v0.22.0-pre.1"))
    assert "`Ordering is bigger than operations` at" in report
    assert "`Ordering is bigger than operations: ordering len {}" in report


def test_a_new_text_that_the_entry_has_already_is_stated(tree):
    own = Tree(tree.root, tuple(f for f in tree.files if f.path.stem == "KB-0005"), tree.index, tree.names)
    (found,) = drift(own, at(tree, "v0.22.0-pre.1"))
    assert not found.needs_work


def test_what_only_moved_is_in_a_fold_and_needs_nobody(tree):
    found = drift(tree, at(tree, "v0.19.0"))
    moved = [one for one in found if one.change is Change.MOVED]
    assert moved
    assert not any(one.needs_work for one in moved)
    report = markdown(found, at(tree, "v0.19.0"))
    assert "<details><summary>Moved, nothing to do</summary>" in report
    assert " -> [`" in report


def test_a_release_of_burn_stands_for_the_cubecl_that_it_uses(tree):
    cubecl = revision_for(tree.index, at(tree, "v0.18.0"), "tracel-ai/cubecl")
    assert cubecl.name == "v0.6.0"
    assert revision_for(tree.index, at(tree, "main"), "tracel-ai/cubecl").name == "main"


def test_an_entry_that_ended_long_ago_is_left_out(tree):
    own = Tree(tree.root, tuple(f for f in tree.files if f.path.stem == "KB-0011"), tree.index, tree.names)
    assert drift(own, at(tree, "main")) == []
