"""Rust blocks parse: the example fix, the checks and the guards."""

from __future__ import annotations

from collections.abc import Iterator

from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.shape import texts
from kb.source.snippet import syntax_error


def check(tree: Tree) -> Iterator[Hit]:
    """The first syntax error of each block."""
    for file, entry in tree.entries:
        for path, code in texts(entry, "rust"):
            line = syntax_error(code)
            if line is not None:
                where = ".".join(str(part) for part in path)
                yield Hit(file, path, f"`{where}` is no Rust: line {line} of the block", "mend it; no `...`", line=line)
