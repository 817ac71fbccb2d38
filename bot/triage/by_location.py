"""Candidates from the printed location: the place beats the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.triage import revisions
from bot.triage.knowledge import Knowledge
from bot.triage.model import Candidate, Fact, Location, PanicReport, Trust
from bot.triage.pinned import at_revision
from bot.triage.query import Query
from bot.triage.revisions import Pinned
from bot.triage.safe import inline_code
from bot.triage.unpinned import by_agreement, on_main
from kb.model import MAIN, SiteIndex

_CHECKOUT = re.compile(r"checkouts[\\/]+([\w.-]+?)-[0-9a-f]{16}[\\/]")

NOT_FOUND = "no revision that the report can mean has this text at this line"

_ORDER = (Trust.FLAGGED, Trust.NEAR, Trust.FUNCTION, Trust.AGREES, Trust.EXACT)


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


def locate(panic: PanicReport, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Located:
    """All that the panic's location tells. `date` is the report's day, ISO 8601; None where unknown."""
    location = panic.location
    if location is None or location.std or location.line is None or not location.file:
        return Located()
    repos = homes(location, date, knowledge)
    if not repos:
        where = f"crate {inline_code(location.crate)}" if location.crate else inline_code(location.file)
        return Located(foreign=True, notes=(f"the location is in {where}, which is not of the family",))
    pins = _pins(location, repos, knowledge)
    found = [
        _in_repo(Query(panic, location, repo, location.crate or "", facts, date, knowledge), pin)
        for repo, pin in pins.items()
    ]
    best = max(found, key=lambda f: _rank(f.candidates))
    notes = tuple(dict.fromkeys(note for f in found for note in f.notes))
    if best.candidates or location.crate:
        return replace(best, notes=notes, newer=not best.candidates and all(f.newer for f in found))
    return Located(foreign=True, notes=(f"{inline_code(location.file)}, without a crate, fits no indexed place",))


def homes(location: Location, date: str | None, knowledge: Knowledge) -> Sequence[str]:
    """Repositories to look in. A path without a crate may be anybody's: every repository, to be proved by the text.

    A repository that had no release yet on the date of the report is left out where another one had: crates move, and
    take their history with them.
    """
    index = knowledge.index
    if not location.crate:
        return index.repos()
    repos = _checked_out(location, index.repos_of_crate(location.crate))
    repos = (*repos, *(repo for repo in index.repos() if repo not in repos and _had(repo, location, index)))
    if date is None or location.version or location.commit:
        return repos
    born = [repo for repo in repos if index.revisions(repo)[0].date[:10] <= date[:10]]
    return born or repos


def _had(repo: str, location: Location, index: SiteIndex) -> bool:
    """Whether the path's commit is one of this repository, and had the file: in a crate that no release of it has."""
    commits = index.commits(repo, location.commit) if location.commit else ()
    if len(commits) != 1:
        return False
    paths = index.past_paths(repo, f"{location.crate}/{location.file}")
    return any(index.facts(repo, commits[0].sha, path) is not None for path in paths)


def _checked_out(location: Location, repos: Sequence[str]) -> Sequence[str]:
    """Only the repository that cargo's checkout folder is named after, if it is one of them (also for a fork of it)."""
    folder = _CHECKOUT.search(location.raw)
    named = [repo for repo in repos if folder and repo.split("/")[1] == folder[1]]
    return named or repos


def _pins(location: Location, repos: Sequence[str], knowledge: Knowledge) -> Mapping[str, Pinned | None]:
    """What the path says of its revision in each repository; where one knows the revision, those that do not are out.

    A crate that moved took its files along: the new home has them too, but not this release or commit.
    """
    pins = {repo: revisions.pin(location, repo, knowledge) for repo in repos}
    known = {repo: pin for repo, pin in pins.items() if pin is not None and pin.revision is not None}
    return known or pins


def _rank(candidates: Sequence[Candidate]) -> int:
    return max((_ORDER.index(c.trust) + 1 for c in candidates), default=0)


def _in_repo(query: Query, pinned: Pinned | None) -> Located:
    if pinned is not None and pinned.newer:
        return Located(notes=(pinned.why,), newer=True)
    if pinned is not None and pinned.revision is not None:
        return Located(at_revision(query, pinned), (pinned.why,))
    if pinned is not None:
        return _unknown_commit(query, pinned.why)
    found = by_agreement(query)
    return Located(found, () if found else (_not_found(query),))


def _unknown_commit(query: Query, why: str) -> Located:
    """A commit or version that nothing knows: main stands in for it where line, column and text agree, said so."""
    main = query.knowledge.index.revision(query.repo, MAIN)
    found = on_main(query, main) if main else ()
    found = found or by_agreement(query, unknown_commit=True)
    return Located(found, (why, *(() if found else (_not_found(query),))))


def _not_found(query: Query) -> str:
    """What is said where nothing fits: also that the report is newer than the index, where it is."""
    main = query.knowledge.index.revision(query.repo, MAIN)
    if main is None or query.date is None or query.date[:10] <= main.date[:10]:
        return NOT_FOUND
    return f"{NOT_FOUND}; the report is newer than the index of {query.repo}, which ends on {main.date[:10]}"
