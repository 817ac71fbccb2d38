"""A location without a revision: the stated version, main at the date of the report, then every release.

Only what line, column and text agree on is taken for sure; what has no text of its own needs more than a line number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from bot.triage import revisions
from bot.triage.knowledge import HistoryRef
from bot.triage.lookup import Hit, SourceFile, needs_no_site
from bot.triage.model import Candidate, Trust
from bot.triage.pinned import tracked_callees
from bot.triage.plausible import calls_here
from bot.triage.query import Query, one_function
from bot.triage.releases import in_any_release, same_function, same_place, words_at_nearest_line, words_in_file
from bot.triage.std_messages import is_implicit
from kb.model import Revision

HISTORY_DEPTH = 6
"""How many older versions of a file are tried when main at the report's date does not fit: clones are seldom fresh."""
STALE_DAYS = 21
"""How old a clone of main may be for a panic that no site at its line words: its function must not have changed."""
NOT_AT_LINE = "no revision has it at this line"
NEIGHBOURS = 3
"""Releases around a date."""


def by_agreement(query: Query, *, unknown_commit: bool = False) -> tuple[Candidate, ...]:
    """The candidate of the likeliest revision that fits; () where none does.

    With `unknown_commit` the path names one that nothing knows: its day is not that of the report, so that the release
    nearest to it is told by the printed column and line.
    """
    named = revisions.stated(query.facts, query.repo, query.knowledge)
    near = revisions.around(query.date, query.repo, query.knowledge.index)
    for release in named:
        found = _agreeing(query, query.read(release, near[:NEIGHBOURS]), "the report states a version, and {} fits it")
        if found:
            return _unless_elsewhere(query, found, release)
    return (
        _main_then(query)
        or in_any_release(query, near, Trust.AGREES)
        or _function(query, named)
        or (words_at_nearest_line(query, near) if unknown_commit and not named else ())
        or words_in_file(query, [r for r in named if r.order >= 0] or near[:NEIGHBOURS], NOT_AT_LINE)
    )


def _unless_elsewhere(query: Query, found: tuple[Candidate, ...], release: Revision) -> tuple[Candidate, ...]:
    """Flagged where a release beside the stated one has another function's site at this very place.

    A path without a version is mostly that of a clone, so that a stated release is likely, not sure.
    """
    line = [r for r in query.knowledge.index.revisions(query.repo) if r.is_release]
    beside = [r for r in line if release.order >= 0 and abs(line.index(r) - line.index(release)) == 1]
    others = [
        c for r in beside for c in _agreeing(query, query.files(r), "") if not same_place(c.place, found[0].place)
    ]
    if not others:
        return found
    why = f"{others[0].place.revision.name} has another such site at this line and column"
    return tuple(replace(c, trust=Trust.FLAGGED, why=f"{c.why}, but {why}") for c in (*found, others[0]))


def on_main(query: Query, main: Revision) -> tuple[Candidate, ...]:
    """Main as it is indexed, for a commit that is not known: only with words of its own, at line and column."""
    for file in query.files(main):
        finding = query.look(file)
        if finding.hit is Hit.SITE and finding.worded and finding.place:
            why = f"main ({main.commit[:10]}) is used in its place: line, column and text agree there"
            return (Candidate(finding.place, Trust.AGREES, why),)
    return ()


def _main_then(query: Query) -> tuple[Candidate, ...]:
    """Main at the report's date, then the older versions of the file."""
    for files in _versions_of_main(query):
        found = _agreeing(query, files, "main at the date of the report or shortly before ({}) fits")
        if found:
            return found
    return ()


def _versions_of_main(query: Query) -> Iterator[list[SourceFile]]:
    """The file as main had it on the date of the report, and before that, newest first."""
    index = query.knowledge.index
    main = revisions.main_commit(query.date, query.repo, index)
    if main is None:
        return
    near = revisions.around(main.date, query.repo, index)[:NEIGHBOURS]
    newest = query.read(main, near)
    yield newest
    for file in newest:
        shas = index.history(query.repo, file.path, main.date)
        shas = shas or query.knowledge.source.history(HistoryRef(query.repo, file.path, main.date))
        for sha in shas[:HISTORY_DEPTH]:
            for commit in index.commits(query.repo, sha)[:1]:
                yield query.read(revisions.as_revision(commit, index), near)


