"""No two entries have the same prose: not the title, not the summary, not the cause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.lint.finding import Hit
from kb.lint.tree import Tree

_WORD = re.compile(r"\w+")


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each later entry whose text another one already has; case, white space and marks do not count."""
    for field in ("title", "summary", "meaning"):
        owners: dict[str, str] = {}
        for file, entry in tree.current:
            words = " ".join(_WORD.findall(getattr(entry, field).lower()))
            owner = owners.setdefault(words, file.path.name)
            if owner != file.path.name:
                yield Hit(file, (field,), f"`{field}` is that of {owner}", "tell what is different, or merge the two")
