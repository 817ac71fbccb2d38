"""Where a line of one of main's commits stands, unchanged, at the indexed revisions before and after it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kb.catalog_store import Store
from kb.model import Revision

Carried = tuple[Revision, str, int]
"""Revision, path and line there."""


def carry(store: Store, revisions: Sequence[Revision], repo: str, sha: str, path: str, line: int) -> list[Carried]:
    """At the next indexed revision of main first, then at the one before; those that changed the line are left out.

    `sha` is a full sha on main's own line; for another commit there is nothing to say.
    """
    place = _place(store, repo, sha)
    if place is None:
        return []
    steps = {r: p for r in revisions if (p := _place(store, repo, r.commit)) is not None}
    after = min((r for r in steps if steps[r] > place), key=lambda r: steps[r], default=None)
    before = max((r for r in steps if steps[r] < place), key=lambda r: steps[r], default=None)
    found = []
    if after is not None and (there := _forward(store, repo, path, line, place, steps[after])):
        found.append((after, *there))
    if before is not None and (there := _backward(store, repo, path, line, place, steps[before])):
        found.append((before, *there))
    return found


def new_line(line: int, hunks: Sequence[int]) -> int | None:
    """The number of a line after a change, from before it; None where the change took the line itself."""
    return _moved(line, [tuple(hunks[i : i + 4]) for i in range(0, len(hunks), 4)])


def old_line(line: int, hunks: Sequence[int]) -> int | None:
    """The number of a line before a change, from after it; None where the change brought the line."""
    return _moved(line, [(hunks[i + 2], hunks[i + 3], hunks[i], hunks[i + 1]) for i in range(0, len(hunks), 4)])


def _moved(line: int, hunks: Sequence[tuple[int, ...]]) -> int | None:
    """Hunks as (start, count, start there, count there); with count 0 the change stands behind line `start`."""
    drift = 0
    for start, count, _, count_there in hunks:
        if count and start <= line < start + count:
            return None
        if line >= start + count if count else line > start:
            drift += count_there - count
    return line + drift


def _place(store: Store, repo: str, sha: str) -> int | None:
    row = store.row("SELECT place FROM step WHERE repo = ? AND sha = ?", (repo, sha))
    return int(row[0]) if row else None


def _forward(store: Store, repo: str, path: str, line: int, start: int, end: int) -> tuple[str, int] | None:
    query = (
        "SELECT place, new, hunks FROM shift WHERE repo = ? AND old = ? AND place > ? AND place <= ?"
        " ORDER BY place LIMIT 1"
    )
    while (row := store.row(query, (repo, path, start, end))) is not None:
        start, path = int(row[0]), str(row[1])
        moved = new_line(line, json.loads(row[2]))
        if moved is None:
            return None
        line = moved
    return path, line


def _backward(store: Store, repo: str, path: str, line: int, start: int, end: int) -> tuple[str, int] | None:
    query = (
        "SELECT place, old, hunks FROM shift WHERE repo = ? AND new = ? AND place <= ? AND place > ?"
        " ORDER BY place DESC LIMIT 1"
    )
    while (row := store.row(query, (repo, path, start, end))) is not None:
        start, path = int(row[0]) - 1, str(row[1])
        moved = old_line(line, json.loads(row[2]))
        if moved is None:
            return None
        line = moved
    return path, line
