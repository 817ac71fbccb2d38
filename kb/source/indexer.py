"""Indexes one repository from its clone: what is known already is kept, what is new is read and scanned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from kb.family import Member
from kb.records import (
    CrateRecord,
    Identity,
    RepoIndex,
    RequirementRecord,
    RevisionRecord,
    identity,
    span_row,
)
from kb.source import cargo
from kb.source.assemble import FileState, RevisionFacts, assemble, disassemble, move_bits
from kb.source.blobcache import BlobCache
from kb.source.changes import read_history
from kb.source.checkout import Checkout, TreeFile
from kb.source.pasts import read_pasts
from kb.source.releases import Release, find_releases, list_commits
from kb.source.scan import FileScan, close_macros, keep_macro_calls
from kb.source.scanning import Progress, scan_blobs, scan_key

Facts = tuple[RevisionFacts, frozenset[str]]
"""A revision's facts and its code names."""


def index_repo(
    checkout: Checkout,
    member: Member,
    wanted: Callable[[str], bool],
    cache: BlobCache,
    *,
    known: RepoIndex | None = None,
    processes: int = 2,
    progress: Progress | None = None,
    only: frozenset[str] | None = None,
) -> RepoIndex:
    """The index of all releases and main. `wanted`: crates whose requirement is kept; `known`: an index to build on.

    The result is the same with and without `known`; a revision is taken from it where name and commit agree. `only`
    restricts the revisions by name.
    """
    revisions = [r for r in find_releases(checkout, member) if only is None or r.name in only]
    kept = {} if known is None else _kept(known, revisions)
    fresh = [r for r in revisions if r.name not in kept]
    read = _Reader(checkout, wanted).read(fresh, cache, processes, progress)
    facts = [read[r.name][0] if r.name in read else kept[r.name] for r in revisions]
    names = _names(known, revisions, read)
    heads = [r.commit for r in revisions]
    reached = checkout.history(heads)
    history = read_history(((sha, above) for sha, (_, above) in reached.items()), checkout.file_changes(heads))
    line = history.line(heads[-1])
    # Versions are told by their place on main's line: an older result holds only where main went on from there.
    goes_on = known is not None and known.revisions[-1].commit in line
    pasts = read_pasts(checkout, history, heads, cache, known.pasts if known and goes_on else {}, processes, progress)
    commits = list_commits(reached, revisions, line)
    return assemble(member.repo, facts, names, commits, pasts)


def _kept(known: RepoIndex, revisions: Sequence[Release]) -> dict[str, RevisionFacts]:
    commits = {r.name: r.commit for r in revisions}
    return {f.record.name: f for f in disassemble(known) if commits.get(f.record.name) == f.record.commit}


def _names(known: RepoIndex | None, revisions: Sequence[Release], read: Mapping[str, Facts]) -> dict[str, int]:
    places = {r.name: place for place, r in enumerate(revisions)}
    names: dict[str, int] = {}
    if known is not None:
        old = {i: places[r.name] for i, r in enumerate(known.revisions) if r.name in places and r.name not in read}
        names = move_bits(known.names, old)
    for name, (_, words) in read.items():
        bit = 1 << places[name]
        for word in words:
            names[word] = names.get(word, 0) | bit
    return names


