"""Every question that matching asks, put to the catalogue of the small family."""

from __future__ import annotations

import pytest

from kb.catalog import Catalog
from kb.errors import KnowledgeBaseError
from kb.model import MAIN, PANIC_KINDS, Revision, SiteIndex, SiteKey, SiteKind

BOOM, BANG = "acme/boom", "acme/bang"
HANDLE = SiteKey(BOOM, "boom-core", "Store::get", SiteKind.PANIC, "Should have a handle for {id}")
SIZES = SiteKey(BOOM, "boom-core", "Store::size", SiteKind.TODO, "sizes of stores")
LAUNCH = SiteKey(BOOM, "boom-jit", "launch", SiteKind.ASSERT, "cannot launch without a unit")
MODEL = SiteKey(BOOM, "boom-onnx", "load", SiteKind.PANIC, "a model needs a path")


def at(index: SiteIndex, name: str, repo: str = BOOM) -> Revision:
    found = index.revision(repo, name)
    assert found is not None
    return found


def test_revisions_stand_in_the_order_of_their_versions(catalog: Catalog):
    assert catalog.repos() == (BOOM, BANG)
    assert [r.name for r in catalog.revisions(BOOM)] == ["v0.1.0", "v0.2.0-pre.1", "v0.2.0", MAIN]
    assert [r.order for r in catalog.revisions(BOOM)] == [0, 1, 2, 3]
    assert catalog.revisions("acme/other") == []


def test_a_revision_is_found_by_tag_and_by_sha(catalog: Catalog):
    revision = at(catalog, "v0.2.0-pre.1")
    assert (revision.prerelease, revision.is_release, revision.date) == (True, True, "2024-01-03T12:00:00Z")
    assert at(catalog, revision.commit[:9]) == revision
    assert catalog.revision(BOOM, revision.commit[:6]) is None
    assert catalog.revision(BOOM, "v9.9.9") is None


def test_the_newest_release_is_no_prerelease(catalog: Catalog):
    assert catalog.newest_release(BOOM).name == "v0.2.0"
    with pytest.raises(KnowledgeBaseError, match="acme/other is not indexed"):
        catalog.newest_release("acme/other")


def test_crates_have_homes_and_releases(catalog: Catalog):
    assert catalog.repos_of_crate("boom-onnx") == (BOOM,)
    assert catalog.repos_of_crate("serde") == ()
    assert catalog.revision_of_crate(BOOM, "boom-core", "0.2.0") == at(catalog, "v0.2.0")
    assert catalog.revision_of_crate(BOOM, "boom-onnx", "0.2.0") is None
    assert catalog.revision_of_crate(BOOM, "boom-core", "0.3.0") is None


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("v0.1.0", "boom-jit/src/lib.rs", "boom-jit"),
        ("v0.2.0", "crates/boom-cube/src/lib.rs", "boom-cube"),
        ("v0.2.0", "crates/boom-cube/src/not_there.rs", "boom-cube"),
        ("v0.2.0", "boom-jit/src/lib.rs", ""),
    ],
)
def test_the_crate_of_a_path(catalog: Catalog, name: str, path: str, expected: str):
    assert catalog.crate_at(at(catalog, name), path) == expected


def test_paths_end_at_a_folder_border_and_belong_to_the_revision(catalog: Catalog):
    old, new = at(catalog, "v0.1.0"), at(catalog, "v0.2.0")
    assert catalog.paths(old, "src/store.rs") == ("boom-core/src/store.rs",)
    assert catalog.paths(new, "src/store.rs", "boom-core") == ("crates/boom-core/src/store.rs",)
    assert catalog.paths(new, "store.rs", "boom-cube") == ()
    assert catalog.paths(new, "ore.rs") == ()
    assert catalog.paths(new, "crates/boom-core/src/store.rs") == ("crates/boom-core/src/store.rs",)


def test_sites_of_a_file_by_line_with_what_each_says(catalog: Catalog):
    sites = catalog.sites_in(at(catalog, "v0.1.0"), "boom-core/src/store.rs")
    shown = [(s.key.function, s.key.kind, s.line, s.column, s.receiver) for s in sites]
    assert shown == [
        ("Store::get", SiteKind.PANIC, 5, 41, ""),
        ("Store::lock", SiteKind.UNWRAP, 9, 27, "lock"),
        ("Store::size", SiteKind.TODO, 13, 9, ""),
    ]
    commit = at(catalog, "v0.1.0").commit
    assert sites[0].permalink == f"https://github.com/acme/boom/blob/{commit}/boom-core/src/store.rs#L5"


def test_functions_are_found_by_place_and_by_name(catalog: Catalog):
    new = at(catalog, "v0.2.0")
    spans = catalog.spans_in(new, "crates/boom-core/src/store.rs")
    assert [(s.span.function, s.span.start, s.span.end) for s in spans] == [
        ("Store::get", 5, 7),
        ("Store::lock", 9, 11),
        ("Store::size", 13, 15),
    ]
    assert [s.path for s in catalog.functions(new, "boom-core", "Store::lock")] == ["crates/boom-core/src/store.rs"]
    assert catalog.functions(new, "boom-cube", "Store::lock") == []


