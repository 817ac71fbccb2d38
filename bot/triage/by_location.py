"""Candidates from the printed location: the place beats the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.triage import revisions
from bot.triage.knowledge import HistoryRef, Knowledge
from bot.triage.lookup import (
    Finding,
    Hit,
    SourceFile,
    indexed_file,
    innermost,
    look,
    needs_no_site,
    read_file,
    sites_with_words,
    span_place,
)
from bot.triage.model import Candidate, Fact, Location, PanicReport, Place, Trust
from kb.model import Revision, SiteAt

HISTORY_DEPTH = 6
"""How many older versions of a file are tried when main at the report's date does not fit: clones are seldom fresh."""


@dataclass(frozen=True, slots=True)
class Located:
    """What the location led to."""

    candidates: tuple[Candidate, ...] = ()
    notes: tuple[str, ...] = ()
    """What was looked at, for the evidence."""
    foreign: bool = False
    """The location is in code outside the family."""
    newer: bool = False
    """The location is newer than the index."""


@dataclass(frozen=True, slots=True)
class _Query:
    """One location in one repository of the family."""

    panic: PanicReport
    location: Location
    repo: str
    crate: str
    facts: Sequence[Fact]
    date: str | None
    knowledge: Knowledge

    def paths(self, revision: Revision) -> Sequence[str]:
        return self.knowledge.index.paths(revision, self.location.file, self.crate or None)

    def files(self, revision: Revision) -> list[SourceFile]:
        return [indexed_file(self.knowledge, revision, path) for path in self.paths(revision)]


