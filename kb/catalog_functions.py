"""Functions by name over all releases, as the catalogue's spans tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from kb.catalog_store import Store
from kb.model import Revision


def function_homes(
    store: Store, revisions: Sequence[Revision], repo: str, crate: str, function: str
) -> Sequence[tuple[Revision, Revision, str]]:
    """Runs of revisions, both ends inclusive, and the file there, over which a crate has a function, oldest first."""
    query = (
        "SELECT first, last, path FROM version JOIN file ON file.id = version.file"
        " WHERE crate = ? AND repo = ? AND instr(spans, ?) ORDER BY first, path"
    )
    # A span begins with its name; nothing else in the column is text.
    rows = store.rows(query, (crate, repo, f"[{json.dumps(function, ensure_ascii=False)},"))
    return [(revisions[first], revisions[last], path) for first, last, path in rows]


def all_functions(store: Store, repo: str) -> Mapping[tuple[str, str, str], int]:
    """Crate, path and function, tests left out, with a mask of the revisions (bit `order`) that have it."""
    query = "SELECT crate, path, first, last, spans FROM version JOIN file ON file.id = version.file WHERE repo = ?"
    found: dict[tuple[str, str, str], int] = {}
    for crate, path, first, last, spans in store.rows(query, (repo,)):
        mask = (1 << last + 1) - (1 << first)
        for function, _, _, test, _ in json.loads(spans):
            if not test:
                found[crate, path, function] = found.get((crate, path, function), 0) | mask
    return found
