"""Report -> Reading: every panic with its role, and the facts beside them. Pure, linear, never fails."""

from __future__ import annotations

from collections.abc import Iterator

from bot.triage.conversation import read_lines
from bot.triage.facts import read_facts
from bot.triage.formats import all_formats
from bot.triage.formats._frames import read_frames
from bot.triage.formats._text import Find, Text
from bot.triage.model import PanicReport, Reading, Report
from bot.triage.roles import assign

MAX_PANICS = 100
"""More panics than this add nothing to an answer; the rest is not looked at."""


def read(report: Report) -> Reading:
    """Title, body and comments to panics (one of them the root, if any) and facts."""
    lines = read_lines(report)
    text = Text(lines)
    found = list(find_all(text))
    panics = [_report(text, find, name) for name, find in found]
    return Reading(assign(panics, [find.bare for _, find in found]), read_facts(lines))


def find_all(text: Text) -> Iterator[tuple[str, Find]]:
    """Every panic of the text with its format's name, in reading order."""
    at = count = 0
    while at < len(text) and count < MAX_PANICS:
        claim = claim_at(text, at)
        if claim is None:
            at += 1
            continue
        count += 1
        yield claim
        at = max(claim[1].next, at + 1)


def claim_at(text: Text, at: int) -> tuple[str, Find] | None:
    """The format that claims line `at`, with what it reads there."""
    line = text.words(at).lower()
    for one in all_formats():
        if any(cue in line for cue in one.cues):
            find = one.parse(text, at)
            if find is not None:
                return one.name, find
    return None


def _report(text: Text, find: Find, name: str) -> PanicReport:
    end = text.lines[max(find.first, min(find.next, len(text)) - 1)].number
    ref = text.lines[find.first].ref(end)
    return PanicReport(find.message, find.location, name, ref, find.thread, read_frames(text, find.next))
