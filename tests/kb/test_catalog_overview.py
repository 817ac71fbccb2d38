"""The two queries over all releases at once say what the ones by revision say."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from kb.catalog import Catalog, open_catalog
from kb.folder import find_kb
from kb.model import LOCATED_KINDS, SiteKey

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return open_catalog(find_kb(ROOT / "kb", os.environ, ROOT))


@pytest.fixture(scope="module")
def chosen(catalog: Catalog) -> list[tuple[SiteKey, int, int, bool]]:
    rows = catalog.overview(LOCATED_KINDS)
    assert len(rows) > 10_000
    return random.Random(7).sample(list(rows), 40)


def test_first_and_last_are_those_of_the_runs(catalog: Catalog, chosen: list[tuple[SiteKey, int, int, bool]]):
    for key, first, last, _ in chosen:
        runs = catalog.stands(key)
        assert (first, last) == (runs[0][0].order, runs[-1][1].order)


def test_a_site_is_where_its_homes_say(catalog: Catalog, chosen: list[tuple[SiteKey, int, int, bool]]):
    for key, *_ in chosen:
        homes = catalog.homes(key)
        for revision in catalog.revisions(key.repo)[::5]:
            paths = {path for a, b, path in homes if a.order <= revision.order <= b.order}
            assert {site.path for site in catalog.places(key, revision)} == paths


def test_no_site_is_of_tests_alone(catalog: Catalog, chosen: list[tuple[SiteKey, int, int, bool]]):
    for key, *_ in chosen:
        found = [site for r in catalog.revisions(key.repo) for site in catalog.places(key, r)]
        assert not all(site.test for site in found)


def test_a_key_that_is_not_indexed_has_no_home(catalog: Catalog, chosen: list[tuple[SiteKey, int, int, bool]]):
    key = chosen[0][0]
    assert catalog.homes(SiteKey(key.repo, key.crate, key.function, key.kind, "never written")) == []
