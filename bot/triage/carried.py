"""A line of a commit that cannot be read, found again at the release beside it: the index knows how lines moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from bot.triage import revisions
from bot.triage.lookup import Hit, SourceFile, indexed_file
from bot.triage.model import Candidate, Trust
from bot.triage.query import Query, one_function
from kb.model import Revision

STALE_DAYS = 21
"""How old a clone of main may be for a panic without words: its function must be the same over all that time."""
NEIGHBOURS = 3


def by_carried_line(query: Query, commit: Revision, near: Iterable[Revision]) -> tuple[Candidate, ...]:
    """The site or function where the printed line of a commit stands unchanged at the release after or before it."""
    for moved, file in _carried(query, commit, near):
        finding = moved.look(file)
        place = finding.place
        sure = finding.worded or query.location.column is not None
        if place and ((finding.hit is Hit.SITE and sure) or finding.hit is Hit.FUNCTION):
            if finding.hit is Hit.FUNCTION and moved.ruled_out(file):
                continue
            where = f"line {query.line} of commit {commit.commit[:10]} is line {moved.line} of {file.revision.name}"
            return (Candidate(place, Trust.NEAR, f"{where}, unchanged between them"),)
    return ()


def on_main_of(query: Query) -> tuple[Candidate, ...]:
    """The same for main on the day of the report; a panic without words of its own must be there for weeks before."""
    if query.date is None:
        return ()
    found = [c for day in (query.date, _earlier(query.date)) for c in _on_day(query, day)[:1]]
    if len(found) == 2:
        return one_function([c.place for c in found], Trust.NEAR, found[0].why)
    site = found[0].place.site if len(found) == 1 else None
    return tuple(found) if site and site.key.template else ()


def _on_day(query: Query, day: str) -> tuple[Candidate, ...]:
    index = query.knowledge.index
    main = revisions.main_commit(day, query.repo, index)
    if main is None or main.order >= 0:
        return ()
    return by_carried_line(query, main, revisions.around(main.date, query.repo, index)[:NEIGHBOURS])


def _carried(query: Query, commit: Revision, near: Iterable[Revision]) -> Iterator[tuple[Query, SourceFile]]:
    """The query with the line as it stands at an indexed revision, and the file there."""
    index = query.knowledge.index
    paths = dict.fromkeys(path for release in near for path in query.paths(release))
    if query.crate and not paths:
        paths = {f"crates/{query.crate}/{query.location.file}": None}
    for path in paths:
        for revision, there, line in index.carry(query.repo, commit.commit, path, query.line):
            location = replace(query.location, line=line)
            moved = replace(query, panic=replace(query.panic, location=location), location=location)
            yield moved, indexed_file(query.knowledge, revision, there)


def _earlier(day: str) -> str:
    return (date.fromisoformat(day[:10]) - timedelta(days=STALE_DAYS)).isoformat()
