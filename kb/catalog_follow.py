"""Follows a site key along the catalogue's links: renamed crates, moved functions, rewordings, other repositories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.catalog_store import Store
from kb.model import Revision, SiteAt, SiteIndex, SiteKey

FARTHEST = 40
"""Links in a row after which a trail is given up; no key changes that often."""


def follow(store: Store, index: SiteIndex, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
    """Places at `revision` of whatever goes on for `key` there, or went before it; () where the trail ends.

    Time runs one way along a trail: later revisions are reached over successors alone, earlier ones over predecessors,
    so that of two keys that became one neither is taken for the other.
    """
    number = store.key_number(key)
    if number is None:
        return ()
    return _walk(store, index, number, revision, 1) or _walk(store, index, number, revision, -1)


def _walk(store: Store, index: SiteIndex, number: int, revision: Revision, way: int) -> Sequence[SiteAt]:
    front: set[tuple[int, int | None]] = {(number, None)}
    seen = {number}
    for _ in range(FARTHEST):
        reached = {
            (other, step)
            for one, since in sorted(front, key=lambda item: (item[0], item[1] or 0))
            for other, step in _links(store, one, since, way)
            if other not in seen
        }
        if not reached:
            return ()
        seen.update(other for other, _ in reached)
        found = _places(index, (store.key(other) for other in sorted({other for other, _ in reached})), revision)
        if found:
            return found
        front = reached
    return ()


def _links(store: Store, number: int, since: int | None, way: int) -> Iterator[tuple[int, int | None]]:
    """Keys one link further on, with the step from which the trail goes on (None: the other repository's own count)."""
    here, there = ("old", "new") if way > 0 else ("new", "old")
    for other, step, how in store.rows(f"SELECT {there}, step, how FROM link WHERE {here} = ?", (number,)):
        if how == "repository":
            yield other, None
        elif since is None or (step - since) * way > 0:
            yield other, step


def _places(index: SiteIndex, keys: Iterable[SiteKey], revision: Revision) -> Sequence[SiteAt]:
    return [place for key in keys for place in index.places(key, revision)]
