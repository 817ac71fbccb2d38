"""One panic against the knowledge: candidates with the evidence that led to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.triage.by_frames import by_frames, outside_crate
from bot.triage.by_location import Located, locate
from bot.triage.by_message import by_words
from bot.triage.by_value import by_value
from bot.triage.knowledge import Knowledge
from bot.triage.model import Candidate, Evidence, Fact, PanicReport, Trust
from bot.triage.roles import cause_text
from bot.triage.std_messages import Origin, is_generic, std_origin
from bot.triage.suggest import suggest

FOREIGN_FORMATS = frozenset({"wgpu_error"})
"""Formats in which other software reports its own errors."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The candidates of one panic."""

    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    foreign: bool = False
    newer: bool = False

    @property
    def answers(self) -> tuple[Candidate, ...]:
        """Candidates that may be answered: everything but the flagged ones, one per place."""
        good = [c for c in self.candidates if c.trust is not Trust.FLAGGED]
        return tuple({(c.place.repo, c.place.path, c.place.function): c for c in reversed(good)}.values())[::-1]


def match_panic(panic: PanicReport, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Matched:
    """Location first, then the backtrace, then the words."""
    located = locate(panic, facts, date, knowledge)
    evidence = [Evidence("revision", note) for note in located.notes]
    if located.candidates or located.foreign or located.newer:
        return _from_location(located, evidence)
    framed = by_frames(panic.frames, facts, date, knowledge) if _needs_frames(panic) else []
    if framed:
        framed = _at_words(framed, panic, facts, date, knowledge)
        return Matched(tuple(framed), (*evidence, *(Evidence("frames", c.why) for c in framed)))
    if _is_outside(panic):
        evidence.append(Evidence("place", "the panic is raised in code outside the family"))
        return Matched((), tuple(evidence), foreign=True)
    if _has_place(panic):
        evidence.append(Evidence("place", "nothing at the printed place can print this text"))
        return Matched((), tuple(evidence))
    valued = by_value(cause_text(panic.message), facts, date, knowledge)
    if is_generic(panic.message) and valued.candidates:
        return Matched(valued.candidates, (*evidence, *(Evidence("message", note) for note in valued.notes)))
    if is_generic(panic.message):
        evidence.append(Evidence("message", "the text is Rust's own and says nothing about the place"))
        outside = outside_crate(panic.frames, knowledge)
        if outside:
            evidence.append(Evidence("frames", f"the innermost frame that is no panic machinery is of crate {outside}"))
        return Matched((), tuple(evidence), foreign=bool(outside))
    worded = by_words(cause_text(panic.message), facts, date, knowledge)
    worded = worded if worded.candidates else valued
    evidence += [Evidence("message", note) for note in (*worded.notes, *(c.why for c in worded.candidates[:5]))]
    if worded.candidates:
        return Matched(worded.candidates, tuple(evidence))
    suggested = suggest(cause_text(panic.message), facts, date, knowledge)
    return Matched(suggested, (*evidence, *(Evidence("suggestion", c.why) for c in suggested)))


def _at_words(
    framed: list[Candidate], panic: PanicReport, facts: Sequence[Fact], date: str | None, knowledge: Knowledge
) -> list[Candidate]:
    """The site in the frame's function that has the message's words, where there is one; else the function."""
    if panic.location is not None or is_generic(panic.message):
        return framed
    worded = by_words(cause_text(panic.message), facts, date, knowledge).candidates
    places = {(c.place.repo, c.place.function) for c in framed}
    return [c for c in worded if (c.place.repo, c.place.function) in places] or framed


def _from_location(located: Located, evidence: list[Evidence]) -> Matched:
    evidence += [Evidence("place", c.why) for c in located.candidates]
    return Matched(located.candidates, tuple(evidence), located.foreign, located.newer)


def _is_outside(panic: PanicReport) -> bool:
    """Raised by std itself, by its printed place or by its words, or by wgpu's validation."""
    if panic.location is not None:
        return panic.location.std
    return panic.format in FOREIGN_FORMATS or std_origin(panic.message) in (Origin.PLATFORM, Origin.ABORT)


def _needs_frames(panic: PanicReport) -> bool:
    """A backtrace tells the place of what std prints for others; a place in ours is known better."""
    return bool(panic.frames) and (panic.location is None or panic.location.std)


def _has_place(panic: PanicReport) -> bool:
    """Whether the report prints a usable place: the words alone may then not overrule it."""
    location = panic.location
    return location is not None and (location.std or location.line is not None)
