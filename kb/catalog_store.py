"""Reads a compiled catalogue: one connection a thread, small caches. Numbers in, values of `kb.model` out."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb.catalog_schema import FORMAT
from kb.errors import KnowledgeBaseError
from kb.model import FunctionSpan, SiteKey, SiteKind

Row = tuple[Any, ...]
IdentityRow = tuple[SiteKey, str, str, bool, bool]
"""Key, target, receiver, test, macro body."""
VersionRow = tuple[int, str, Sequence[int]]
"""One file over a run of revisions: the first of them, its crate, and identity, line, column of site after site."""

FILE_CACHE = 256
"""File versions kept decoded: a report names a handful of files, a run over many reports the same ones again."""


class Store:
    """One compiled file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._keys: dict[int, SiteKey] = {}
        self._identities: dict[int, IdentityRow] = {}
        self.file_number = lru_cache(4096)(self._file_number)
        self.version = lru_cache(FILE_CACHE)(self._version)
        self.spans = lru_cache(FILE_CACHE)(self._spans)

    def rows(self, query: str, values: Iterable[Any] = ()) -> Iterator[Row]:
        """Rows of a query, read through this thread's own connection."""
        return self._connection().execute(query, tuple(values))

    def row(self, query: str, values: Iterable[Any] = ()) -> Row | None:
        """The first row of a query."""
        return next(self.rows(query, values), None)

    def meta(self, name: str) -> str:
        """A value of the table `meta`, "" where it is not there."""
        row = self.row("SELECT value FROM meta WHERE name = ?", (name,))
        return str(row[0]) if row else ""

    def key(self, number: int) -> SiteKey:
        """The key of this number; the same object each time."""
        if number not in self._keys:
            row = self.row("SELECT id, repo, crate, function, kind, template FROM site_key WHERE id = ?", (number,))
            self._keep(row or (number, "", "", "", SiteKind.PANIC, ""))
        return self._keys[number]

    def keys(self, kinds: Iterable[str]) -> list[SiteKey]:
        """All keys of these kinds, by number."""
        wanted = sorted(kinds)
        marks = ",".join("?" * len(wanted))
        query = "SELECT id, repo, crate, function, kind, template FROM site_key"
        return [self._keep(row) for row in self.rows(f"{query} WHERE kind IN ({marks}) ORDER BY id", wanted)]

    def key_number(self, key: SiteKey) -> int | None:
        """The number of a key, None where the index never had it."""
        row = self.row("SELECT id FROM site_key WHERE digest = ?", (key.id,))
        return int(row[0]) if row else None

    def identity(self, number: int) -> IdentityRow:
        """What a site row's identity says."""
        if number not in self._identities:
            row = self.row("SELECT site_key, target, receiver, test, macro_body FROM identity WHERE id = ?", (number,))
            key, target, receiver, test, macro_body = row or (0, "", "", 0, 0)
            self._identities[number] = (self.key(key), target, receiver, bool(test), bool(macro_body))
        return self._identities[number]

    def _keep(self, row: Row) -> SiteKey:
        number, repo, crate, function, kind, template = row
        return self._keys.setdefault(number, SiteKey(repo, crate, function, SiteKind(kind), template))

    def _file_number(self, repo: str, path: str) -> int | None:
        row = self.row("SELECT id FROM file WHERE repo = ? AND path = ?", (repo, path))
        return int(row[0]) if row else None

    def _version(self, file: int, place: int) -> VersionRow | None:
        row = self.row(
            "SELECT last, first, crate, sites FROM version WHERE file = ? AND first <= ? ORDER BY first DESC LIMIT 1",
            (file, place),
        )
        return None if row is None or row[0] < place else (row[1], row[2], json.loads(row[3]))

    def _spans(self, file: int, first: int) -> Sequence[FunctionSpan]:
        """The functions of a file's version, which its first revision names."""
        row = self.row("SELECT spans FROM version WHERE file = ? AND first = ?", (file, first))
        return [
            FunctionSpan(f, start, end, bool(test), bool(track))
            for f, start, end, test, track in (json.loads(row[0]) if row else ())
        ]

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            # immutable: the file is replaced as a whole, never written; SQLite then takes no locks.
            uri = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
            found = self._local.connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        return found


def open_store(path: Path) -> Store | None:
    """The store in this file; None where there is no file, or one of another format."""
    if not path.is_file():
        return None
    store = Store(path)
    try:
        return store if store.meta("format") == FORMAT else None
    except sqlite3.DatabaseError:
        return None


def require_store(path: Path) -> Store:
    """Like `open_store`. Raises KnowledgeBaseError where there is none."""
    store = open_store(path)
    if store is None:
        raise KnowledgeBaseError(f"{path}: no compiled catalogue; delete the file and run the command again")
    return store
