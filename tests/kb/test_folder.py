from pathlib import Path

import pytest

from kb.errors import KnowledgeBaseError
from kb.folder import KbFolder, cache_folder, content_revision, find_kb, packaged


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / "kb"
    (folder / "sites" / "burn").mkdir(parents=True)
    (folder / "repos.yaml").write_text("a/b:\n")
    (folder / "sites" / "burn" / "x.jsonl").write_text("{}\n")
    return folder


def test_a_given_folder_comes_first(kb: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "repos.yaml").write_text("c/d:\n")
    found = find_kb(kb, {"BURN_TRIAGE_KB": str(other)}, tmp_path)
    assert (found.path, found.origin, found.writable) == (kb, "--kb", True)


def test_the_variable_comes_before_the_working_folder(kb: Path, tmp_path: Path):
    found = find_kb(None, {"BURN_TRIAGE_KB": str(kb)}, tmp_path)
    assert (found.path, found.origin) == (kb, "BURN_TRIAGE_KB")


def test_the_folder_that_holds_kb_will_do(kb: Path, tmp_path: Path):
    assert find_kb(Path("project"), {}, tmp_path).path == kb


def test_the_nearest_folder_above_the_working_folder(kb: Path):
    deep = kb.parent / "a" / "b"
    deep.mkdir(parents=True)
    assert find_kb(None, {}, deep).path == kb


def test_else_the_packaged_copy(tmp_path: Path):
    found = find_kb(None, {}, tmp_path)
    assert (found.path, found.origin) == (packaged().resolve(), "packaged")


@pytest.mark.parametrize("variable", [True, False])
def test_a_given_folder_without_a_knowledge_base_is_an_error_that_names_it(tmp_path: Path, variable: bool):
    given = tmp_path / "nothing"
    with pytest.raises(KnowledgeBaseError, match=r"nothing: no repos\.yaml there"):
        find_kb(None if variable else given, {"BURN_TRIAGE_KB": str(given)} if variable else {}, tmp_path)


def test_the_packaged_copy_is_not_written(tmp_path: Path):
    folder = KbFolder(tmp_path, "0" * 12, writable=False, origin="packaged")
    with pytest.raises(KnowledgeBaseError, match="only read"):
        folder.require_writable()


def test_the_revision_depends_on_names_and_bytes_alone(kb: Path, tmp_path: Path):
    before = content_revision(kb)
    moved = kb.rename(tmp_path / "elsewhere")
    assert content_revision(moved) == before
    assert len(before) == 12
    (moved / "sites" / "burn" / ".x.part").write_text("half")
    (moved / "notes.txt").write_text("no part of it")
    assert content_revision(moved) == before
    (moved / "sites" / "burn" / "x.jsonl").rename(moved / "sites" / "burn" / "y.jsonl")
    assert content_revision(moved) != before


@pytest.mark.parametrize(
    ("environ", "expected"),
    [({"XDG_CACHE_HOME": "/x"}, Path("/x/burn-triage")), ({"XDG_CACHE_HOME": "relative"}, None), ({}, None)],
)
def test_the_cache_folder(environ: dict[str, str], expected: Path | None):
    assert cache_folder(environ) == (expected or Path.home() / ".cache" / "burn-triage")
