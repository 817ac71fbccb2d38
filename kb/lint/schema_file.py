"""`schema.json`, which editors read, is what the model says."""

from __future__ import annotations

from collections.abc import Iterator

from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.upkeep.schema import FILE, schema_text

EXEMPTABLE = False


def check(tree: Tree) -> Iterator[Hit]:
    """One finding where the file is missing or differs."""
    path = tree.root / FILE
    if not path.is_file() or path.read_text(encoding="utf-8") != schema_text():
        yield Hit(path, (), f"{FILE} is not that of the entry model", "run `kb lint --fix` (or `kb schema --write`)")


def fix(tree: Tree) -> None:
    """Write it anew."""
    (tree.root / FILE).write_text(schema_text(), encoding="utf-8")
