"""Entries about panics that Rust raises by itself: what the index and the source must bear out, end to end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb.cli import main
from kb.entry import Entry
from kb.load import load_file, parse_file
from tests.fakes.family import SmallFamily

ENTRY = """\
id: 0123456789abcdef
title: "index out of bounds: why does Store::size panic on an empty store?"
summary: A store without sizes has none to tell.
severity: usage
role: root
message: "index out of bounds: the len is {len} but the index is {index}"
sites:
  - {repo: acme/boom, crate: boom-core, function: "Store::size", kind: function,
     prints: index_out_of_bounds, stands: {from: main, to: main}}
affected: {from: main}
meaning: >-
  `Store::size` takes the first size without asking whether there is one. An empty store has none.
workarounds:
  - do: Store something first.
    versions: {from: main, to: main}
    checked: read in the source
defensive: {strategy: avoid}
when: {trigger: "`Store::size` of an empty store."}
examples:
  - text: |
      thread 'main' panicked at /r/.cargo/git/checkouts/boom/crates/boom-core/src/store.rs:14:9:
      index out of bounds: the len is 0 but the index is 0
    from: composed from the source
provenance: {written_by: a person, against: {boom: 0000000000000000000000000000000000000000}, written: 2026-11-30}
"""
FILE = "entries/boom-core/KB-0001.yaml"


@pytest.fixture
def kb(built_family: SmallFamily, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "kb"
    shutil.copytree(built_family.kb, folder)
    (folder / "entries/boom-core").mkdir(parents=True)
    (folder / FILE).write_text(ENTRY, "utf-8")
    assert main(["lint", "--kb", str(folder), "--fix"]) == 1
    return folder


def edit(kb: Path, old: str, new: str) -> None:
    text = (kb / FILE).read_text("utf-8")
    assert old in text
    (kb / FILE).write_text(text.replace(old, new), "utf-8")


def entry(kb: Path) -> Entry:
    return load_file(kb / FILE).entry


def lint(kb: Path, *more: str) -> int:
    return main(["lint", "--kb", str(kb), *more])


def test_a_function_entry_is_proved_with_the_text_that_was_read(kb, built_family, capsys):
    assert lint(kb, "--git", str(built_family.clones), "--bless") == 0, capsys.readouterr().out
    (site,) = entry(kb).sites
    assert list(entry(kb).proof.functions) == [site.key.id] == list(entry(kb).proof.sites)
    assert lint(kb) == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{from: main, to: main}}", "{from: v0.2.0, to: main}}", "nothing in Store::size at v0.2.0 can raise"),
        ("prints: index_out_of_bounds", "prints: divide_by_zero", "nothing in Store::size at main can raise"),
        ('"Store::size", kind', '"Store::sizes", kind', "no function Store::sizes in boom-core"),
        ("     prints: index_out_of_bounds, ", "     ", "without the class of its text"),
        ("prints: index_out_of_bounds", "prints: called", "`prints: called` without `match.value`"),
        ("kind: function,", "kind: function, template: x,", "no words or receiver of its own"),
        ("kind: function,", "kind: function, path: src/shop.rs,", "no function Store::size in boom-core"),
        ("kind: function,", "kind: todo,", "`prints` and `path` are for"),
        ('message: "index out of bounds', 'message: "attempt to divide by zero', "none of the sites prints this"),
        ("len is 0 but the index is 0", "length is 0", "does not match this entry"),
        ("`Store::size` takes", "It takes", "does not name the function"),
    ],
)
def test_a_claim_that_does_not_hold_gets_no_proof(kb, built_family, capsys, old, new, said):
    edit(kb, old, new)
    assert lint(kb, "--git", str(built_family.clones), "--bless") == 1
    assert said in capsys.readouterr().out
    assert "proof:" not in (kb / FILE).read_text("utf-8")


def test_a_function_whose_text_changed_is_read_again_before_it_is_proved_again(kb, built_family, capsys):
    clones = ["--git", str(built_family.clones)]
    lint(kb, *clones, "--bless")
    (text,) = entry(kb).proof.functions.values()
    edit(kb, f'"{text}"', '"00000000deadbeef"')
    assert lint(kb, *clones, "--bless") == 1
    assert "the text of Store::size changed since the proof" in capsys.readouterr().out
    assert lint(kb, "KB-0001", *clones, "--bless") == 0
    assert list(entry(kb).proof.functions.values()) == [text]


def test_a_proof_without_the_text_of_its_function_is_none(kb, built_family, capsys):
    lint(kb, "--git", str(built_family.clones), "--bless")
    block = (kb / FILE).read_text("utf-8")
    edit(kb, block[block.index("  functions:") :], "")
    capsys.readouterr()
    assert lint(kb) == 1
    assert "its sites are not those of its proof" in capsys.readouterr().out


def test_drift_looks_at_the_source_of_a_function_where_it_is_given(kb, built_family, capsys):
    edit(kb, "stands: {from: main, to: main}}", "stands: {from: v0.2.0, to: main}}")
    assert main(["drift", "--kb", str(kb)]) == 0
    assert "0 need a person" in capsys.readouterr().out
    assert main(["drift", "--kb", str(kb), "--git", str(built_family.clones)]) == 1
    assert "| KB-0001 (entries/boom-core/KB-0001.yaml) | reworded | `index_out_of_bounds` at" in capsys.readouterr().out


def test_a_function_that_is_gone_has_to_be_looked_at(kb, built_family, capsys):
    edit(kb, '"Store::size", kind', '"Store::sizes", kind')
    edit(kb, "crate: boom-core", "crate: boom-onnx")
    edit(kb, "Store::sizes", "load")
    edit(kb, "{from: main, to: main}}", "{from: v0.1.0, to: main}}")
    assert main(["drift", "--kb", str(kb), "--to", "v0.2.0"]) == 1
    assert "| gone |" in capsys.readouterr().out


REPORT = "thread 'x' panicked at /home/joe/.cargo/registry/src/index-9/boom-core-0.2.0/src/store.rs:{}:\n{}\n"


def draft(kb: Path, capsys: pytest.CaptureFixture[str], *args: str) -> Entry:
    assert main(["draft", "--kb", str(kb), *args]) == 0
    file = parse_file(Path("KB-0000-x.yaml"), capsys.readouterr().out)
    assert file.problems == ()
    return file.entry


def test_a_draft_starts_from_a_pasted_report(kb, tmp_path, capsys):
    report = tmp_path / "panic.txt"
    report.write_text(REPORT.format("11:9", "attempt to subtract with overflow"))
    found = draft(kb, capsys, "--report", str(report))
    assert [(s.function, s.kind, s.prints) for s in found.sites] == [("Store::lock", "function", "subtract_overflow")]
    assert found.message == "attempt to subtract with overflow"
    assert "joe" not in found.examples[0].text
    assert "boom-core-0.2.0/src/store.rs:11:9" in found.examples[0].text


def test_a_report_that_prints_the_place_of_a_site_gives_a_draft_about_it(kb, tmp_path, capsys):
    report = tmp_path / "panic.txt"
    report.write_text(REPORT.format("10:27", "called `Result::unwrap()` on an `Err` value: PoisonError"))
    assert [s.kind for s in draft(kb, capsys, "--report", str(report)).sites] == ["unwrap"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (REPORT.format("11:9", "something else"), "the text is none that Rust prints by itself"),
        ("index out of bounds: the len is 1 but the index is 1", "the report has no place like"),
    ],
)
def test_a_report_that_leads_nowhere_is_refused(kb, tmp_path, capsys, text, said):
    report = tmp_path / "panic.txt"
    report.write_text(text)
    assert main(["draft", "--kb", str(kb), "--report", str(report)]) == 2
    assert said in capsys.readouterr().err


def test_a_draft_about_a_function_by_name(kb, capsys):
    found = draft(kb, capsys, "size", "--prints", "index_out_of_bounds")
    assert [(s.function, s.stands[0].first) for s in found.sites] == [("Store::size", "v0.1.0")]


def test_functions_are_found_by_name(kb, capsys):
    assert main(["sites", "grep", "--kb", str(kb), "--functions", "store::"]) == 0
    out = capsys.readouterr().out
    assert "acme/boom  boom-core  Store::size  crates/boom-core/src/store.rs  v0.2.0-pre.1 to main" in out
    assert main(["sites", "grep", "--kb", str(kb), "--functions", "no_such_thing"]) == 1
    assert main(["sites", "grep", "--kb", str(kb), "--functions", "x", "--kind", "panic"]) == 2
