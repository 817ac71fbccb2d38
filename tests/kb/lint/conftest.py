"""The real entries and the real index; a test changes one file in memory and asks one check."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kb import lint
from kb.catalog import open_catalog
from kb.folder import find_kb
from kb.lint.finding import Hit
from kb.lint.tree import Tree, read_tree
from kb.load import EntryFile, parse_file

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def tree() -> Tree:
    folder = find_kb(ROOT / "kb", os.environ, ROOT)
    catalog = open_catalog(folder)
    return read_tree(folder.path, catalog, catalog)


@pytest.fixture(scope="session")
def by_id(tree: Tree) -> Mapping[str, EntryFile]:
    return {file.path.stem: file for file in tree.files}


@pytest.fixture
def changed(tree: Tree, by_id: Mapping[str, EntryFile]) -> Callable[..., Tree]:
    """`changed("KB-0001", (old, new), ...)`: the tree with these replacements in that entry's text."""

    def change(kb_id: str, *pairs: tuple[str, str], name: str = "", folder: str = "") -> Tree:
        file = by_id[kb_id]
        text = file.text
        for old, new in pairs:
            assert old in text, f"{kb_id} does not hold {old!r} any more"
            text = text.replace(old, new, 1)
        path = file.path.parent.parent / (folder or file.path.parent.name) / (name or file.path.name)
        kept = [other for other in tree.files if other is not file]
        return Tree(tree.root, (*kept, parse_file(path, text)), tree.index, tree.names)

    return change


@pytest.fixture
def hits() -> Callable[[Tree, str], list[Hit]]:
    """All hits of one check."""
    return lambda tree, check: list(lint.run_one(tree, check, lint.checks()[check]))