def locate(panic: PanicReport, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Located:
    """All that the panic's location tells. `date` is the report's day, ISO 8601; None where unknown."""
    location = panic.location
    if location is None or location.std or location.line is None or not location.file:
        return Located()
    repos = _homes(location, knowledge)
    if not repos:
        where = f"crate {location.crate}" if location.crate else location.file
        return Located(foreign=True, notes=(f"the location is in {where}, which is not of the family",))
    found = [_in_repo(_Query(panic, location, repo, location.crate or "", facts, date, knowledge)) for repo in repos]
    best = max(found, key=lambda f: _rank(f.candidates))
    notes = tuple(note for f in found for note in f.notes)
    if best.candidates or location.crate:
        return replace(best, notes=notes, newer=all(f.newer for f in found))
    return Located(foreign=True, notes=(*notes, f"{location.file} without a crate fits no indexed place with its text"))


def _homes(location: Location, knowledge: Knowledge) -> Sequence[str]:
    """Repositories to look in. A path without a crate may be anybody's: every repository, to be proved by the text."""
    if location.crate:
        return knowledge.index.repos_of_crate(location.crate)
    return knowledge.index.repos()


def _rank(candidates: Sequence[Candidate]) -> int:
    order = (Trust.FLAGGED, Trust.NEAR, Trust.FUNCTION, Trust.AGREES, Trust.EXACT)
    return max((order.index(c.trust) + 1 for c in candidates), default=0)


def _in_repo(query: _Query) -> Located:
    pinned = revisions.pin(query.location, query.repo, query.knowledge)
    if pinned is None:
        return _unpinned(query)
    notes = (pinned.why,)
    if pinned.revision is None:
        if pinned.newer:
            return Located(notes=notes, newer=True)
        return Located(_scan(query, worded_only=True), notes)
    if pinned.revision.order >= 0:
        return Located(_judge(query, query.files(pinned.revision)), notes)
    return Located(_at_commit(query, pinned), notes)


def _judge(query: _Query, files: Sequence[SourceFile]) -> tuple[Candidate, ...]:
    """Candidates at the reporter's own revision."""
    findings = [(file, look(file, query.panic)) for file in files]
    findings.sort(key=lambda f: -f[1].hit)
    if not findings:
        return ()
    file, finding = findings[0]
    if finding.hit is Hit.SITE and finding.place:
        return (Candidate(finding.place, Trust.EXACT, _exact_words(query.location, finding)),)
    if finding.hit is Hit.FUNCTION and finding.place:
        return (Candidate(finding.place, Trust.FUNCTION, _function_words(finding.place)),)
    if finding.hit is Hit.NOTHING and finding.place and _tracks_its_caller(query, file.revision):
        why = "the text is of a function that reports the place of its caller, and this is the caller"
        return (Candidate(finding.place, Trust.FUNCTION, why),)
    return _flagged(query, file, finding)


def _flagged(query: _Query, file: SourceFile, finding: Finding) -> tuple[Candidate, ...]:
    """Location and text tell different stories: name what each leads to, answer nothing."""
    found = [_site_place(file, s) for s in sites_with_words(file, query.panic.message)]
    why = "the same text in this file, at another line than printed"
    candidates = [Candidate(place, Trust.FLAGGED, why) for place in found]
    if finding.place:
        candidates.append(Candidate(finding.place, Trust.FLAGGED, "the printed line, whose text is another"))
    return tuple(candidates)


def _tracks_its_caller(query: _Query, revision: Revision) -> bool:
    """Whether the message is worded in a `#[track_caller]` function of the family, or in none of the family's code.

    Words that no template of the family has come from a callee outside it (ndarray's indexing, for one), which Rust
    prints at the caller's line when the callee tracks it.
    """
    knowledge = query.knowledge
    keys = [key for hit in knowledge.panics.match(query.panic.message) for key in hit.keys]
    if not keys:
        return True
    places = [place for key in keys for place in knowledge.index.places(key, revision)]
    return any(_is_tracked(knowledge, place) for place in places)


def _is_tracked(knowledge: Knowledge, site: SiteAt) -> bool:
    span = innermost(knowledge.index.spans_in(site.revision, site.path), site.line)
    return span is not None and span.span.track_caller


def _at_commit(query: _Query, pinned: revisions.Pinned) -> tuple[Candidate, ...]:
    """A commit that is no release: its own file where it can be read, else the nearest releases."""
    revision = pinned.revision
    assert revision is not None
    files = _read_files(query, revision, pinned.near)
    if files:
        return _judge(query, files)
    return _near(query, pinned.near)


def _read_files(query: _Query, revision: Revision, near: Iterable[Revision]) -> list[SourceFile]:
    """The file at a commit. Its path is the one at the releases around it, or the usual folder of the crate."""
    paths = dict.fromkeys(path for release in near for path in query.paths(release))
    if query.crate and not paths:
        paths = {f"crates/{query.crate}/{query.location.file}": None}
    read = (read_file(query.knowledge, revision, path, query.crate or _crate_of(path)) for path in paths)
    return [file for file in read if file]


def _crate_of(path: str) -> str:
    return path.split("/src/", 1)[0].rsplit("/", 1)[-1]


def _near(query: _Query, releases: Sequence[Revision]) -> tuple[Candidate, ...]:
    """The nearest releases in place of a commit that cannot be read: same text, or the same function on both sides."""
    for release in releases[:4]:
        for file in query.files(release):
            finding = look(file, query.panic)
            if finding.hit is Hit.SITE and finding.worded and finding.place:
                why = f"the commit cannot be read here; {release.name}, the nearest release, has this text at this line"
                return (Candidate(finding.place, Trust.NEAR, why),)
    for release in releases[:4]:
        found = [_site_place(f, s) for f in query.files(release) for s in sites_with_words(f, query.panic.message)]
        if len({p.function for p in found}) == 1:
            why = (
                f"the commit cannot be read here; {release.name}, the nearest release, has this text in this file once"
            )
            return (Candidate(found[0], Trust.NEAR, why),)
    return _same_function(query, releases[:3], Trust.NEAR)


def _same_function(query: _Query, releases: Sequence[Revision], trust: Trust) -> tuple[Candidate, ...]:
    """An implicit panic between releases: answered where the line lies in one and the same function at each of them."""
    if not needs_no_site(query.panic.message):
        return ()
    line = query.location.line or 0
    places = []
    for release in releases:
        for file in query.files(release):
            span = innermost(file.spans, line)
            places.append(span_place(file, span, line) if span else None)
    functions = {place.function if place else None for place in places}
    if len(functions) != 1 or not places or places[0] is None:
        return ()
    names = " and ".join(sorted({p.revision.name for p in places if p}))
    return (Candidate(places[0], trust, f"the line lies in the same function at {names}"),)


def _unpinned(query: _Query) -> Located:
    """No revision in the path: stated version, then main at the report's date; only with line, column and text."""
    index = query.knowledge.index
    named = revisions.stated(query.facts, query.repo, index)
    for release in named:
        found = _agreeing(query, query.files(release), f"the report states a version, and {release.name} fits it")
        if found:
            return Located(found)
    main = revisions.main_commit(query.date, query.repo, index)
    found = _on_main(query, main) if main else ()
    found = found or _scan(query, worded_only=True) or _unpinned_function(query, named, main)
    return Located(found, () if found else ("no revision that the report can mean has this text at this line",))


def _on_main(query: _Query, main: Revision) -> tuple[Candidate, ...]:
    """Main at the report's date, then the older versions of the file."""
    near = revisions.around(main.date, query.repo, query.knowledge.index)[:4]
    files = query.files(main) if main.order >= 0 else _read_files(query, main, near)
    found = _agreeing(query, files, f"main at the date of the report ({main.commit[:10]}) fits")
    if found or not files:
        return found
    index = query.knowledge.index
    for file in files:
        for sha in query.knowledge.source.history(HistoryRef(query.repo, file.path, main.date))[:HISTORY_DEPTH]:
            commits = index.commits(query.repo, sha)
            if not commits:
                continue
            older = _read_files(query, revisions.as_revision(commits[0], index), near)
            found = _agreeing(query, older, f"main shortly before the report ({sha[:10]}) fits")
            if found:
                return found
    return ()


def _scan(query: _Query, *, worded_only: bool) -> tuple[Candidate, ...]:
    """All indexed releases, the likeliest first: line, column and words of its own must agree."""
    for release in revisions.around(query.date, query.repo, query.knowledge.index):
        why = f"line, column and text agree at {release.name}"
        found = _agreeing(query, query.files(release), why, worded_only=worded_only)
        if found:
            return found
    return ()


def _agreeing(
    query: _Query, files: Sequence[SourceFile], why: str, *, worded_only: bool = False
) -> tuple[Candidate, ...]:
    for file in files:
        finding = look(file, query.panic)
        sure = finding.worded or (query.location.column is not None and not worded_only)
        if finding.hit is Hit.SITE and finding.place and sure:
            return (Candidate(finding.place, Trust.AGREES, why),)
    return ()


def _unpinned_function(query: _Query, named: Sequence[Revision], main: Revision | None) -> tuple[Candidate, ...]:
    """An implicit panic without a revision: the stated release, or main at the date where every neighbour agrees."""
    if not needs_no_site(query.panic.message) or not query.crate:
        return ()
    if named:
        return _same_function(query, named, Trust.FUNCTION)
    if main is None:
        return ()
    near = revisions.around(main.date, query.repo, query.knowledge.index)[:2]
    for file in _read_files(query, main, near) if main.order < 0 else query.files(main):
        span = innermost(file.spans, query.location.line or 0)
        if span:
            place = span_place(file, span, query.location.line or 0)
            return (
                Candidate(place, Trust.FUNCTION, "main at the date of the report has this function around the line"),
            )
    return _same_function(query, near, Trust.NEAR)


def _site_place(file: SourceFile, site: SiteAt) -> Place:
    return Place(file.repo, file.revision, file.path, site.line, site.key.function, site=site)


def _exact_words(location: Location, finding: Finding) -> str:
    place = finding.place
    assert place is not None
    column = f", column {location.column}" if location.column is not None else ""
    text = "and the text agree" if finding.worded else "agree"
    return f"line {place.line}{column} {text} with this site at {place.revision.name}"


def _function_words(place: Place) -> str:
    return f"line {place.line} at {place.revision.name} lies in this function; such a panic has no site of its own"
