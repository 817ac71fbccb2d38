"""What counts as a panic that a user can print, and at which releases it is counted."""

from __future__ import annotations

import pytest

from kb.catalog import Catalog
from kb.model import MAIN, Revision, SiteAt, SiteKey, SiteKind
from kb.upkeep.coverage import NOT_IN_PROGRAMS, Why, can_be_printed, columns, coverage, why_missing


def line(*names: str) -> list[Revision]:
    return [Revision("a/b", name, "0" * 40, "", n, prerelease="-" in name) for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("v0.1.0", "v0.1.1", "v0.2.0-pre.1", "v0.2.0", "v0.3.0-pre.1", MAIN), ["v0.1.1", "v0.2.0", MAIN]),
        (("v0.1.0", "v0.2.0", "v0.3.0", "v0.4.0", "v0.5.0", MAIN), ["v0.2.0", "v0.3.0", "v0.4.0", "v0.5.0", MAIN]),
        (("v0.1.0-pre.1", "v0.1.0-pre.2", MAIN), ["v0.1.0-pre.2", MAIN]),
        (("v0.1.0",), ["v0.1.0"]),
        ((MAIN,), [MAIN]),
    ],
)
def test_one_column_for_each_of_the_last_minor_versions(names: tuple[str, ...], expected: list[str]):
    assert [r.name for r in columns(line(*names))] == expected


@pytest.mark.parametrize(
    ("crate", "left_out"),
    [
        ("burn-tensor", False),
        ("burn-backend-tests", True),
        ("burn-derive", True),
        ("cubecl-macros-internal", True),
        ("xtask", True),
        ("crates/model-checks/yolo", True),
        ("attests", False),
        ("burn-testament", False),
    ],
)
def test_crates_that_programs_do_not_run_are_left_out(crate: str, left_out: bool):
    assert bool(NOT_IN_PROGRAMS.search(crate)) == left_out


@pytest.mark.parametrize(
    ("kind", "facts", "counted"),
    [
        (SiteKind.PANIC, {}, True),
        (SiteKind.CHECK, {}, True),
        (SiteKind.PANIC, {"test": True}, False),
        (SiteKind.PANIC, {"macro_body": True}, False),
        (SiteKind.UNREACHABLE, {}, False),
        (SiteKind.TENSOR_ERROR, {}, False),
        (SiteKind.LOG_WARN, {}, False),
    ],
)
def test_only_what_a_header_can_show(kind: SiteKind, facts: dict[str, bool], counted: bool):
    [main] = line(MAIN)
    site = SiteAt(SiteKey("a/b", "c", "f", kind, "words"), main, "src/lib.rs", 1, 1, **facts)
    assert can_be_printed(site) == counted


def test_an_entry_covers_the_sites_that_it_names(catalog: Catalog):
    [repo] = [repo for repo in catalog.repos() if repo == "acme/boom"]
    main = catalog.revisions(repo)[-1]
    named = [site.key for site in catalog.all_sites(main) if site.key.function == "Store::get"]
    found = coverage(catalog, main, named)
    assert (found.explained["boom-core"], found.sites["boom-core"]) == (1, 2)


@pytest.mark.parametrize(
    ("kind", "template", "why"),
    [
        (SiteKind.TODO, "", Why.UNFINISHED),
        (SiteKind.UNIMPLEMENTED, "not for maps", Why.UNFINISHED),
        (SiteKind.PANIC, "no map for {name}", Why.WORDS),
        (SiteKind.EXPECT, "a map", Why.WORDS),
        (SiteKind.PANIC, "{err:?}", Why.VALUE),
        (SiteKind.UNWRAP, None, Why.VALUE),
        (SiteKind.CHECK, None, Why.CHECK),
        (SiteKind.CUBE, None, Why.KERNEL),
    ],
)
def test_why_a_place_has_no_entry_is_told_by_what_it_prints(kind: SiteKind, template: str | None, why: Why):
    [main] = line(MAIN)
    assert why_missing(SiteAt(SiteKey("a/b", "c", "f", kind, template), main, "src/lib.rs", 1, 1)) is why
