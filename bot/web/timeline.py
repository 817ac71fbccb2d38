"""How a panic's places stand over the releases: introduced, moved, gone. Reads the index, no other I/O."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.web.shelf import PageIndex
from kb.entry import EntrySite
from kb.model import MAIN, Revision, SiteAt, SiteKey, SiteKind
from kb.standing import ends_with

LINKED_ROWS = 12
"""Rows whose line is looked up; a hundred places of one message are a list of files."""


@dataclass(frozen=True, slots=True)
class Stay:
    """One file in which the panic stood from one revision to another."""

    first: Revision
    last: Revision
    path: str
    site: SiteAt | None
    """At `last`; None where it was not looked up."""

    @property
    def link(self) -> str:
        """The line, else the file, at `last`, pinned to the commit."""
        if self.site:
            return self.site.permalink
        return f"https://github.com/{self.last.repo}/blob/{self.last.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to the panic: what, at which revision, in words."""

    what: str
    """introduced, moved, gone, back or stands."""
    revision: Revision
    text: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """All revisions of a repository, whether the panic stands at each, and what happened."""

    repo: str
    revisions: Sequence[Revision]
    standing: Sequence[bool]
    affected: Sequence[bool]
    """Whether a user can meet the problem; all False where nobody has said."""
    events: Sequence[Event]
    stays: Sequence[Stay]
    more: int = 0
    """Stays that are left out."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A site key and the runs of revisions (orders, inclusive) in which it counts; None: wherever it stands."""

    key: SiteKey
    receiver: str = ""
    target: str = ""
    runs: tuple[tuple[int, int], ...] | None = None
    tail: str = ""
    """For a function: the end of its file's path, "" where its name says enough."""


def standpoints(sites: Iterable[EntrySite], index: PageIndex) -> list[Standpoint]:
    """The sites of an entry, each within the releases that the entry names."""
    found = []
    for site in sites:
        ends = [(index.revision(site.repo, run.first), index.revision(site.repo, run.last)) for run in site.stands]
        runs = tuple((a.order, b.order) for a, b in ends if a and b)
        found.append(Standpoint(site.key, site.receiver_name, site.target, runs, site.path))
    return found


def timeline(
    points: Sequence[Standpoint], repo: str, index: PageIndex, affected: Sequence[tuple[int, int]]
) -> Timeline:
    """The timeline of several sites of one repository taken together."""
    revisions = index.revisions(repo)
    runs: dict[str, set[int]] = {}
    holders: dict[tuple[str, int], Standpoint] = {}
    for point in points:
        for path, order in _standing(point, index) if point.key.repo == repo else ():
            runs.setdefault(path, set()).add(order)
            holders.setdefault((path, order), point)
    where = [frozenset(path for path, orders in runs.items() if r.order in orders) for r in revisions]
    stays = [(path, first, last) for path, orders in runs.items() for first, last in _runs(orders)]
    stays.sort(key=lambda stay: (-stay[2], stay[1], stay[0]))
    shown = [
        Stay(revisions[first], revisions[last], path, _site(holders[path, last], revisions[last], path, index))
        for path, first, last in stays[:LINKED_ROWS]
    ]
    return Timeline(
        repo=repo,
        revisions=revisions,
        standing=[bool(paths) for paths in where],
        affected=[any(first <= r.order <= last for first, last in affected) for r in revisions],
        events=list(_events(revisions, where)),
        stays=shown,
        more=len(stays) - len(shown),
    )


def _standing(point: Standpoint, index: PageIndex) -> Iterable[tuple[str, int]]:
    key = point.key
    function = key.kind is SiteKind.FUNCTION
    homes = index.function_homes(key.repo, key.crate, key.function) if function else index.homes(key)
    for first, last, path in homes:
        if not ends_with(path, point.tail):
            continue
        for order in range(first.order, last.order + 1):
            if point.runs is None or any(a <= order <= b for a, b in point.runs):
                yield path, order


def _runs(orders: Iterable[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for order in sorted(orders):
        if found and order == found[-1][1] + 1:
            found[-1] = (found[-1][0], order)
        else:
            found.append((order, order))
    return found


def _site(point: Standpoint, revision: Revision, path: str, index: PageIndex) -> SiteAt | None:
    return next((s for s in places(point, revision, index) if s.path == path), None)


def places(point: Standpoint, revision: Revision, index: PageIndex) -> list[SiteAt]:
    """Where a site stands at one revision, its receiver and target being the ones meant."""
    if point.runs is not None and not any(a <= revision.order <= b for a, b in point.runs):
        return []
    if point.key.kind is SiteKind.FUNCTION:
        spans = index.functions(revision, point.key.crate, point.key.function)
        return [SiteAt(point.key, revision, s.path, s.span.start, 1) for s in spans if ends_with(s.path, point.tail)]
    return [
        site
        for site in index.places(point.key, revision)
        if point.receiver in ("", site.receiver) and point.target in ("", site.target)
    ]


def _events(revisions: Sequence[Revision], where: Sequence[frozenset[str]]) -> Iterable[Event]:
    before: frozenset[str] = frozenset()
    ever = False
    for revision, paths in zip(revisions, where, strict=True):
        if paths and not before:
            yield Event("back" if ever else "introduced", revision, _introduced(revision, paths, ever))
        elif before and not paths:
            yield Event("gone", revision, f"No longer in the source from {shown(revision)} on.")
        elif paths and paths != before and len(paths) <= len(before) and paths - before:
            yield Event("moved", revision, f"Moved to {_files(paths - before)}.")
        before, ever = paths, ever or bool(paths)
    if before and revisions:
        yield Event("stands", revisions[-1], f"Still there on {shown(revisions[-1])}.")


def _introduced(revision: Revision, paths: frozenset[str], ever: bool) -> str:
    if ever:
        return f"Back in {_files(paths)}."
    if revision.order == 0:
        return f"There since {shown(revision)}, the first release indexed, in {_files(paths)}."
    return f"First seen in {shown(revision)}, in {_files(paths)}."


def _files(paths: Iterable[str]) -> str:
    listed = sorted(paths)
    more = f" and {len(listed) - 2} more files" if len(listed) > 2 else ""
    return " and ".join(f"`{path}`" for path in listed[:2]) + more


def shown(revision: Revision) -> str:
    """A revision for a reader: a tag by its name, main with its day."""
    return f"main ({revision.date[:10]})" if revision.name == MAIN else revision.name
