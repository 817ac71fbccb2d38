"""The versions of files between the releases, as the compiled catalogue holds them: which one stood at a commit."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kb.catalog_store import Store
from kb.model import FileFacts, Revision, SiteIndex, SourceSite
from kb.past import GONE, STANDS, Past, read
from kb.source.scan import keep_macro_calls

FARTHEST = 500
"""Commits of a branch that are walked back before its trail is given up; the longest in the family has some 60."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a file at a commit: a row of its past, or that an indexed commit of main has the same."""

    past: Past
    row: int = -1
    place: int = -1
    """With no row: the place on main's own line from which the version stood, up to the next indexed revision."""


class Pasts:
    """Look-ups of one compiled file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.of = lru_cache(64)(self._read)
        self._by_name = lru_cache(16)(self._read_names)
        self._macros: frozenset[str] | None = None
        self._line: dict[str, list[tuple[int, int]]] = {}

    def _read(self, repo: str, path: str) -> Past | None:
        row = self._store.row("SELECT data FROM past WHERE repo = ? AND path = ?", (repo, path))
        return read(zlib.decompress(row[0]).decode()) if row else None

    def facts(self, index: SiteIndex, repo: str, sha: str, path: str) -> FileFacts | None:
        """Sites and functions of a file at a commit; None where the commit is not known or had no such file."""
        found = self.find(repo, sha, path)
        if found is None:
            return None
        if found.row >= 0:
            self._macros = index.macros() if self._macros is None else self._macros
            return keep_macro_calls(found.past.rows[found.row], self._macros)
        revision = self._standing(index, repo, found.place)
        return None if revision is None else _facts_at(index, revision, path)

    def find(self, repo: str, sha: str, path: str) -> Found | None:
        """None where the commit is not known, or had no such file."""
        past = self.of(repo, path)
        at = self._commit(repo, sha)
        if past is None or at is None:
            return None
        for _ in range(FARTHEST):
            place, parent = at
            if place >= 0:
                return _on_line(past, place)
            if sha in past.sides:
                ref = past.ref(sha)
                return Found(past, ref) if ref >= 0 else None
            sha, at = parent, self._commit(repo, parent)
            if at is None:
                return None
        return None

    def changes(self, repo: str, path: str, until: str) -> Sequence[str]:
        """Shas of main's own line that changed the file, newest first, up to a date."""
        past = self.of(repo, path)
        if past is None:
            return ()
        marks = ",".join("?" * len(past.places))
        query = (
            f"SELECT sha FROM history WHERE repo = ? AND date <= ? AND place >= 0 AND place IN ({marks})"
            " ORDER BY place DESC"
        )
        return [sha for (sha,) in self._store.rows(query, (repo, until, *past.places))]

    def paths(self, repo: str, tail: str) -> Sequence[str]:
        """Every file that ever was, by the end of its path at a folder border."""
        known = self._by_name(repo).get(tail.rpartition("/")[2], ())
        return [path for path in known if path == tail or path.endswith(f"/{tail}")]

    def _read_names(self, repo: str) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for (path,) in self._store.rows("SELECT path FROM past WHERE repo = ? ORDER BY path", (repo,)):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _standing(self, index: SiteIndex, repo: str, place: int) -> Revision | None:
        """The indexed revision that is the first on main's own line at or after a place."""
        revisions = index.revisions(repo)
        if repo not in self._line:
            commits = ((self._commit(repo, r.commit), r.order) for r in revisions)
            self._line[repo] = sorted((at[0], order) for at, order in commits if at and at[0] >= 0)
        line = self._line[repo]
        at = bisect_left(line, (place, -1))
        return revisions[line[at][1]] if at < len(line) else None

    def _commit(self, repo: str, sha: str) -> tuple[int, str] | None:
        row = self._store.row("SELECT place, parent FROM history WHERE repo = ? AND sha = ?", (repo, sha))
        return (int(row[0]), str(row[1])) if row else None


def _on_line(past: Past, place: int) -> Found | None:
    changed = past.at(place)
    if changed is None:
        return None
    ref = past.ref(changed)
    if ref == GONE:
        return None
    return Found(past, place=changed) if ref == STANDS else Found(past, ref)


def _facts_at(index: SiteIndex, revision: Revision, path: str) -> FileFacts:
    sites = (
        SourceSite(
            s.key.function, s.key.kind, s.key.template, s.line, s.column, s.test, s.macro_body, s.target, s.receiver
        )
        for s in index.sites_in(revision, path)
    )
    return FileFacts(tuple(sites), tuple(s.span for s in index.spans_in(revision, path)))
