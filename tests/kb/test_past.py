"""Versions between the releases: written, read back, and found at every commit of a repository."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kb.catalog import Catalog, open_catalog
from kb.compiling import compile_catalog
from kb.folder import find_kb
from kb.model import FileFacts, FunctionSpan, SiteKind, SourceSite
from kb.past import GONE, STANDS, Past, decode, encode
from kb.source.checkout import Checkout
from kb.source.parse import parse_file
from kb.upkeep.building import Plan, build
from tests.fakes.family import CORE_3, SmallFamily

numbers = st.integers(1, 9000)
words = st.text('abc:<> é{}"', max_size=9)
sites = st.builds(
    SourceSite, words, st.sampled_from(SiteKind), words, numbers, numbers, st.booleans(), st.booleans(), words, words
)
spans = st.builds(FunctionSpan, words, numbers, numbers, st.booleans(), st.booleans())
rows = st.lists(st.builds(FileFacts, st.lists(sites).map(tuple), st.lists(spans).map(tuple)), max_size=3).map(tuple)


@given(rows)
def test_versions_are_read_back_as_they_were(facts):
    past = Past((3, 7, 12), ("ab" * 20,), (GONE, STANDS, 0, GONE), facts)
    assert decode(encode(past)) == past


def test_the_last_change_before_a_place_counts():
    past = Past((3, 7), (), (0, GONE))
    assert [past.at(place) for place in (2, 3, 6, 7, 90)] == [None, 3, 3, 7, 7]


def catalog_of(family: SmallFamily, tmp_path) -> Catalog:
    list(build(Plan(family.kb, family.clones, processes=1), {"XDG_CACHE_HOME": str(tmp_path / "cache")}))
    return open_catalog(find_kb(family.kb, {}, tmp_path), {"XDG_CACHE_HOME": str(tmp_path / "cache")})


def test_a_catalogue_of_what_was_just_indexed_is_that_of_its_files(family: SmallFamily, tmp_path):
    built = list(build(Plan(family.kb, family.clones, processes=1), {"XDG_CACHE_HOME": str(tmp_path / "cache")}))
    compile_catalog(family.kb, tmp_path / "read.sqlite", "test")
    compile_catalog(family.kb, tmp_path / "known.sqlite", "test", {one.index.repo: one.index for one in built})
    assert (tmp_path / "known.sqlite").read_bytes() == (tmp_path / "read.sqlite").read_bytes()


def without_names(facts: FileFacts | None) -> FileFacts | None:
    return replace(facts, names=(), fallback=False) if facts else None


def test_every_commit_is_known_as_if_it_were_read(family: SmallFamily, tmp_path):
    boom, path = family.boom, "crates/boom-core/src/store.rs"
    boom.commit({path: "// one\n" + CORE_3})
    boom.git("checkout", "-q", "-b", "patch")
    boom.commit({path: "// on a branch\n// of two lines\n" + CORE_3})
    boom.git("checkout", "-q", "-")
    boom.commit({"README.md": "no code"})
    boom.git("merge", "-q", "--no-ff", "-m", "merged", "patch")
    boom.commit({path: "// one\n// two\n// three\n" + CORE_3})
    boom.commit({path: None})
    catalog = catalog_of(family, tmp_path)
    shas = boom.git("rev-list", "HEAD").split()
    read = [_read(Checkout(boom.folder), sha, path) for sha in shas]
    assert [without_names(catalog.facts("acme/boom", sha, path)) for sha in shas] == read
    assert sum(one is None for one in read) == 2
    assert len(set(read)) >= 5


def _read(checkout: Checkout, sha: str, path: str) -> FileFacts | None:
    blobs = {f.path: f.sha for f in checkout.tree(sha)}
    if path not in blobs:
        return None
    (_, source), *_ = checkout.blobs([blobs[path]])
    return without_names(parse_file(source, path))


def test_a_files_commits_are_told_up_to_a_date(family: SmallFamily, tmp_path):
    catalog, path = catalog_of(family, tmp_path), "crates/boom-core/src/store.rs"
    shas = family.boom.git("log", "--format=%H", "--", path).split()
    assert list(catalog.history("acme/boom", path, "2100-01-01")) == shas
    assert list(catalog.history("acme/boom", path, "1990-01-01")) == []
    assert list(catalog.past_paths("acme/boom", "src/store.rs")) == ["boom-core/src/store.rs", path]


def test_a_commit_that_is_not_known_has_no_files(family: SmallFamily, tmp_path):
    assert catalog_of(family, tmp_path).facts("acme/boom", "0" * 40, "crates/boom-core/src/store.rs") is None
