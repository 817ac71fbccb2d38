from __future__ import annotations

from pathlib import Path

import pytest

from kb.catalog import Catalog, open_catalog
from kb.folder import KbFolder, content_revision
from kb.upkeep.building import Plan, build
from tests.fakes.family import SmallFamily, small_family


@pytest.fixture(scope="session")
def built_family(tmp_path_factory: pytest.TempPathFactory) -> SmallFamily:
    """The small family, indexed; nobody changes it."""
    folder = tmp_path_factory.mktemp("family")
    family = small_family(folder)
    list(build(Plan(family.kb, family.clones, processes=1), {"XDG_CACHE_HOME": str(folder / "cache")}))
    return family


@pytest.fixture(scope="session")
def catalog(built_family: SmallFamily, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalogue of the small family."""
    kb = built_family.kb
    folder = KbFolder(kb, content_revision(kb), writable=True, origin="test")
    return open_catalog(folder, {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("compiled"))})


@pytest.fixture
def family(tmp_path: Path) -> SmallFamily:
    """The small family, not indexed, to change at will."""
    return small_family(tmp_path)
