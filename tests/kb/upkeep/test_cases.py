"""Labelled reports whose place an entry names, and those whose place none does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeBaseError
from kb.model import SiteKey, SiteKind
from kb.upkeep.cases import Place, lines, read_places, without_entry

NAMED = [SiteKey("a/b", "boom", "Fuse::light", SiteKind.PANIC, "No fuse for {charge:?}")]


def place(answer: str = "site", repo: str = "a/b", function: str = "f", template: str | None = None) -> Place:
    return Place("one", answer, repo, function, template)


@pytest.mark.parametrize(
    ("found", "missing"),
    [
        (place(function="Fuse::light", template="reworded"), False),
        (place(template="No fuse for {}"), False),
        (place(template="No fuse at all"), True),
        (place(repo="a/c", function="Fuse::light"), True),
        (place("function", function="Fuse::light"), False),
        (place("function", template="No fuse for {}"), True),
    ],
)
def test_an_entry_names_it_by_function_or_by_words(found: Place, missing: bool):
    assert list(without_entry([found], NAMED)) == ([found] if missing else [])


def write(folder: Path, name: str, answer: str, function: str) -> None:
    site = f"site: {{repo: a/b, function: '{function}', template: null}}"
    (folder / f"{name}.yaml").write_text(f"expect:\n  answer: {answer}\n  {site}\n", encoding="utf-8")


def test_a_folder_of_reports_is_counted_and_what_lacks_is_named(tmp_path: Path):
    write(tmp_path, "one", "site", "Fuse::light")
    write(tmp_path, "two", "function", "Fuse::damp")
    (tmp_path / "three.yaml").write_text("expect: {answer: silent}", encoding="utf-8")
    told = list(lines(read_places(tmp_path), NAMED))
    assert told[0] == "site cases: an entry names the place of 1 of 1"
    assert told[1] == "function cases: an entry names the place of 0 of 1"
    assert told[-1] == "  two: no entry names Fuse::damp of a/b"


def test_a_folder_without_reports_and_a_file_that_is_none_are_named(tmp_path: Path):
    with pytest.raises(KnowledgeBaseError, match="no labelled report that asks for a place"):
        read_places(tmp_path)
    (tmp_path / "odd.yaml").write_text("- 1", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match=r"odd\.yaml: not a labelled report"):
        read_places(tmp_path)
    (tmp_path / "odd.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(KnowledgeBaseError, match=r"odd\.yaml: cannot be read: not UTF-8"):
        read_places(tmp_path)