class _Reader:
    """Reads revisions of one clone; equal states of a file are built once."""

    def __init__(self, checkout: Checkout, wanted: Callable[[str], bool]) -> None:
        self._checkout = checkout
        self._wanted = wanted
        self._states: dict[tuple[str, bool, frozenset[str]], FileState] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._blobs: dict[str, bytes] = {}
        self._identities: dict[Identity, Identity] = {}

    def read(
        self, revisions: Sequence[Release], cache: BlobCache, processes: int, progress: Progress | None
    ) -> dict[str, Facts]:
        """Facts and names by revision."""
        trees = {r.name: self._checkout.tree(r.commit) for r in revisions}
        sources = {r: [f for f in tree if f.path.endswith(".rs")] for r, tree in trees.items()}
        scans = scan_blobs(
            self._checkout,
            {scan_key(f.sha, f.path): (f.sha, f.path) for files in sources.values() for f in files},
            cache,
            processes,
            progress,
        )
        return {r.name: self._revision(r, trees[r.name], sources[r.name], scans) for r in revisions}

    def _revision(
        self, release: Release, tree: Sequence[TreeFile], sources: Sequence[TreeFile], scans: Mapping[str, FileScan]
    ) -> Facts:
        manifests, lock = self._manifests(tree)
        crates = cargo.crates(manifests)
        folders = {c.folder: c.name for c in reversed(crates)}
        keys = {f.path: scan_key(f.sha, f.path) for f in sources}
        scanned = {path: scans[key] for path, key in keys.items()}
        panicking = _panicking(scanned.values())
        tests = _test_prefixes(scanned)
        files = {}
        for path, scan in scanned.items():
            state = self._state(keys[path], scan, _below(path, tests), panicking)
            if state.sites or state.spans:
                files[path] = FileState(cargo.owner(path, folders), state.sites, state.spans)
        needs = cargo.requirements(manifests, lock, self._wanted)
        record = RevisionRecord(
            release.name,
            release.commit,
            release.date,
            release.prerelease,
            {c.name: CrateRecord(c.folder, c.version) for c in reversed(crates)},
            {name: RequirementRecord(n.version, n.rev, n.locked) for name, n in needs.items()},
            _checks(scanned.values()),
        )
        names = frozenset().union(*(scan.facts.names for scan in scanned.values()))
        return RevisionFacts(record, files), names

    def _manifests(self, tree: Sequence[TreeFile]) -> tuple[dict[str, bytes], bytes | None]:
        files = {f.path: f.sha for f in tree if f.path.endswith("Cargo.toml") or f.path == "Cargo.lock"}
        self._blobs.update(self._checkout.blobs(sha for sha in set(files.values()) if sha not in self._blobs))
        lock = files.pop("Cargo.lock", None)
        return {path: self._blobs[sha] for path, sha in files.items()}, self._blobs[lock] if lock else None

    def _state(self, scanned: str, scan: FileScan, test: bool, panicking: frozenset[str]) -> FileState:
        if scanned not in self._called:
            self._called[scanned] = frozenset(s.target[:-1] for s in scan.facts.sites if s.target.endswith("!"))
        key = (scanned, test, self._called[scanned] & panicking)
        if key not in self._states:
            facts = keep_macro_calls(scan.facts, panicking)
            sites = tuple(replace(s, test=True) for s in facts.sites) if test else facts.sites
            spans = tuple(replace(s, test=True) for s in facts.spans) if test else facts.spans
            ordered = sorted(sites, key=lambda s: (s.line, s.column))
            placed = tuple((self._shared(identity(s)), s.line, s.column) for s in ordered)
            self._states[key] = FileState("", placed, tuple(span_row(s) for s in spans))
        return self._states[key]

    def _shared(self, one: Identity) -> Identity:
        return self._identities.setdefault(one, one)


def _panicking(scans: Iterable[FileScan]) -> frozenset[str]:
    macros: dict[str, frozenset[str]] = {}
    for scan in scans:
        for name, calls in scan.macros.items():
            macros[name] = macros.get(name, frozenset()) | calls
    return close_macros(macros)


def _checks(scans: Iterable[FileScan]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for scan in scans:
        for name, calls in scan.checks.items():
            if calls:
                found.setdefault(name, set()).update(calls)
    return {name: tuple(sorted(calls)) for name, calls in sorted(found.items())}


def _test_prefixes(scans: Mapping[str, FileScan]) -> frozenset[str]:
    """Paths without `.rs` of the modules that a `#[cfg(test)] mod x;` declares."""
    found: set[str] = set()
    for path, scan in scans.items():
        file = PurePosixPath(path)
        folder = file.parent if file.stem in ("lib", "main", "mod") else file.with_suffix("")
        found.update(str(folder / module) for module in scan.test_modules)
    return frozenset(found)


def _below(path: str, prefixes: frozenset[str]) -> bool:
    """Whether the file is one of these modules or lies below one."""
    module = path.removesuffix(".rs")
    while module:
        if module in prefixes:
            return True
        module = module.rpartition("/")[0]
    return False