def test_test_code_is_kept_and_marked(catalog: Catalog):
    sites = catalog.sites_in(at(catalog, "v0.2.0"), "crates/boom-cube/src/lib.rs")
    assert [(s.key.kind, s.test) for s in sites] == [
        (SiteKind.ASSERT, False),
        (SiteKind.EXPECT, False),
        (SiteKind.UNWRAP, True),
    ]


def test_a_key_stands_over_runs_of_revisions(catalog: Catalog):
    assert HANDLE in catalog.keys(PANIC_KINDS)
    assert HANDLE not in catalog.keys(frozenset({SiteKind.EXPECT}))
    assert catalog.stands(HANDLE) == [(at(catalog, "v0.1.0"), at(catalog, "v0.2.0-pre.1"))]
    assert catalog.stands(SIZES) == [(at(catalog, "v0.1.0"), at(catalog, "v0.2.0"))]
    assert catalog.stands(SiteKey(BOOM, "boom-core", "nowhere", SiteKind.PANIC, "")) == []


def test_a_place_is_exact_and_following_is_not(catalog: Catalog):
    new = at(catalog, "v0.2.0")
    assert list(catalog.places(HANDLE, new)) == []
    (reworded,) = catalog.follow(HANDLE, new)
    assert (reworded.key.template, reworded.line) == ("Should have a handle for the id {id}", 6)
    (back,) = catalog.follow(reworded.key, at(catalog, "v0.1.0"))
    assert (back.key, back.line) == (HANDLE, 5)


def test_a_site_is_followed_into_a_renamed_crate(catalog: Catalog):
    (place,) = catalog.follow(LAUNCH, at(catalog, MAIN))
    assert (place.key.crate, place.path) == ("boom-cube", "crates/boom-cube/src/lib.rs")


def test_a_site_is_followed_into_another_repository(catalog: Catalog):
    (place,) = catalog.follow(MODEL, at(catalog, MAIN, BANG))
    assert (place.key.repo, place.key.crate, place.line) == (BANG, "bang-onnx", 3)
    assert list(catalog.follow(MODEL, at(catalog, MAIN))) == []


def test_what_is_gone_is_gone(catalog: Catalog):
    assert list(catalog.follow(SIZES, at(catalog, MAIN))) == []


def test_commits_expand_and_have_a_nearest_release(catalog: Catalog):
    release = at(catalog, "v0.2.0")
    (commit,) = catalog.commits(BOOM, release.commit[:8].upper())
    assert (commit.sha, commit.nearest, commit.date) == (release.commit, "v0.2.0", release.date)
    (newer,) = catalog.commits(BOOM, at(catalog, MAIN).commit)
    assert newer.nearest == "v0.2.0"
    assert catalog.commits(BOOM, "abc") == ()
    assert catalog.commits(BOOM, "0000000") == []


@pytest.mark.parametrize(
    ("date", "expected"),
    [("2024-01-02", "v0.1.0"), ("2024-01-03T11:59:59Z", "v0.1.0"), ("2024-01-03", "v0.2.0-pre.1"), ("2023-12-31", "")],
)
def test_main_at_a_date(catalog: Catalog, date: str, expected: str):
    commit = catalog.main_at(BOOM, date)
    assert (commit.sha if commit else "") == (at(catalog, expected).commit if expected else "")


def test_releases_of_two_repositories_belong_together_both_ways(catalog: Catalog):
    assert catalog.companion(at(catalog, "v0.7.0", BANG), BOOM) == at(catalog, "v0.2.0")
    assert catalog.companion(at(catalog, "v0.2.0"), BANG) == at(catalog, "v0.7.0", BANG)
    assert catalog.companion(at(catalog, "v0.1.0"), BANG) is None
    assert catalog.companion_version(at(catalog, "v0.2.0-pre.1"), "wgpu") == "23"
    assert catalog.companion_version(at(catalog, "v0.2.0"), "tch") is None


def test_names_of_a_revision(catalog: Catalog):
    assert catalog.has_name(at(catalog, "v0.2.0"), "Store")
    assert catalog.has_name(at(catalog, "v0.2.0-pre.1"), "load")
    assert not catalog.has_name(at(catalog, "v0.2.0"), "load")


def test_a_commit_that_is_no_release_has_no_places(catalog: Catalog):
    stranger = Revision(BOOM, "f" * 40, "f" * 40, "2024-01-01T00:00:00Z", -1)
    assert catalog.places(HANDLE, stranger) == ()
    assert list(catalog.sites_in(stranger, "boom-core/src/store.rs")) == []
    assert catalog.callers_of_check("TensorCheck::f", stranger) == ()
    assert catalog.crate_at(stranger, "boom-core/src/store.rs") == ""
