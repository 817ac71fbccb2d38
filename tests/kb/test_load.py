"""Reading entries: shape, lines, and errors that name the file, the line and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.entry import End, Entry, EntryRole, Status
from kb.errors import KnowledgeBaseError
from kb.load import load_entries, load_file, parse, parse_file, read_yaml
from kb.model import SiteKey, SiteKind
from kb.shape import Decoder, encode
from kb.upkeep.emit import entry_yaml

ROOT = Path(__file__).parents[2]
ENTRIES = load_entries(ROOT / "kb/entries")


def test_entries_come_by_id():
    assert [entry.kb_id for entry in ENTRIES] == sorted(entry.kb_id for entry in ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kb_id)
def test_an_entry_goes_through_plain_data_and_yaml_unchanged(entry):
    assert Decoder().read(Entry, encode(entry), kb_id=entry.kb_id) == entry
    assert parse_file(Path(f"{entry.kb_id}.yaml"), entry_yaml(entry)).entry == entry


def test_an_error_names_the_file_the_line_and_the_remedy(tmp_path):
    file = tmp_path / "burn-core" / "KB-0042.yaml"
    file.parent.mkdir()
    file.write_text("id: 0123456789abcdef\nseverity: fatal\n", "utf-8")
    with pytest.raises(KnowledgeBaseError, match=r"KB-0042\.yaml:1: the entry has no `title`; add `title:`"):
        load_entries(tmp_path)


def test_a_folder_that_is_not_there():
    with pytest.raises(KnowledgeBaseError, match="no such folder"):
        load_entries(Path("/nowhere/entries"))


def test_a_file_that_is_no_text(tmp_path):
    file = tmp_path / "KB-0001.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    assert [problem.remedy for problem in load_file(file).problems] == ["save it as UTF-8 text"]


def test_names_give_the_id_and_may_carry_words():
    text = entry_yaml(ENTRIES[0])
    assert parse_file(Path("KB-0042-a-few-words.yaml"), text).entry.kb_id == "KB-0042"
    assert parse_file(Path("KB-42.yaml"), text).entry is None


def test_values_stay_text_whatever_yaml_would_make_of_them():
    data, _ = parse("a: 2026-11-30\nb: 0123456789012345\nc: null\nd: true\ne: '#x'\nf: 1e5\n")
    assert data == {"a": "2026-11-30", "b": "0123456789012345", "c": None, "d": True, "e": "#x", "f": "1e5"}


def test_lines_are_those_of_the_keys():
    _, lines = parse("a:\n  - b: 1\n    c:\n      d: 2\n")
    assert lines[("a", 0, "c", "d")] == 4
    assert parse_file(Path("KB-0001.yaml"), "a:\n  b: 1\n").line(("a", "b", "no", "such")) == 2


@pytest.mark.parametrize("text", ["a: &x [*x]", "a: &x 1\nb: *x", "a: [", "\t", "a: 1\na: 2"])
def test_yaml_that_an_entry_has_no_use_for_is_refused_with_its_line(text):
    with pytest.raises(KnowledgeBaseError, match=r"line \d+: "):
        parse(text)


def test_a_tag_makes_no_object():
    assert parse("a: !!python/object:os.system x")[0] == {"a": "x"}


def test_a_yaml_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(KnowledgeBaseError, match=r"repos\.yaml: cannot be read"):
        read_yaml(tmp_path / "repos.yaml")


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail(text):
    assert parse_file(Path("KB-0001.yaml"), text).entry is None


def test_what_an_entry_says_of_itself():
    entry = next(entry for entry in ENTRIES if entry.kb_id == "KB-0007")
    assert entry.repo == "tracel-ai/cubecl"
    assert entry.live
    assert not entry.affected.open
    assert (entry.affected.ended, entry.role, entry.status) == (End.MOVED, EntryRole.ROOT, Status.PUBLISHED)
    assert entry.cause == entry.meaning
    assert entry.sites[0].receiver_name == "do_empty"
    assert entry.keys[0] == SiteKey("tracel-ai/cubecl", "cubecl-runtime", "ComputeClient::empty", SiteKind.UNWRAP, "")
