"""Candidates to verdict: matched, ambiguous, unknown, foreign or none, each with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage.choose_entry import entry_for_places, foreign_entry
from bot.triage.fingerprint import fingerprint
from bot.triage.knowledge import Knowledge
from bot.triage.matching import Matched
from bot.triage.model import (
    Candidate,
    Evidence,
    Outcome,
    PanicReport,
    Place,
    Reading,
    Role,
    Standing,
    State,
    Trust,
    Verdict,
)
from bot.triage.state import gone_since, states
from kb.entry import Entry
from kb.model import MAIN, PANIC_KINDS, Revision, SiteIndex


def decide(reading: Reading, matched: Matched | None, knowledge: Knowledge) -> Verdict:
    """The verdict on the root panic of a reading; `matched` is None where there is no panic."""
    root = reading.root
    if root is None or matched is None:
        return Verdict(
            Outcome.NONE, reading, catalog=knowledge.revision, evidence=(Evidence("read", "no panic was found"),)
        )
    read = (Evidence("read", _read_words(root)), *_role_evidence(reading))
    answers = matched.answers
    if matched.foreign or not answers:
        return _without_place(reading, root, matched, read, knowledge)
    entry = entry_for_places(root, answers, knowledge)
    evidence = (*read, *matched.evidence, *_entry_evidence(entry))
    if len(answers) > 1:
        return _ambiguous(reading, root, answers, entry, evidence, knowledge)
    return _matched(reading, root, answers[0], entry, evidence, knowledge)


def _matched(
    reading: Reading,
    root: PanicReport,
    answer: Candidate,
    entry: Entry | None,
    evidence: tuple[Evidence, ...],
    knowledge: Knowledge,
) -> Verdict:
    place = answer.place
    return Verdict(
        Outcome.MATCHED,
        reading,
        place=place,
        candidates=(place,),
        entry=entry.kb_id if entry else None,
        evidence=evidence,
        gone_since=None if _goes_on(entry, place, knowledge.index) else gone_since(place, knowledge.index),
        fixed_in=fixed_in(entry, place, knowledge.index),
        catalog=knowledge.revision,
        fingerprint=fingerprint(root, place),
        trust=answer.trust,
        states=_with_entry(states(place, knowledge.index, beside=answer.trust is Trust.NEAR), entry, knowledge.index),
    )


def _goes_on(entry: Entry | None, place: Place, index: SiteIndex) -> bool:
    """Whether the entry knows the panic at another site that still stands at main: moved by hand, not gone."""
    main = index.revision(place.repo, MAIN)
    return entry is not None and entry.affected.open and main is not None and _elsewhere(entry, main, index) is not None


def _with_entry(found: Sequence[State], entry: Entry | None, index: SiteIndex) -> tuple[State, ...]:
    """States in which a site that the index lost is found again at the entry's other sites."""
    if entry is None or not entry.affected.open:
        return tuple(found)
    result = []
    for state in found:
        there = _elsewhere(entry, state.revision, index) if state.standing is Standing.GONE else None
        result.append(State(state.revision, Standing.MOVED, there) if there else state)
    return tuple(result)


def _elsewhere(entry: Entry, revision: Revision, index: SiteIndex) -> Place | None:
    """The first of the entry's printed sites that stands at a revision."""
    keys = [s.key for s in entry.sites if s.repo == revision.repo and not s.macro_body and s.kind in PANIC_KINDS]
    sites = (site for key in keys for site in index.places(key, revision))
    site = next(sites, None)
    return Place(site.key.repo, revision, site.path, site.line, site.key.function, site=site) if site else None


def _ambiguous(
    reading: Reading,
    root: PanicReport,
    answers: Sequence[Candidate],
    entry: Entry | None,
    evidence: tuple[Evidence, ...],
    knowledge: Knowledge,
) -> Verdict:
    places = tuple(c.place for c in answers)
    return Verdict(
        Outcome.AMBIGUOUS,
        reading,
        candidates=places,
        entry=entry.kb_id if entry else None,
        evidence=evidence,
        gone_since=_all_gone_since(places, knowledge),
        catalog=knowledge.revision,
        fingerprint=fingerprint(root, None),
        trust=answers[0].trust,
        question=question(root),
    )


def _without_place(
    reading: Reading, root: PanicReport, matched: Matched, read: tuple[Evidence, ...], knowledge: Knowledge
) -> Verdict:
    """No place to answer: foreign code, or unknown; an entry only for a foreign panic."""
    entry = foreign_entry(root, knowledge)
    foreign = matched.foreign or (entry is not None and not matched.newer)
    return Verdict(
        Outcome.FOREIGN if foreign else Outcome.UNKNOWN,
        reading,
        candidates=() if foreign else tuple(c.place for c in matched.candidates),
        entry=entry.kb_id if entry and foreign else None,
        evidence=(*read, *matched.evidence, *_entry_evidence(entry if foreign else None)),
        catalog=knowledge.revision,
        fingerprint=fingerprint(root, None),
    )


def question(root: PanicReport) -> str | None:
    """The fact that would split candidates of one text: the place, unless it was printed already."""
    if root.location and root.location.line:
        return None
    return "location"


def fixed_in(entry: Entry | None, place: Place, index: SiteIndex) -> str | None:
    """The release that the entry says is free of it, where the reporter's revision is before it."""
    if entry is None or not entry.affected.fixed or entry.repo != place.repo:
        return None
    fix = index.revision(place.repo, entry.affected.fixed)
    if fix is None:
        return entry.affected.fixed
    here = place.revision
    after = here.order >= fix.order if here.order >= 0 else here.date >= fix.date
    return None if after else fix.name


def _all_gone_since(places: Sequence[Place], knowledge: Knowledge) -> str | None:
    """The release from which on no candidate stands, if there is one."""
    gone = [gone_since(place, knowledge.index) for place in places]
    if not gone or None in gone or len({p.repo for p in places}) != 1:
        return None
    order = {r.name: r.order for r in knowledge.index.revisions(places[0].repo)}
    return max((g for g in gone if g), key=lambda name: order[name])


def _read_words(root: PanicReport) -> str:
    where = f" in {root.ref.part}" + (f" {root.ref.index + 1}" if root.ref.part == "comment" else "")
    return f"read as `{root.format}`{where}, line {root.ref.start}"


def _role_evidence(reading: Reading) -> list[Evidence]:
    """Of a panic that is printed twice a comment says "repeated": "duplicate" is what maintainers call an issue."""
    names = {role: "repeated" if role is Role.DUPLICATE else str(role) for role in Role}
    return [Evidence("role", f"{names[p.role]}: {p.why}") for p in reading.panics if p.why][:6]


def _entry_evidence(entry: Entry | None) -> list[Evidence]:
    return [Evidence("entry", f"entry {entry.kb_id} explains it")] if entry else []