def _agreeing(query: Query, files: Sequence[SourceFile], why: str) -> tuple[Candidate, ...]:
    for file in files:
        finding = query.look(file)
        sure = finding.worded or (query.location.column is not None and not is_implicit(query.panic.message))
        if finding.hit is Hit.SITE and finding.place and sure:
            return (Candidate(finding.place, Trust.AGREES, why.format(_short(file.revision))),)
    return ()


def _function(query: Query, named: Sequence[Revision]) -> tuple[Candidate, ...]:
    """A panic without a site: the function at the stated release, or at main on the date of the report."""
    if not needs_no_site(query.panic.message):
        return _caller(query)
    indexed = [r for r in named if r.order >= 0]
    if not query.crate:
        return _as_function(same_function(query, indexed)) if _only_file(query, indexed) else ()
    if query.date is None:
        return _as_function(same_function(query, indexed))
    for files in _versions_of_main(query):
        places = [place for file in files if (place := query.function(file))]
        found = one_function(places, Trust.FUNCTION, "main at the date of the report has this function around the line")
        if found:
            return found
    # A path without a version is mostly that of a clone, between two releases: a stated release alone proves nothing.
    beside = revisions.sides(query.date, query.repo, query.knowledge.index)
    return same_function(query, list(dict.fromkeys((*beside, *indexed)))) if beside else ()


def _caller(query: Query) -> tuple[Candidate, ...]:
    """The caller of a `#[track_caller]` function that words the message, proved by the text of the source line.

    Where that cannot be read, main must have had this one function around the line for weeks, and no site at the line.
    """
    unread = False
    for files in _versions_of_main(query):
        for file in files:
            callees = tracked_callees(query, file.revision)
            text = query.source_line(file) if callees else None
            unread = unread or (bool(callees) and text is None)
            if callees and text is not None and calls_here(callees, text, query.location.column):
                place = query.function(file)
                why = f"the line calls `{callees[0]}`, which words the message and reports its caller's place"
                return (Candidate(place, Trust.FUNCTION, why),) if place else ()
    return _caller_for_weeks(query) if unread else ()


def _caller_for_weeks(query: Query) -> tuple[Candidate, ...]:
    places, callees = [], tuple[str, ...]()
    for day in (query.date, _earlier(query.date)) if query.date else ():
        main = revisions.main_commit(day, query.repo, query.knowledge.index)
        near = revisions.around(day, query.repo, query.knowledge.index)[:NEIGHBOURS]
        for file in query.read(main, near) if main else ():
            place, callees = query.function(file), tracked_callees(query, file.revision) or ()
            if place is None or not callees or query.look(file).hit is not Hit.NOTHING:
                return ()
            places.append(place)
    if len(places) < 2:
        return ()
    why = f"main had this function around the line for weeks, and `{callees[0]}`, which words the message, reports"
    return one_function(places, Trust.FUNCTION, f"{why} its caller's place")


def _earlier(day: str) -> str:
    return (date.fromisoformat(day[:10]) - timedelta(days=STALE_DAYS)).isoformat()


def _only_file(query: Query, releases: Sequence[Revision]) -> bool:
    """A path without a crate names one file of the whole family at the stated releases."""
    index = query.knowledge.index
    if not releases:
        return False
    here = {path for release in releases for path in query.paths(release)}
    others = [r for repo in index.repos() if repo != query.repo for r in _same_time(releases[0], repo, query)]
    return len(here) == 1 and not any(query.paths(release) for release in others)


def _same_time(release: Revision, repo: str, query: Query) -> list[Revision]:
    companion = query.knowledge.index.companion(release, repo)
    return [companion] if companion else revisions.around(release.date, repo, query.knowledge.index)[:1]


def _as_function(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """At a stated release the function is the reporter's own, not a neighbour's."""
    return tuple(Candidate(c.place, Trust.FUNCTION, c.why) for c in candidates)


def _short(revision: Revision) -> str:
    return revision.name if revision.order >= 0 else revision.commit[:10]
