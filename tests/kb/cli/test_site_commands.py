"""The commands that write and read the site index, as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.cli import main
from kb.folder import packaged
from tests.fakes.family import CORE_3, SmallFamily


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("BURN_TRIAGE_KB", raising=False)


def kb(built: SmallFamily, *args: str) -> int:
    return main([args[0], *args[1:], "--kb", str(built.kb)])


def out(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_the_first_line_names_folder_and_revision(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(built_family, "stats") == 0
    assert out(capsys)[0].startswith(f"knowledge base {built_family.kb} at ")


def test_stats_say_where_each_repository_ends(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    kb(built_family, "stats")
    text = "\n".join(out(capsys))
    main_commit = built_family.boom.git("rev-parse", "main")
    assert "acme/boom: 3 releases, newest v0.2.0" in text
    assert "last release v0.2.0 of 2024-01-04" in text
    assert f"main {main_commit[:12]} of 2024-01-05" in text
    assert [line.split() for line in text.splitlines() if "boom-core" in line] == [["boom-core", "0/3", "0/3", "0/2"]]


def test_stats_count_what_has_no_entry_and_name_the_places_of_a_crate(
    built_family: SmallFamily, capsys: pytest.CaptureFixture[str]
):
    assert kb(built_family, "stats", "--missing", "--repo", "acme/boom") == 0
    lines = out(capsys)
    assert "acme/boom v0.2.0: 5 of 5 places have no entry" in lines
    assert [line.split()[1:] for line in lines if line.split()[:1] == ["boom-core"]] == [["1", "1", "-", "-", "1"]]
    assert kb(built_family, "stats", "--missing", "boom-core") == 0
    lines = out(capsys)
    assert lines[1] == "boom-core of acme/boom v0.2.0: 3 of 3 places have no entry"
    assert [line.split()[0] for line in lines[2:]] == ["own", "unfinished", "value"]


def test_stats_report_what_was_followed(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(built_family, "stats", "--steps", "--repo", "acme/boom") == 0
    steps = [line.split() for line in out(capsys) if "->" in line]
    assert [(s[0], s[2], s[3], s[5]) for s in steps] == [
        ("v0.1.0", "v0.2.0-pre.1", "8", "100.0%"),
        ("v0.2.0-pre.1", "v0.2.0", "8", "100.0%"),
        ("v0.2.0", "main", "5", "80.0%"),
    ]


def test_grep_searches_words_and_functions(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(built_family, "sites", "grep", "HANDLE for", "--repo", "acme/boom") == 0
    assert [line.split()[1:4] for line in out(capsys)[1:]] == [["boom-core", "Store::get", "panic"]] * 2
    assert kb(built_family, "sites", "grep", "store", "--kind", "todo", "--at", "v0.2.0") == 0
    assert out(capsys)[1].endswith("'sizes of stores'  v0.1.0 to v0.2.0")


def test_grep_without_a_find_fails(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(built_family, "sites", "grep", "sizes", "--at", "main") == 1
    assert out(capsys)[1:] == ["nothing found"]


def test_show_a_line_and_an_id(built_family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(built_family, "sites", "show", "src/store.rs:5", "--at", "v0.1.0") == 0
    lines = out(capsys)
    assert lines[1] == "boom-core/src/store.rs:5 of acme/boom v0.1.0 in Store::get"
    id_ = lines[2].split()[0]
    assert kb(built_family, "sites", "show", id_) == 0
    text = "\n".join(out(capsys))
    assert "stands    v0.1.0 to v0.2.0-pre.1" in text
    assert "as boom-core Store::get panic 'Should have a handle for the id {id}'" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("sites", "grep", "("), "(: no regular expression"),
        (("sites", "show", "nowhere"), "nowhere: neither an id of 16 hex digits nor PATH:LINE"),
        (("sites", "grep", "x", "--at", "v9.9.9"), "--at v9.9.9: no such revision"),
        (("sites", "grep", "x", "--repo", "a/b"), "--repo a/b: not in the index; known are acme/boom, acme/bang"),
        (("stats", "--repo", "a/b"), "--repo a/b: not in the index"),
        (("stats", "--missing", "boom-none"), "--missing boom-none: no crate with such places"),
        (("index", "--git", "/nowhere/at/all"), "--git /nowhere/at/all: no such folder"),
        (("index", "--git", "/", "--processes", "0"), "--processes 0: give 1 or more"),
    ],
)
def test_wrong_usage_is_named(
    built_family: SmallFamily, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str
):
    assert kb(built_family, *args) == 2
    assert words in capsys.readouterr().err


def test_a_folder_without_an_index_says_what_to_do(family: SmallFamily, capsys: pytest.CaptureFixture[str]):
    assert kb(family, "stats", "--repo", "acme/boom") == 2
    assert "not in the index" in capsys.readouterr().err


def test_index_then_sync_reports_what_became_of_things(
    family: SmallFamily, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert kb(family, "index", "--git", str(family.clones), "--processes", "1") == 0
    assert [line.split(",")[0] for line in out(capsys)[1:]] == [
        f"acme/boom: 3 releases and main at {family.boom.git('rev-parse', 'main')[:12]} of 2024-01-05",
        f"acme/bang: 1 releases and main at {family.bang.git('rev-parse', 'main')[:12]} of 2024-01-05",
    ]
    family.boom.commit({"crates/boom-core/src/store.rs": CORE_3 + "// more\n"}, "v0.3.0")
    report = tmp_path / "drift.md"
    assert kb(family, "sync", "--git", str(family.clones), "--report", str(report)) == 0
    assert "acme/boom: 4 releases" in out(capsys)[1]
    assert "acme/boom v0.3.0" in report.read_text()
    assert kb(family, "sync", "--git", str(family.clones)) == 0
    assert "Nothing new." in out(capsys)


@pytest.mark.parametrize("command", ["index", "sync"])
def test_the_packaged_copy_is_read_only(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    # What tells an installed copy from a checkout is the project file beside it.
    monkeypatch.setattr("kb.folder._in_checkout", lambda path: False)
    assert main([command, "--git", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert str(packaged().resolve()) in captured.out.splitlines()[0]
    assert "only read" in captured.err
