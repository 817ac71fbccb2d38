# ruff: noqa: E501 - texts of entries, as they stand
"""The whole: a clean tree, damage of every kind found, exemptions that clean up after themselves, a thousand entries."""

from __future__ import annotations

import re
import time

import pytest

from kb import lint
from kb.errors import KnowledgeBaseError
from kb.lint.cause import accepted, leading, named
from kb.lint.tree import Tree
from kb.load import parse_file


def test_the_committed_entries_have_no_finding(tree):
    assert lint.lint(tree) == []


DAMAGE = [
    ("one letter of a template", "KB-0027", 'template: "The size should match"', 'template: "The size should watch"', "sites"),
    ("one letter of the function", "KB-0024", "function: cross,", "function: crosss,", "sites"),
    ("a version range widened at its end", "KB-0011", "stands: {from: v0.5.0, to: v0.6.0}", "stands: {from: v0.5.0, to: v0.7.0}", "sites"),
    ("a version range widened at its start", "KB-0011", "stands: {from: v0.5.0, to: v0.6.0}", "stands: {from: v0.4.0, to: v0.6.0}", "sites"),
    ("a version range cut short", "KB-0010", "to: main}", "to: v0.10.0}", "sites"),
    ("affected before the site stood", "KB-0027", "from: v0.7.0\n", "from: v0.6.0\n", "affected"),
    ("a function renamed in prose", "KB-0009", "`create_tensor_uninit` reserves", "`create_tensor_unset` reserves", "code_names"),
    ("a method renamed in an example", "KB-0022", "t.squeeze_dims(&[0])", "t.squeeze_axes(&[0])", "code_names"),
    ("a workaround that names nothing real", "KB-0019", "Call `require_grad`", "Call `request_grad`", "code_names"),
    ("prose changed after its proof", "KB-0001", "A plain backend has that operation.", "A plain backend may have it.", "proof"),
    ("a workaround's range changed after the proof", "KB-0001", "to: v0.21.0}", "to: v0.20.0}", "proof"),
    ("broken Rust", "KB-0022", "Tensor<B, 1> = t.squeeze();", "Tensor<B, 1 = t.squeeze();", "rust"),
    ("a mention", "KB-0022", "Name what goes", "Ask @somebody what goes", "style"),
    ("no longer emitted, but it stands", "KB-0010", "affected: {from: v0.4.0, fixed: null}",
     "affected: {from: v0.4.0, to: v0.10.0, ended: removed}", "affected"),
    ("gone, and nobody says so", "KB-0100", "to: v0.11.1, ended: removed, ", "", "affected"),
]  # fmt: skip


@pytest.mark.parametrize(("kb_id", "old", "new", "check"), [d[1:] for d in DAMAGE], ids=[d[0] for d in DAMAGE])
def test_damage_is_found_by_the_check_for_it(changed, kb_id, old, new, check):
    found = lint.lint(changed(kb_id, (old, new)))
    assert check in {finding.check for finding in found if kb_id in finding.file}


def test_every_finding_says_where_and_what_to_do(changed):
    found = lint.lint(changed("KB-0027", ('The size should match"', 'The size should watch"')))
    assert all(finding.line > 0 and finding.text and finding.remedy for finding in found)
    assert found == sorted(found)


def test_the_cause_of_an_entry_about_another_function_is_not_accepted(tree, by_id):
    """Every pair of entries that share no function. A cause may name another entry's function in passing: rarely."""
    entries = [file.entry for file in by_id.values()]
    leads = {entry.kb_id: leading(entry) for entry in entries}
    takes = {entry.kb_id: accepted(tree, entry, leads[entry.kb_id]) for entry in entries}
    names = {entry.kb_id: named(entry.meaning) for entry in entries}
    pairs = [(to, source) for to in leads for source in leads if not leads[to] & leads[source]]
    fooled = [(to, source) for to, source in pairs if takes[to] & names[source]]
    assert len(pairs) > 500
    assert len(fooled) <= len(pairs) // 200


@pytest.mark.parametrize(("kb_id", "other"), [("KB-0001", "KB-0024"), ("KB-0010", "KB-0004"), ("KB-0018", "KB-0027")])
def test_a_swapped_cause_is_found(changed, by_id, kb_id, other):
    swapped = changed(kb_id, (meaning_of(by_id[kb_id].text), meaning_of(by_id[other].text)))
    assert {"cause", "proof", "same_prose"} <= {f.check for f in lint.lint(swapped) if kb_id in f.file}


@pytest.mark.parametrize(("kb_id", "other"), [("KB-0001", "KB-0024"), ("KB-0010", "KB-0004"), ("KB-0003", "KB-0022")])
def test_an_example_given_to_the_wrong_entry_is_found(changed, by_id, kb_id, other):
    moved = changed(kb_id, (examples_of(by_id[kb_id].text), examples_of(by_id[other].text)))
    assert "examples" in {f.check for f in lint.lint(moved) if kb_id in f.file}


def meaning_of(text):
    return re.search(r"(?ms)^meaning: >-\n(.+?)(?=^\S)", text)[1]


def examples_of(text):
    return re.search(r"(?ms)^examples:\n(.+?)(?=^\S)", text)[1]


def test_a_check_can_be_left_out_by_name(changed):
    found = lint.lint(changed("KB-0022", ("Name what goes", "Ask @somebody what goes")), {"style", "proof"})
    assert found == []


def test_a_wrong_name_to_leave_out_is_an_error_that_lists_the_right_ones(tree):
    with pytest.raises(KnowledgeBaseError, match=r"stile.*style"):
        lint.lint(tree, {"stile"})


def test_an_exemption_silences_its_check_for_that_entry(changed):
    exempt = "exempt: [{check: style, reason: quoted as it was said}]\n"
    damaged = changed(
        "KB-0022", ("Name what goes", "Ask @somebody what goes"), ("severity: usage", f"{exempt}severity: usage")
    )
    assert "style" not in {finding.check for finding in lint.lint(damaged)}


def test_an_exemption_without_use_is_a_finding(changed):
    exempt = "exempt: [{check: style, reason: not needed any more}]\n"
    found = lint.lint(changed("KB-0022", ("severity: usage", f"{exempt}severity: usage")))
    assert [(f.check, "no longer needed" in f.text) for f in found] == [("exemptions", True)]


@pytest.mark.parametrize(("check", "said"), [("proof", "no entry may leave"), ("stile", "is no check")])
def test_an_exemption_that_cannot_be_is_a_finding(changed, check, said):
    exempt = f"exempt: [{{check: {check}, reason: because}}]\n"
    found = lint.lint(changed("KB-0022", ("severity: usage", f"{exempt}severity: usage")))
    assert any(f.check == "exemptions" and said in f.text for f in found)


def test_a_check_that_needs_the_index_says_so_where_there_is_none(tree):
    with pytest.raises(KnowledgeBaseError, match=r"site index is missing.*--skip"):
        lint.lint(Tree(tree.root, tree.files))


@pytest.mark.bench
def test_a_thousand_entries_take_less_than_ten_seconds(tree, by_id):
    files = []
    for i in range(1000):
        source = by_id[sorted(by_id)[i % len(by_id)]]
        kb_id = f"KB-{1000 + i}"
        files.append(
            parse_file(source.path.with_name(f"{kb_id}.yaml"), source.text.replace(source.entry.id, f"{i:016x}"))
        )
    start = time.process_time()
    lint.lint(Tree(tree.root, tuple(files), tree.index, tree.names))
    assert time.process_time() - start < 10
