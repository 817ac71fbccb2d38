"""Real entries and the real index; a test changes one file in memory and asks one check, or all of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kb import lint
from kb.catalog import open_catalog
from kb.folder import find_kb
from kb.lint.finding import Hit
from kb.lint.tree import Tree, read_tree
from kb.load import EntryFile, parse_file

ROOT = Path(__file__).parents[3]
SAMPLE = frozenset(f"KB-{n:04d}" for n in (*range(1, 35), 56, 100))
"""The entries that the tests damage, and as many more: the checks of all take ten times as long, and find no more."""


@pytest.fixture(scope="session")
def tree() -> Tree:
    folder = find_kb(ROOT / "kb", os.environ, ROOT)
    catalog = open_catalog(folder)
    return read_tree(folder.path, catalog, catalog)


@pytest.fixture(scope="session")
def by_id(tree: Tree) -> Mapping[str, EntryFile]:
    return {file.path.stem: file for file in tree.files}


@pytest.fixture(scope="session")
def sample(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A knowledge base of some of the entries, and of those that they name as related: without a finding too."""
    known = {file.path.stem: file for file in tree.files}
    owner = {entry.id: entry.kb_id for _, entry in tree.entries}
    wanted = set(SAMPLE)
    while more := {owner[name] for kb_id in wanted for name in known[kb_id].entry.related} - wanted:
        wanted |= more
    root = tmp_path_factory.mktemp("kb")
    for name in ("schema.json", "TEMPLATE.yaml"):
        shutil.copy(tree.root / name, root)
    ids = (tree.root / "ids.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (root / "ids.txt").write_text("".join(line for line in ids if line.split()[0] in wanted), encoding="utf-8")
    files = [replace(known[name], path=root / known[name].path.relative_to(tree.root)) for name in sorted(wanted)]
    return Tree(root, tuple(files), tree.index, tree.names)


@pytest.fixture
def changed(sample: Tree) -> Callable[..., Tree]:
    """`changed("KB-0001", (old, new), ...)`: the sample with these replacements in that entry's text."""
    by_id = {file.path.stem: file for file in sample.files}

    def change(kb_id: str, *pairs: tuple[str, str], name: str = "", folder: str = "") -> Tree:
        file = by_id[kb_id]
        text = file.text
        for old, new in pairs:
            assert old in text, f"{kb_id} does not hold {old!r} any more"
            text = text.replace(old, new, 1)
        path = file.path.parent.parent / (folder or file.path.parent.name) / (name or file.path.name)
        kept = [other for other in sample.files if other is not file]
        return Tree(sample.root, (*kept, parse_file(path, text)), sample.index, sample.names)

    return change


@pytest.fixture
def hits() -> Callable[[Tree, str], list[Hit]]:
    """All hits of one check."""
    return lambda tree, check: list(lint.run_one(tree, check, lint.checks()[check]))
