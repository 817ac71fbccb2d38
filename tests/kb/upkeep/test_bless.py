# ruff: noqa: E501 - texts of entries, as they stand
"""The proof, end to end: a small family of git repositories, one entry about it, and the command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb.cli import main
from kb.errors import KnowledgeBaseError
from kb.load import load_file
from kb.source.checkout import Checkout
from kb.source.grep import words_present
from kb.upkeep.clones import Clones
from tests.fakes.family import SmallFamily

ENTRY = """\
id: 0123456789abcdef
title: "Should have a handle: the store was asked for what it never had"
summary: Ask for what was stored.
severity: usage
role: root
message: "Should have a handle for the id {n}"
sites:
  - {repo: acme/boom, crate: boom-core, function: "Store::get", kind: panic,
     template: "Should have a handle for {id}", stands: {from: v0.1.0, to: v0.2.0-pre.1}}
  - {repo: acme/boom, crate: boom-core, function: "Store::get", kind: panic,
     template: "Should have a handle for the id {id}", stands: {from: v0.2.0, to: main}}
affected: {from: v0.1.0}
meaning: >-
  `Store::get` looks the id up and panics when there is none. The store keeps only what it was given.
workarounds:
  - do: Store it first.
    versions: {from: v0.1.0, to: main}
    checked: read in the source
defensive: {strategy: avoid}
when: {trigger: "`Store::get` with an id that was never stored."}
examples:
  - {text: "Should have a handle for the id 7", from: composed from the source}
provenance: {written_by: a person, against: {boom: 0000000000000000000000000000000000000000}, written: 2026-11-30}
"""


@pytest.fixture
def kb(built_family: SmallFamily, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small family's knowledge base with one entry; the command's cache is the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "kb"
    shutil.copytree(built_family.kb, folder)
    (folder / "entries/boom-core").mkdir(parents=True)
    (folder / "entries/boom-core/KB-0001.yaml").write_text(ENTRY, "utf-8")
    assert main(["lint", "--kb", str(folder), "--fix"]) == 1
    return folder


def entry_of(kb: Path) -> Path:
    return kb / "entries/boom-core/KB-0001.yaml"


def edit(kb: Path, old: str, new: str) -> None:
    text = entry_of(kb).read_text("utf-8")
    assert old in text
    entry_of(kb).write_text(text.replace(old, new), "utf-8")


def run(*args: str) -> int:
    return main(["lint", *args])


def test_an_entry_that_holds_gets_its_proof_and_is_quiet_afterwards(kb, built_family, capsys):
    assert run("--kb", str(kb), "--git", str(built_family.clones), "--bless") == 0
    assert "proved: entries/boom-core/KB-0001.yaml" in capsys.readouterr().out
    proof = load_file(entry_of(kb)).entry.proof
    assert dict(proof.against) == {"acme/boom": built_family.boom.git("rev-parse", "main")}
    assert len(proof.sites) == 2
    assert run("--kb", str(kb)) == 0
    assert entry_of(kb).read_text("utf-8").startswith(ENTRY)


def test_a_changed_claim_is_found_until_it_is_proved_again(kb, built_family, capsys):
    run("--kb", str(kb), "--git", str(built_family.clones), "--bless")
    edit(kb, "The store keeps only what it was given.", "The store forgets what it was given.")
    assert run("--kb", str(kb)) == 1
    assert "changed after its proof" in capsys.readouterr().out
    assert run("--kb", str(kb), "--git", str(built_family.clones), "--bless") == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("to: v0.2.0-pre.1}", "to: v0.2.0}", "claimed at v0.2.0"),
        ("`Store::get` looks the id up", "`Store::fetch` looks the id up", "does not name the function"),
        ("Store it first.", "Call `store_it_first`.", "`store_it_first` is no name of the source"),
        ('message: "Should have a handle for the id {n}"', 'message: "There is no handle"', "prints this message"),
    ],
)
def test_an_entry_that_does_not_hold_gets_none(kb, built_family, capsys, old, new, said):
    edit(kb, old, new)
    assert run("--kb", str(kb), "--git", str(built_family.clones), "--bless") == 1
    assert said in capsys.readouterr().out
    assert "proof:" not in entry_of(kb).read_text("utf-8")


LAUNCH = (
    ENTRY.split("sites:")[0]
    + """\
sites:
  - {repo: acme/boom, crate: boom-jit, function: launch, kind: expect, template: "the launch should not fail", stands: {from: v0.1.0, to: v0.1.0}}
  - {repo: acme/boom, crate: boom-cube, function: launch, kind: expect, template: "the launch should not fail", stands: {from: v0.2.0-pre.1, to: main}}
affected: {from: v0.1.0}
"""
    + ENTRY.split("affected: {from: v0.1.0}\n")[1]
)


@pytest.mark.parametrize(("reached_by", "status"), [("[launches]", 0), ("[launch]", 1), ("[no_such_function]", 1)])
def test_a_cause_may_name_a_function_that_leads_there_if_it_does(kb, built_family, capsys, reached_by, status):
    text = LAUNCH.replace("`Store::get`", "`launches`").replace("Store it first.", "Launch it first.")
    text = text.replace('message: "Should have a handle for the id {n}"', 'message: "the launch should not fail: {..}"')
    text = text.replace('"Should have a handle for the id 7"', '"the launch should not fail: Broken"')
    entry_of(kb).unlink()
    (kb / "entries/boom-jit").mkdir()
    path = kb / "entries/boom-jit/KB-0001.yaml"
    path.write_text(text.replace("affected:", f"reached_by: {reached_by}\naffected:", 1), "utf-8")
    assert run("--kb", str(kb), "--git", str(built_family.clones), "--bless") == status, capsys.readouterr().out


def test_an_index_that_differs_from_the_source_is_found(kb, tmp_path, built_family, capsys):
    clones = tmp_path / "clones"
    shutil.copytree(built_family.clones, clones)
    for sites in (kb / "sites/boom").glob("boom-core.jsonl"):
        sites.write_text(
            sites.read_text("utf-8").replace("Should have a handle for the id", "Should have one for the id"), "utf-8"
        )
    assert run("--kb", str(kb), "--git", str(clones)) != 0


def test_bless_without_the_source_is_a_wrong_usage(kb, capsys):
    assert run("--kb", str(kb), "--bless") == 2
    assert "give --git DIR" in capsys.readouterr().err


def test_a_missing_clone_is_named(kb, tmp_path, capsys):
    assert run("--kb", str(kb), "--git", str(tmp_path / "none"), "--bless") == 2
    assert "no clone of acme/boom there" in capsys.readouterr().err


def test_words_of_a_commit(built_family):
    clone = Checkout(built_family.boom.folder)
    commit = built_family.boom.git("rev-parse", "main")
    assert words_present(clone, commit, {"Store", "Stor", "sizes"}) == {"Store", "sizes"}
    assert words_present(clone, commit, set()) == frozenset()
    with pytest.raises(KnowledgeBaseError, match="fatal"):
        words_present(clone, "f" * 40, {"x"})


def test_a_clone_reads_files_of_any_commit(built_family, catalog):
    clones = Clones(built_family.clones)
    revision = catalog.revision("acme/boom", "v0.1.0")
    assert clones.has(revision)
    assert next(s.kind for s in clones.facts(revision, "boom-core/src/store.rs").sites) == "panic"
    assert clones.facts(revision, "no/such.rs") is None
    assert clones.text("acme/boom", revision.commit, "boom-jit/src/lib.rs").startswith("pub fn launch")
    assert clones.text("acme/boom", revision.commit, "no/such.rs") is None
