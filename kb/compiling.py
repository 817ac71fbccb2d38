"""Compiles the generated files of `kb/sites` into one read-only SQLite file. Same input, same file."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.catalog_schema import FORMAT, INDEXES, SCHEMA
from kb.companions import Pairs, companions
from kb.family import load_family
from kb.gcpause import gc_paused
from kb.model import SiteKey
from kb.moves import find_links
from kb.records import FileVersion, Identity, RepoIndex, keys_of
from kb.sitefiles import bit_runs, decode

Row = tuple[Any, ...]


def read_index(kb: Path, repo: str) -> RepoIndex | None:
    """The committed index of one repository, None where there is none. Raises KnowledgeBaseError where it is spoilt."""
    folder = kb / "sites" / repo.split("/")[1]
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    contents = {f.name: f.read_bytes() for f in files if f.suffix in (".jsonl", ".gz")}
    return decode(repo, contents) if contents else None


def compile_catalog(kb: Path, out: Path, revision: str, read: Mapping[str, RepoIndex] | None = None) -> None:
    """Compile the knowledge base `kb` into the file `out`, which is replaced only when all is done.

    `read`: indexes by repository that were read or written just now, so that their files are not read again.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=out.parent, prefix=out.name, suffix=".part")
    os.close(handle)
    try:
        with gc_paused():
            _compile(kb, Path(name), revision, read or {})
        os.chmod(name, 0o644)
        os.replace(name, out)
    finally:
        Path(name).unlink(missing_ok=True)


def _compile(kb: Path, out: Path, revision: str, read: Mapping[str, RepoIndex]) -> None:
    family = load_family(kb)
    found = (read.get(member.repo) or read_index(kb, member.repo) for member in family)
    indexes = [index for index in found if index is not None]
    write_catalog(out, indexes, revision, [(m.repo, r.old, r.repo, r.new) for m in family for r in m.renamed])


def write_catalog(
    out: Path, indexes: Sequence[RepoIndex], revision: str, renamed: Sequence[tuple[str, str, str, str]] = ()
) -> None:
    """Write the tables into the empty file `out`. `renamed` as `find_links` takes it."""
    db = sqlite3.connect(out, isolation_level=None)
    try:
        db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + SCHEMA)
        db.execute("BEGIN")
        numbers = _Numbers()
        pairs = companions(indexes)
        for index in indexes:
            _write_repo(db, index, numbers, pairs)
        _insert(db, "site_key", numbers.key_rows())
        _insert(db, "identity", numbers.identity_rows)
        _insert(
            db,
            "link",
            ((numbers.keys[x.old], numbers.keys[x.new], x.step, x.how) for x in find_links(indexes, renamed)),
        )
        _insert(db, "meta", [("format", FORMAT), ("revision", revision), *_lists(indexes, renamed)])
        db.execute("COMMIT")
        db.executescript(INDEXES + "ANALYZE;")
    finally:
        db.close()


def _lists(indexes: Sequence[RepoIndex], renamed: Sequence[tuple[str, str, str, str]]) -> Iterator[Row]:
    yield "repos", json.dumps([index.repo for index in indexes])
    yield "renamed", json.dumps(renamed)


@dataclass(slots=True)
class _Numbers:
    """Numbers for keys, identities and files, in the order in which they are met."""

    keys: dict[SiteKey, int] = field(default_factory=dict)
    identities: dict[tuple[SiteKey, Identity], tuple[int, int]] = field(default_factory=dict)
    identity_rows: list[Row] = field(default_factory=list)
    files: int = 0

    def of(self, key: SiteKey, one: Identity) -> tuple[int, int]:
        """Number of the key and of the identity."""
        found = self.identities.get((key, one))
        if found is None:
            number = self.keys.setdefault(key, len(self.keys))
            found = self.identities[key, one] = (number, len(self.identities))
            self.identity_rows.append((found[1], number, one.target, one.receiver, one.test, one.macro_body))
        return found

    def key_rows(self) -> Iterator[Row]:
        """Rows of the table `site_key`."""
        for key, number in self.keys.items():
            yield number, key.id, key.repo, key.crate, key.function, key.kind, key.template


def _write_repo(db: sqlite3.Connection, index: RepoIndex, numbers: _Numbers, pairs: Pairs) -> None:
    _insert(db, "revision", _revision_rows(index, pairs))
    runs = {mask: json.dumps(bit_runs(mask)) for mask in set(index.names.values())}
    _insert(db, "name", ((index.repo, name, runs[mask]) for name, mask in index.names.items()))
    commits = ((index.repo, c.sha, c.date, c.nearest, c.main, c.place, c.parent) for c in index.commits)
    _insert(db, "history", commits)
    pasts = ((None, index.repo, path, zlib.compress(text.encode(), 1)) for path, text in index.pasts.items())
    _insert(db, "past", pasts)
    files = _Files(index, numbers)
    _insert(db, "version", files.versions())
    _insert(db, "file", files.rows)
    stands = ((key, *run, file) for (key, file), mask in files.stands.items() for run in bit_runs(mask))
    _insert(db, "stand", sorted(stands))


def _revision_rows(index: RepoIndex, pairs: Pairs) -> Iterator[Row]:
    for place, r in enumerate(index.revisions):
        crates = {name: [c.folder, c.version] for name, c in r.crates.items()}
        requires = {name: n.version or n.locked or n.rev for name, n in r.requires.items()}
        belong = dict(sorted(pairs.get((index.repo, place), {}).items()))
        extra = (
            json.dumps(part, sort_keys=True)
            for part in (crates, requires, {k: list(v) for k, v in r.checks.items()}, belong)
        )
        yield (index.repo, place, r.name, r.commit, r.date, r.prerelease, *extra)


class _Files:
    """Rows of the tables `version`, `file` and `stand` of one repository."""

    def __init__(self, index: RepoIndex, numbers: _Numbers) -> None:
        self._index = index
        self._numbers = numbers
        self._of = _per_crate(index.repo, numbers)
        self.rows: list[Row] = []
        self.stands: dict[tuple[int, int], int] = {}

    def versions(self) -> Iterator[Row]:
        """Rows of `version`; the others are complete when these have been read."""
        path = None
        for version in self._index.files:
            if version.path != path:
                path = version.path
                self.rows.append((self._numbers.files, self._index.repo, path))
                self._numbers.files += 1
            sites, spans = self._sites(version), _json(version.spans)
            yield (self._numbers.files - 1, version.first, version.last, version.crate, sites, spans)

    def _sites(self, version: FileVersion) -> str:
        file, mask, found = self._numbers.files - 1, version.mask, []
        for one, line, column in version.sites:
            key, number = self._of(version.crate, one)
            self.stands[key, file] = self.stands.get((key, file), 0) | mask
            found += [number, line, column]
        return _json(found)


def _per_crate(repo: str, numbers: _Numbers) -> Callable[[str, Identity], tuple[int, int]]:
    """Numbers of an identity in a crate; each is looked up by its parts once, then by the object itself."""
    key = keys_of(repo)
    known: dict[tuple[str, int], tuple[int, int]] = {}

    def of(crate: str, one: Identity) -> tuple[int, int]:
        found = known.get((crate, id(one)))
        if found is None:
            found = known[crate, id(one)] = numbers.of(key(crate, one), one)
        return found

    return of


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return
    marks = ",".join("?" * len(first))
    db.execute(f"INSERT INTO {table} VALUES ({marks})", first)
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
