"""Candidates from the words alone: for reports without a usable location."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.triage import revisions
from bot.triage.checks import best_hits, reason_keys
from bot.triage.knowledge import Knowledge
from bot.triage.lookup import TENSOR_BANNER
from bot.triage.model import Candidate, Fact, Place, Trust
from bot.triage.safe import inline_code
from kb.model import MAIN, Revision, SiteAt, SiteKey

RECENT_RELEASES = 12
"""How many releases before the report (pre-releases counted) a report without a version is first taken to mean."""


@dataclass(frozen=True, slots=True)
class Worded:
    """What the words led to."""

    candidates: tuple[Candidate, ...] = ()
    """One per function, the likeliest revision each."""
    notes: tuple[str, ...] = ()


def by_words(message: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Worded:
    """Sites whose template the message was made from, in the versions that can be meant."""
    if message.startswith(TENSOR_BANNER):
        return _tensor_check(message, facts, date, knowledge)
    hits = best_hits(knowledge.panics.match(message))
    keys = [key for hit in hits for key in hit.keys]
    if not keys:
        return _tensor_check(f"1. {message}", facts, date, knowledge)
    found = _standing(keys, facts, date, knowledge)
    template = hits[0].template.split("\n", 1)[0]
    return Worded(_per_function(found, Trust.WORDS), (f"the text fits the template {inline_code(template)}",))


def by_keys(
    keys: Iterable[SiteKey], why: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge
) -> tuple[Candidate, ...]:
    """Flagged candidates where these keys stand in the versions that can be meant, with one reason for all."""
    found = _per_function(_standing(list(keys), facts, date, knowledge), Trust.FLAGGED)
    return tuple(replace(candidate, why=why) for candidate in found)


def _tensor_check(message: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Worded:
    """The reason names the check, the check's callers the API function; several callers leave the check itself."""
    keys = reason_keys(message, knowledge)
    called = _callers(list(dict.fromkeys(k.function for k in keys)), facts, date, knowledge)
    worded = _per_function(_standing(keys, facts, date, knowledge), Trust.WORDS)
    if len(called.candidates) <= 1 or len(worded) != 1:
        return called
    callers = ", ".join(f"`{c.place.function}`" for c in called.candidates[:6])
    return Worded(worded, (*called.notes, f"the check is called by {callers}"))


def _callers(targets: Sequence[str], facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Worded:
    """The API functions that call these checks, at the likeliest revision of each repository."""
    found: list[SiteAt] = []
    for repo in knowledge.index.repos():
        for revision in _meant(repo, facts, date, knowledge):
            sites = [s for t in targets for s in knowledge.index.callers_of_check(t, revision) if not s.test]
            if sites:
                found += sites
                break
    return Worded(_per_function(found, Trust.WORDS), tuple(f"the reason is worded in `{t}`" for t in targets))


def _standing(keys: Iterable[SiteKey], facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> list[SiteAt]:
    """Where the keys stand at the likeliest revision that has any of them, per repository."""
    found: list[SiteAt] = []
    by_repo: dict[str, list[SiteKey]] = {}
    for key in keys:
        by_repo.setdefault(key.repo, []).append(key)
    stated_somewhere = any(revisions.stated(facts, repo, knowledge) for repo in by_repo)
    for repo, group in by_repo.items():
        if stated_somewhere and not revisions.stated(facts, repo, knowledge):
            continue
        found += _first_standing(group, _meant(repo, facts, date, knowledge), knowledge)
    # What only tests and examples say is said by many a program: without its place it is nobody's.
    return [s for s in found if not s.test]


def _first_standing(keys: Sequence[SiteKey], meant: Sequence[Revision], knowledge: Knowledge) -> list[SiteAt]:
    for revision in meant:
        found = [site for key in keys for site in knowledge.index.places(key, revision)]
        if found:
            return found
    return []


def _meant(repo: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> list[Revision]:
    """Revisions that can be meant, the likeliest first: those stated, else those of the time.

    Without a date nothing speaks for a pre-release, so those come after the rest.
    """
    named = revisions.stated(facts, repo, knowledge)
    if named:
        return named
    order = revisions.around(date, repo, knowledge.index)
    recent = order[:RECENT_RELEASES]
    if not date:
        recent.sort(key=lambda revision: revision.prerelease)
    return recent + [r for r in order if r.name == MAIN]


def _per_function(sites: Iterable[SiteAt], trust: Trust) -> tuple[Candidate, ...]:
    """One candidate per function; of several sites in one function the first stands for all."""
    chosen: dict[tuple[str, str, str], SiteAt] = {}
    for site in sorted(sites, key=lambda s: (s.key.repo, s.path, s.line)):
        chosen.setdefault((site.key.repo, site.key.crate, site.key.function), site)
    return tuple(
        Candidate(
            Place(s.key.repo, s.revision, s.path, s.line, s.key.function, site=s),
            trust,
            f"{s.revision.name} has this text in `{s.key.function}`",
        )
        for s in chosen.values()
    )
