"""The compiled file: made once, of the same bytes, made anew when the index changes, read by many threads."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kb.catalog import COMPILED, SITE_PARTS, Catalog, open_catalog
from kb.compiling import compile_catalog
from kb.errors import KnowledgeBaseError
from kb.folder import KbFolder, content_revision
from kb.model import MAIN, SiteKind
from tests.fakes.family import SmallFamily

Cache = dict[str, str]


@pytest.fixture
def kb(built_family: SmallFamily, tmp_path: Path) -> Path:
    """A copy of the small family's knowledge base, to change at will."""
    return Path(shutil.copytree(built_family.kb, tmp_path / "kb"))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def opened(kb: Path, cache: Cache) -> Catalog:
    return open_catalog(KbFolder(kb, content_revision(kb), writable=True, origin="test"), cache)


def compiled(cache: Cache) -> list[Path]:
    return sorted(Path(cache["XDG_CACHE_HOME"]).rglob("catalog-*"))


def test_it_is_compiled_once(kb: Path, cache: Cache):
    opened(kb, cache)
    (file,) = compiled(cache)
    os.utime(file, ns=(1, 1))
    opened(kb, cache)
    assert [f.stat().st_mtime_ns for f in compiled(cache)] == [1]


def test_entries_do_not_change_it_and_sites_do(kb: Path, cache: Cache):
    opened(kb, cache)
    (kb / "entries" / "notes.txt").write_text("more")
    opened(kb, cache)
    assert len(compiled(cache)) == 1
    (kb / "repos.yaml").write_text("acme/boom:\n")
    assert opened(kb, cache).repos() == ("acme/boom",)
    assert len(compiled(cache)) == 2


def test_the_packaged_file_is_used_where_it_fits(kb: Path, cache: Cache):
    compile_catalog(kb, kb / COMPILED, content_revision(kb, SITE_PARTS))
    assert opened(kb, cache).repos() == ("acme/boom", "acme/bang")
    assert compiled(cache) == []
    (kb / "repos.yaml").write_text("acme/boom:\n")
    assert opened(kb, cache).repos() == ("acme/boom",)


def test_the_same_index_gives_the_same_bytes(kb: Path, tmp_path: Path):
    for name in ("one", "two"):
        compile_catalog(kb, tmp_path / name, "0" * 12)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("contents", [b"", b"no database at all, but long enough to be taken for one" * 9])
def test_a_damaged_file_is_made_anew(kb: Path, cache: Cache, contents: bytes):
    opened(kb, cache)
    (file,) = compiled(cache)
    file.write_bytes(contents)
    assert opened(kb, cache).repos() == ("acme/boom", "acme/bang")


def test_a_cache_that_cannot_be_written_is_named(kb: Path, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(KnowledgeBaseError, match="set XDG_CACHE_HOME to another folder"):
        opened(kb, {"XDG_CACHE_HOME": str(tmp_path / "file")})


def test_an_index_that_was_edited_by_hand_is_refused(kb: Path, cache: Cache):
    file = kb / "sites" / "boom" / "boom-core.jsonl"
    file.write_text(file.read_text().replace("handle", "handel"))
    with pytest.raises(KnowledgeBaseError, match="run `kb index` again"):
        opened(kb, cache)


def test_many_threads_get_the_same_answers(kb: Path, cache: Cache):
    catalog = opened(kb, cache)
    main = catalog.revision("acme/boom", MAIN)
    assert main is not None
    keys = catalog.keys(frozenset(SiteKind))

    def ask(number: int) -> list[int]:
        ordered = [*keys[number:], *keys[:number]]
        found = {key: [site.line for site in catalog.follow(key, main)] for key in ordered}
        return [line for key in keys for line in found[key]]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(len(keys))))
    assert answers == [answers[0]] * len(keys)
    assert answers[0] != []
