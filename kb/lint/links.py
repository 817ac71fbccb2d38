"""Links to other entries, threads and commits are well-formed and lead to something."""

from __future__ import annotations

from collections.abc import Iterator

from kb.lint.finding import Hit
from kb.lint.tree import Tree


def check(tree: Tree) -> Iterator[Hit]:
    """Related ids that no entry has, an entry related to itself, a thread named twice, unknown names in `against`."""
    known = {value for _, entry in tree.entries for value in entry.ids}
    for file, entry in tree.entries:
        for i, related in enumerate(entry.related):
            if related not in known:
                yield Hit(file, ("related", i), f"no entry has the id {related}", "take the `id` of the other entry")
            elif related in entry.ids:
                yield Hit(file, ("related", i), "the entry is related to itself", "leave it out")
        for i, issue in enumerate(entry.issues):
            if issue in entry.issues[:i]:
                yield Hit(file, ("issues", i), f"{issue} stands twice", "once is enough")
        for name in entry.provenance.against:
            if tree.index is not None and name not in {repo.rsplit("/", 1)[-1] for repo in tree.index.repos()}:
                yield Hit(
                    file, ("provenance", "against", name), f"{name} is no repository of the family", "burn, cubecl, .."
                )
