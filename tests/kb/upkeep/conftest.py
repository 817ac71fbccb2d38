from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.catalog import Catalog, open_catalog
from kb.folder import find_kb
from kb.lint.tree import Tree, read_tree

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def index() -> Catalog:
    """The committed index of the family."""
    return open_catalog(find_kb(ROOT / "kb", os.environ, ROOT))


@pytest.fixture(scope="session")
def tree(index: Catalog) -> Tree:
    return read_tree(ROOT / "kb", index, index)
