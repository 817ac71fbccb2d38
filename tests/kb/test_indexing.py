"""The way from clones to committed files: the same bytes however got, few lines changed by a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeBaseError
from kb.family import load_family
from kb.sitefiles import decode, encode
from kb.source.blobcache import BlobCache
from kb.source.checkout import Checkout
from kb.source.indexer import index_repo
from kb.upkeep.building import Plan, build
from tests.fakes.clone import SmallClone
from tests.fakes.family import CORE_3, SmallFamily


def files(kb: Path) -> dict[str, bytes]:
    return {str(f.relative_to(kb)): f.read_bytes() for f in sorted((kb / "sites").rglob("*")) if f.is_file()}


def index(family: SmallFamily, cache: Path, *, fresh: bool = True, repos: tuple[str, ...] = ()) -> list[str]:
    plan = Plan(family.kb, family.clones, repos, processes=1, fresh=fresh)
    return [name for built in build(plan, {"XDG_CACHE_HOME": str(cache)}) for name in built.written]


def lines(contents: dict[str, bytes]) -> set[bytes]:
    return {line for name, data in contents.items() if "/_" not in name for line in data.splitlines()}


def test_two_runs_write_the_same_bytes(family: SmallFamily, tmp_path: Path):
    assert index(family, tmp_path / "one") != []
    first = files(family.kb)
    assert index(family, tmp_path / "two") == []
    assert files(family.kb) == first


@pytest.mark.parametrize("late", [("v0.2.0",), ("v0.2.0-pre.1",), ("v0.1.0", "v0.2.0")])
def test_an_index_built_bit_by_bit_is_the_index_built_at_once(
    family: SmallFamily, tmp_path: Path, late: tuple[str, ...]
):
    index(family, tmp_path / "cache")
    at_once = files(family.kb)
    commits = {tag: family.boom.git("rev-parse", tag) for tag in late}
    for tag in late:
        family.boom.git("tag", "--delete", tag)
    index(family, tmp_path / "cache")
    assert files(family.kb) != at_once
    for tag, commit in commits.items():
        family.boom.git("tag", tag, commit)
        index(family, tmp_path / "empty", fresh=False)
    assert files(family.kb) == at_once


def test_nothing_new_changes_nothing(family: SmallFamily, tmp_path: Path):
    index(family, tmp_path / "cache")
    assert index(family, tmp_path / "cache", fresh=False) == []


def test_main_moves_on(family: SmallFamily, tmp_path: Path):
    index(family, tmp_path / "cache")
    sha = family.boom.commit({"crates/boom-core/src/store.rs": CORE_3.replace("sizes[0]", "sizes.first().unwrap()")})
    index(family, tmp_path / "cache", fresh=False)
    revisions = files(family.kb)["sites/boom/_revisions.jsonl"].decode()
    assert sha in revisions.splitlines()[-1]
    assert b'"receiver":"first"' in files(family.kb)["sites/boom/boom-core.jsonl"]
    bit_by_bit = files(family.kb)
    index(family, tmp_path / "cache")
    assert files(family.kb) == bit_by_bit


def test_a_release_that_only_moves_code_changes_no_line(family: SmallFamily, tmp_path: Path):
    index(family, tmp_path / "cache")
    before = files(family.kb)
    family.boom.move("crates", "packages")
    family.boom.commit({"packages/boom-core/src/store.rs": "// pushed\n// down\n" + CORE_3}, "v0.3.0")
    index(family, tmp_path / "cache", fresh=False)
    assert lines(files(family.kb)) == lines(before)


def test_a_line_ends_where_its_site_does(built_family: SmallFamily):
    text = files(built_family.kb)["sites/boom/boom-core.jsonl"].decode()
    (handle,) = [line for line in text.splitlines() if "a handle for {id}" in line]
    assert handle.endswith('"at":[["src/store.rs","v0.1.0","v0.2.0-pre.1"]]}')
    (lock,) = [line for line in text.splitlines() if '"receiver":"lock"' in line]
    assert lock.endswith('"at":[["src/store.rs","v0.1.0"]]}')


def test_a_crate_that_is_gone_keeps_its_lines_open(built_family: SmallFamily):
    text = files(built_family.kb)["sites/boom/boom-onnx.jsonl"].decode()
    assert '"at":[["src/lib.rs","v0.1.0"]]' in text


def test_files_read_back_give_the_index_again(built_family: SmallFamily):
    contents = {Path(name).name: data for name, data in files(built_family.kb).items() if "/boom/" in name}
    assert encode(decode("acme/boom", contents)) == contents


@pytest.mark.parametrize("name", ["_files.gz", "_revisions.jsonl", "boom-core.jsonl"])
def test_spoilt_files_are_named_with_the_remedy(built_family: SmallFamily, name: str):
    contents = {Path(path).name: data for path, data in files(built_family.kb).items() if "/boom/" in path}
    contents[name] = contents[name][:-40]
    with pytest.raises(KnowledgeBaseError, match=r"acme/boom cannot be read .* run `kb index` again"):
        decode("acme/boom", contents)


def test_no_source_line_is_kept(built_family: SmallFamily):
    assert not [name for name, data in files(built_family.kb).items() if b"self.find" in data]


def test_book_tags_are_no_releases(built_family: SmallFamily):
    assert b"v0.2.0-book" not in files(built_family.kb)["sites/boom/_revisions.jsonl"]


def test_another_project_is_one_block(family: SmallFamily, tmp_path: Path):
    with (family.kb / "repos.yaml").open("a") as file:
        file.write("acme/clock:\n  branch: trunk\n  tags: 'clock-(?P<version>[0-9.]+)'\n")
    clock = SmallClone(family.clones / "acme" / "clock")
    clock.git("checkout", "-q", "-b", "trunk")
    clock.commit(
        {
            "Cargo.toml": '[package]\nname = "clock"\nversion = "1.0.0"\n',
            "src/lib.rs": 'fn now() { panic!("no time") }\n',
        },
        "clock-1.0.0",
    )
    written = index(family, tmp_path / "cache", repos=("acme/clock",))
    assert "clock.jsonl" in written
    text = files(family.kb)["sites/clock/clock.jsonl"].decode()
    assert text == '{"function":"now","kind":"panic","template":"no time","at":[["src/lib.rs","clock-1.0.0"]]}\n'


def test_what_was_scanned_is_not_scanned_again(family: SmallFamily, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    index(family, tmp_path / "cache")

    def no_scan(source: bytes, path: str) -> None:
        raise AssertionError(f"{path} was scanned twice")

    monkeypatch.setattr("kb.source.scanning.scan_file", no_scan)
    assert index(family, tmp_path / "cache") == []
    with pytest.raises(AssertionError, match="scanned twice"):
        index(family, tmp_path / "another")


def test_an_interrupted_run_goes_on_where_it_stopped(
    family: SmallFamily, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kb.source.scanning.CHUNK", 1)
    checkout, member = Checkout(family.boom.folder), load_family(family.kb)[0]
    done: list[int] = []

    def interrupt(count: int, total: int) -> None:
        if count == 3:
            raise KeyboardInterrupt

    with BlobCache(tmp_path / "scans.sqlite") as cache:
        with pytest.raises(KeyboardInterrupt):
            index_repo(checkout, member, bool, cache, processes=2, progress=interrupt)
        index_repo(checkout, member, bool, cache, processes=1, progress=lambda count, total: done.append(count))
    assert done == [4, 5]


def test_a_missing_clone_and_an_unknown_repository_are_named_before_anything_is_written(
    family: SmallFamily, tmp_path: Path
):
    with pytest.raises(KnowledgeBaseError, match=r"--repo acme/x: not in kb/repos\.yaml; known are acme/boom"):
        index(family, tmp_path, repos=("acme/x",))
    (family.clones / "bang").rename(family.clones / "bung")
    with pytest.raises(KnowledgeBaseError, match="no clone of acme/bang there; run `git clone"):
        index(family, tmp_path)
    assert not (family.kb / "sites").exists()


def test_a_bare_clone_and_annotated_tags_will_do(family: SmallFamily, tmp_path: Path):
    index(family, tmp_path / "cache")
    at_once = files(family.kb)
    bare = family.clones / "acme+boom.git"
    commit = family.boom.git("rev-parse", "v0.2.0")
    family.boom.git("tag", "--force", "--annotate", "--message", "a release", "v0.2.0", commit)
    family.boom.git("clone", "--quiet", "--bare", ".", str(bare))
    (family.clones / "acme+boom").rename(tmp_path / "away")
    bare.rename(family.clones / "boom.git")
    assert index(family, tmp_path / "two") == []
    assert files(family.kb) == at_once
