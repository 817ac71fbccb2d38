"""The catalogue: the site index of all releases and the entries, read from one compiled file. Safe in many threads."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path

from kb.catalog_checks import callers_of_check
from kb.catalog_follow import follow
from kb.catalog_functions import all_functions, function_homes
from kb.catalog_past import Pasts
from kb.catalog_schema import FORMAT
from kb.catalog_store import Store, VersionRow, open_store, require_store
from kb.compiling import compile_catalog
from kb.entry import Entry
from kb.errors import KnowledgeBaseError
from kb.folder import KbFolder, cache_folder, content_revision
from kb.load import load_entries
from kb.model import MAIN, Commit, FileFacts, FileSites, Revision, SiteAt, SiteKey, SiteKind, SpanAt
from kb.records import RepoIndex

COMPILED = "catalog.sqlite"
"""File name of the catalogue that is compiled into the wheel."""
SITE_PARTS = ("repos.yaml", "sites")
"""What the compiled file is made from; entries are read as they are."""

_SQUEEZED = re.compile(r"(?:src|tests|examples|benches)\w+\.rs")
"""A file of a crate whose separators were lost."""


class Catalog:
    """Implements `kb.model.SiteIndex` over one compiled file, and holds the entries beside it."""

    def __init__(self, store: Store, entries_folder: Path | None = None) -> None:
        self._store = store
        self._entries_folder = entries_folder
        self._repos: tuple[str, ...] = tuple(json.loads(store.meta("repos") or "[]"))
        self._renamed: list[list[str]] = json.loads(store.meta("renamed") or "[]")
        self._revisions: dict[str, list[Revision]] = {repo: [] for repo in self._repos}
        self._crates: dict[tuple[str, int], dict[str, tuple[str, str]]] = {}
        self._extra: dict[tuple[str, int], Mapping[str, Mapping[str, str]]] = {}
        self._read_revisions()
        self._pasts = Pasts(store)
        self._homes_of = lru_cache(1024)(self._find_homes)
        self._revision_of = lru_cache(1024)(self._find_revision)
        self._sites_in = lru_cache(256)(self._read_sites)
        self._paths = lru_cache(1024)(self._find_paths)
        self._by_name = lru_cache(16)(self._read_names)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """All entries, by id. Raises KnowledgeBaseError for one that cannot be read."""
        folder = self._entries_folder
        return load_entries(folder) if folder is not None and folder.is_dir() else ()

    def repos(self) -> Sequence[str]:
        """The family, `owner/name` each."""
        return self._repos

    def revisions(self, repo: str) -> Sequence[Revision]:
        """Oldest first by version, main last; () for a repository that is not indexed."""
        return self._revisions.get(repo, [])

    def revision(self, repo: str, name: str) -> Revision | None:
        """By tag, `main`, or the full or abbreviated (7+) sha of an indexed revision."""
        for revision in self.revisions(repo):
            if revision.name == name:
                return revision
        if not re.fullmatch(r"[0-9a-f]{7,40}", name):
            return None
        found = [r for r in self.revisions(repo) if r.commit.startswith(name)]
        return found[0] if len({r.commit for r in found}) == 1 else None

    def newest_release(self, repo: str, *, prerelease: bool = False) -> Revision:
        """The highest version that is no pre-release; with `prerelease` the highest of all tags.

        Where there is no such release, the highest tag, else main. Raises KnowledgeBaseError for an unknown repository.
        """
        revisions = self.revisions(repo)
        if not revisions:
            raise KnowledgeBaseError(f"{repo} is not indexed; known are {', '.join(self._repos) or 'none'}")
        tags = [r for r in revisions if r.is_release]
        full = [r for r in tags if not r.prerelease]
        return (tags if prerelease or not full else full or tags or revisions)[-1] if tags else revisions[-1]

    def repos_of_crate(self, crate: str) -> Sequence[str]:
        """Repositories that hold or held a crate of this name, the present home first; () for a foreign crate."""
        return self._homes_of(crate)

    def _find_homes(self, crate: str) -> Sequence[str]:
        last: dict[str, tuple[bool, str]] = {}
        for (repo, place), crates in self._crates.items():
            if crate in crates:
                revision = self._revisions[repo][place]
                last[repo] = max(last.get(repo, (False, "")), (revision.name == MAIN, revision.date))
        return tuple(sorted(last, key=lambda repo: last[repo], reverse=True))

    def revision_of_crate(self, repo: str, crate: str, version: str) -> Revision | None:
        """The release of `repo` in which `crate` has `version` (read from Cargo.toml at each tag).

        A tag that is named like the version comes first, then the oldest one; main is no release.
        """
        return self._revision_of(repo, crate, version)

    def _find_revision(self, repo: str, crate: str, version: str) -> Revision | None:
        found = [
            r
            for r in self.revisions(repo)
            if r.is_release and self._crates[repo, r.order].get(crate, ("", ""))[1] == version
        ]
        named = [r for r in self.revisions(repo) if r.is_release and r.name.removeprefix("v") == version]
        holding = [r for r in named if crate in self._crates[repo, r.order]]
        return next(iter([*(r for r in found if r in named), *found, *holding]), None)

    def crate_at(self, revision: Revision, path: str) -> str:
        """Crate that owns `path` at that revision, "" where none does."""
        version = self._version(revision, path)
        if version is not None:
            return version[1]
        folders = {folder: name for name, (folder, _) in self.crates_at(revision).items()}
        while path:
            path = path.rpartition("/")[0]
            if path in folders:
                return folders[path]
        return ""

    def crates_at(self, revision: Revision) -> Mapping[str, tuple[str, str]]:
        """Every crate at that revision, with its folder and version."""
        return self._crates.get((revision.repo, revision.order), {})

    def commits(self, repo: str, prefix: str) -> Sequence[Commit]:
        """Commits of main, and of releases beside it, whose sha starts with `prefix` (7 or more hex digits)."""
        prefix = prefix.lower()
        if not re.fullmatch(r"[0-9a-f]{7,40}", prefix):
            return ()
        query = "SELECT sha, date, nearest FROM history WHERE repo = ? AND sha >= ? AND sha < ? ORDER BY sha"
        return [Commit(repo, *row) for row in self._store.rows(query, (repo, prefix, prefix + "g"))]

    def main_at(self, repo: str, date: str) -> Commit | None:
        """The last commit of main on or before an ISO date; a date without a time is that day's end."""
        query = (
            "SELECT sha, date, nearest FROM history WHERE repo = ? AND main = 1 AND date <= ?"
            " ORDER BY date DESC, sha DESC LIMIT 1"
        )
        row = self._store.row(query, (repo, date if "T" in date else f"{date[:10]}T23:59:59Z"))
        return Commit(repo, *row) if row else None

    def paths(self, revision: Revision, tail: str, crate: str | None = None) -> Sequence[str]:
        """Indexed files at that revision that end with `tail` at a folder border, of one crate if given.

        A crate that goes by another name at that revision (burn-jit at v0.17.0) counts as the one it became or was. A
        tail of one crate that lost its separators (`srcopsmodule.rs`) finds the one file that has its letters.
        """
        return self._paths(revision, tail, crate)

    def _find_paths(self, revision: Revision, tail: str, crate: str | None) -> Sequence[str]:
        name = tail.rpartition("/")[2]
        crates = None if crate is None else self._called(crate, revision)
        found: list[str] = []
        for path in self._by_name(revision.repo).get(name, ()):
            if path == tail or path.endswith(f"/{tail}"):
                version = self._version(revision, path)
                if version is not None and (crates is None or version[1] in crates):
                    found.append(path)
        lost = not found and crates is not None and _SQUEEZED.fullmatch(tail)
        return self._squeezed(revision, tail, crates) if lost and crates else tuple(found)

    def _squeezed(self, revision: Revision, text: str, crates: frozenset[str]) -> Sequence[str]:
        folders = [folder for name, (folder, _) in self.crates_at(revision).items() if name in crates]
        every = (path for paths in self._by_name(revision.repo).values() for path in paths)
        wanted = {f"{folder}/{text}".replace("/", "") for folder in folders}
        found = [p for p in every if p.replace("/", "") in wanted and self._version(revision, p) is not None]
        return tuple(found) if len(found) == 1 else ()

    def sites_in(self, revision: Revision, path: str) -> FileSites:
        """All sites of one file at that revision, by line and column."""
        return self._sites_in(revision, path)

    def all_sites(self, revision: Revision) -> Iterator[SiteAt]:
        """Every site at that revision, by path."""
        query = (
            "SELECT path FROM file JOIN version ON version.file = file.id"
            " WHERE repo = ? AND first <= ? AND last >= ? ORDER BY path"
        )
        paths = self._store.rows(query, (revision.repo, revision.order, revision.order))
        return (site for (path,) in paths for site in self._read_sites(revision, path))

    def spans_in(self, revision: Revision, path: str) -> Sequence[SpanAt]:
        """All functions of one file at that revision, outer before inner."""
        version, number = self._version(revision, path), self._store.file_number(revision.repo, path)
        if version is None or number is None:
            return ()
        first, crate, _ = version
        return [SpanAt(revision.repo, crate, revision, path, span) for span in self._store.spans(number, first)]

    def functions(self, revision: Revision, crate: str, function: str) -> Sequence[SpanAt]:
        """Where a function of this name (as spans name it) stands in a crate at that revision."""
        query = (
            "SELECT path FROM version JOIN file ON file.id = version.file"
            " WHERE crate = ? AND repo = ? AND first <= ? AND last >= ? AND instr(spans, ?) ORDER BY path"
        )
        text = json.dumps(function, ensure_ascii=False)
        paths = self._store.rows(query, (crate, revision.repo, revision.order, revision.order, text))
        return [s for (path,) in paths for s in self.spans_in(revision, path) if s.span.function == function]

    def function_homes(self, repo: str, crate: str, function: str) -> Sequence[tuple[Revision, Revision, str]]:
        """Runs of revisions, both ends inclusive, and the file there, over which a crate has a function."""
        return function_homes(self._store, self.revisions(repo), repo, crate, function)

    def all_functions(self, repo: str) -> Mapping[tuple[str, str, str], int]:
        """Crate, path and function of one repository, with a mask of the revisions (bit `order`) that have it."""
        return all_functions(self._store, repo)

    def keys(self, kinds: frozenset[SiteKind]) -> Sequence[SiteKey]:
        """All site keys of these kinds, of every release."""
        return self._store.keys(kinds)

    def places(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        """Where exactly this key stands at that revision; () where it does not."""
        number = self._store.key_number(key)
        if number is None or key.repo != revision.repo or revision.order < 0:
            return ()
        query = (
            "SELECT path FROM stand JOIN file ON file.id = stand.file"
            " WHERE site_key = ? AND first <= ? AND last >= ? ORDER BY path"
        )
        paths = [path for (path,) in self._store.rows(query, (number, revision.order, revision.order))]
        return [site for path in paths for site in self.sites_in(revision, path) if site.key == key]

    def follow(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        """Like `places`, also through aliases: renamed crate, other repository, reworded or moved function."""
        return self.places(key, revision) or follow(self._store, self, key, revision)

    def stands(self, key: SiteKey) -> Sequence[tuple[Revision, Revision]]:
        """Runs of revisions, first and last inclusive, at which this key stands."""
        number = self._store.key_number(key)
        query = "SELECT first, last FROM stand WHERE site_key = ?"
        places = sorted({p for first, last in self._store.rows(query, (number,)) for p in range(first, last + 1)})
        revisions = self.revisions(key.repo)
        runs = [[p for _, p in run] for _, run in groupby(enumerate(places), lambda item: item[1] - item[0])]
        return [(revisions[run[0]], revisions[run[-1]]) for run in runs]

    def homes(self, key: SiteKey) -> Sequence[tuple[Revision, Revision, str]]:
        """Like `stands`, with the file: runs of revisions, both ends inclusive, and the path there, oldest first."""
        query = (
            "SELECT first, last, path FROM stand JOIN file ON file.id = stand.file"
            " WHERE site_key = ? ORDER BY first, last, path"
        )
        revisions = self.revisions(key.repo)
        rows = self._store.rows(query, (self._store.key_number(key),))
        return [(revisions[first], revisions[last], path) for first, last, path in rows]

    def overview(self, kinds: frozenset[SiteKind]) -> Sequence[tuple[SiteKey, int, int, bool]]:
        """All keys of these kinds that code other than tests holds: first and last revision (`order`), and whether
        the words stand in a macro's body alone, so that no location of it is ever printed."""
        seen: dict[int, tuple[int, int]] = {}
        for number, first, last in self._store.rows("SELECT site_key, min(first), max(last) FROM stand GROUP BY 1"):
            seen[number] = (first, last)
        query = "SELECT site_key, min(test), min(macro_body) FROM identity GROUP BY 1"
        body = {number: bool(macro) for number, test, macro in self._store.rows(query) if not test}
        numbers = {key: number for key in self.keys(kinds) if (number := self._store.key_number(key)) in body}
        return [(key, *seen[number], body[number]) for key, number in numbers.items() if number in seen]

    def callers_of_check(self, target: str, revision: Revision) -> Sequence[SiteAt]:
        """The CHECK sites whose check is `target` or calls it, at that revision."""
        checks = self._extra.get((revision.repo, revision.order), {}).get("checks", {})
        return callers_of_check(self._store, self, checks, target, revision)

    def companion(self, revision: Revision, repo: str) -> Revision | None:
        """Which release of `repo` belongs to this one (burn v0.18.0 -> cubecl v0.6.0), either way round."""
        if repo == revision.repo:
            return revision
        place = self._extra.get((revision.repo, revision.order), {}).get("companions", {}).get(repo)
        return None if place is None else self._revisions[repo][int(place)]

    def companion_version(self, revision: Revision, crate: str) -> str | None:
        """Version requirement of a foreign crate (`wgpu`) at this release, from the workspace's Cargo.toml.

        A crate that comes in only through another one has its version from Cargo.lock.
        """
        return self._extra.get((revision.repo, revision.order), {}).get("requires", {}).get(crate)

    def facts(self, repo: str, sha: str, path: str) -> FileFacts | None:
        """Sites and functions of a file at any commit of main, of a release or of a branch that these merged.

        `sha` is a full sha. None where the commit is not known or had no such file.
        """
        return self._pasts.facts(self, repo, sha, path)

    def history(self, repo: str, path: str, until: str) -> Sequence[str]:
        """Full shas of the commits of main that changed a file, up to a date (ISO 8601), newest first."""
        return self._pasts.changes(repo, path, until if "T" in until else f"{until[:10]}T23:59:59Z")

    def past_paths(self, repo: str, tail: str) -> Sequence[str]:
        """Files of any commit that end with `tail` at a folder border."""
        return self._pasts.paths(repo, tail)

    def macros(self) -> frozenset[str]:
        """Names, without `!`, of the macros of all releases whose calls can panic."""
        query = "SELECT DISTINCT target FROM identity JOIN site_key ON site_key.id = site_key WHERE kind = ?"
        return frozenset(target.removesuffix("!") for (target,) in self._store.rows(query, (SiteKind.MACRO_CALL,)))

    def has_name(self, revision: Revision, name: str) -> bool:
        """Whether the source at that revision defines or mentions this identifier."""
        row = self._store.row("SELECT runs FROM name WHERE repo = ? AND name = ?", (revision.repo, name))
        return row is not None and any(first <= revision.order <= last for first, last in json.loads(row[0]))

    def _read_revisions(self) -> None:
        query = (
            "SELECT repo, place, name, sha, date, prerelease, crates, requires, checks, companions"
            " FROM revision ORDER BY repo, place"
        )
        for repo, place, name, sha, date, prerelease, crates, requires, checks, companions in self._store.rows(query):
            self._revisions[repo].append(Revision(repo, name, sha, date, place, bool(prerelease)))
            self._crates[repo, place] = {crate: (folder, v) for crate, (folder, v) in json.loads(crates).items()}
            parts = {"requires": requires, "checks": checks, "companions": companions}
            self._extra[repo, place] = {part: json.loads(text) for part, text in parts.items()}

    def _version(self, revision: Revision, path: str) -> VersionRow | None:
        number = self._store.file_number(revision.repo, path)
        return None if number is None or revision.order < 0 else self._store.version(number, revision.order)

    def _read_sites(self, revision: Revision, path: str) -> FileSites:
        version = self._version(revision, path)
        rows = version[2] if version else ()

        def make(at: int) -> SiteAt:
            number, line, column = rows[3 * at : 3 * at + 3]
            key, target, receiver, test, macro_body = self._store.identity(number)
            return SiteAt(key, revision, path, line, column, test, macro_body, target, receiver)

        return FileSites(rows[1::3], make)

    def _read_names(self, repo: str) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for (path,) in self._store.rows("SELECT path FROM file WHERE repo = ? ORDER BY path", (repo,)):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _called(self, crate: str, revision: Revision) -> frozenset[str]:
        """The names of a crate at that revision: its own, else those it was renamed to or from in this repository."""
        present = self.crates_at(revision)
        names, todo = {crate}, [crate]
        while todo and crate not in present:
            one = todo.pop()
            for repo, old, new_repo, new in self._renamed:
                other = {old: new, new: old}.get(one)
                if repo == new_repo == revision.repo and other is not None and other not in names:
                    names.add(other)
                    todo.append(other)
        return frozenset(names)


def open_catalog(
    folder: KbFolder, environ: Mapping[str, str] = os.environ, read: Mapping[str, RepoIndex] | None = None
) -> Catalog:
    """The catalogue of a knowledge base: the file packaged with it, else one compiled into the cache on first use.

    `read` spares the compiler what was read of these repositories already; it must be what the folder holds now.
    Raises KnowledgeBaseError where the index cannot be read, or the cache not be written.
    """
    revision = content_revision(folder.path, SITE_PARTS)
    packaged = open_store(folder.path / COMPILED)
    if packaged is not None and packaged.meta("revision") == revision:
        return Catalog(packaged, folder.path / "entries")
    file = cache_folder(environ) / f"catalog-{FORMAT}-{revision}.sqlite"
    store = open_store(file)
    if store is None:
        try:
            compile_catalog(folder.path, file, revision, read)
        except (OSError, sqlite3.Error) as error:
            raise KnowledgeBaseError(
                f"{file}: cannot be written: {error}; set XDG_CACHE_HOME to another folder"
            ) from None
        store = require_store(file)
    return Catalog(store, folder.path / "entries")
