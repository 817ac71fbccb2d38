"""Report -> Reading: every panic with its role, and the facts beside them. Pure, linear, never fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bot.triage.conversation import read_lines
from bot.triage.facts import read_facts, with_stated_commit
from bot.triage.formats import by_cue, cues
from bot.triage.formats._frames import read_frames
from bot.triage.formats._text import Find, Text
from bot.triage.markdown import Line
from bot.triage.model import Fact, PanicReport, Reading, Report
from bot.triage.repair_lines import repair_lines
from bot.triage.roles import assign

_TIME = re.compile(r"\s*\[?((?:\d{4}-\d\d-\d\d[T ]|\d\d-\d\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?=[Z\s\]+-])")
_LETTER = re.compile(r"(?<![\w'])[nxk](?![\w'])")
_NUMBER = re.compile(r"(?<![\w'])\d+(?![\w'])")
MAX_PANICS = 100
"""More panics than this add nothing to an answer; the rest is not looked at."""


def read(report: Report, known: Callable[[str], bool] | None = None) -> Reading:
    """Title, body and comments to panics (one of them the root, if any) and facts.

    `known` tells whether a text starts with a message of the family; with it, messages in titles and sentences are
    found that no word around them gives away. It must be cheap: it is asked about a few dozen texts.
    """
    lines = repair_lines(read_lines(report))
    text = Text(lines, known)
    found = find_all(text)
    facts = read_facts(lines, report.repo)
    panics = [_report(text, find, name, facts) for name, find in found]
    times = [_time(lines[find.first]) for _, find in found]
    return Reading(assign(panics, [find.bare for _, find in found], times), facts)


def _time(line: Line) -> str:
    """The log's time on a line, "" where it shows none."""
    match = _TIME.match(line.prefix + line.text)
    return match[1] if match else ""


def find_all(text: Text) -> list[tuple[str, Find]]:
    """Every panic of the text with its format's name, in reading order."""
    headed = list(_scan(text, bare=False, taken=frozenset()))
    taken = frozenset(text.lines[at].block for _, find in headed for at in range(find.first, find.next))
    bare = [(name, one) for name, find in _scan(text, bare=True, taken=taken) for one in (find, *find.more)]
    known = [_plain(find.message) for _, find in headed]
    return sorted(headed + _news(bare, text, known), key=lambda claim: claim[1].first)


def _scan(text: Text, *, bare: bool, taken: frozenset[int]) -> Iterator[tuple[str, Find]]:
    wanted = cues(bare=bare)
    start = count = 0
    for at, line in enumerate(text.lines):
        if at < start or line.block in taken:
            continue
        if not (bare and text.starts_block(at)) and not _holds(line.text, wanted):
            continue
        claim = claim_at(text, at, bare=bare)
        if claim is not None:
            yield claim
            start = claim[1].next
            count += 1
            if count >= MAX_PANICS:
                return


def _holds(line: str, cues_wanted: tuple[str, ...]) -> bool:
    lower = line.lower()
    return any(cue in lower for cue in cues_wanted)


def claim_at(text: Text, at: int, *, bare: bool = False) -> tuple[str, Find] | None:
    """The format that claims line `at`, with what it reads there."""
    line = text.words(at).lower()
    opens = text.starts_block(at)
    for group in by_cue(bare=bare):
        if not ((opens and group[0].blocks) or any(cue in line for cue in group[0].cues)):
            continue
        for one in group:
            find = one.parse(text, at)
            if find is not None:
                return one.name, find
    return None


def _news(bare: list[tuple[str, Find]], text: Text, known: list[str]) -> list[tuple[str, Find]]:
    """The bare finds that say something new: a title or a sentence mostly repeats a panic that stands elsewhere.

    Of two that say the same, the one with a place is kept, then the one outside the title.
    """
    kept: list[tuple[str, Find]] = []
    for name, find in sorted(bare, key=lambda b: (b[1].location is None, text.lines[b[1].first].part == "title")):
        words = _plain(find.message)
        if not any(words in other or (other and words.startswith(other)) or _told(words, other) for other in known):
            kept.append((name, find))
            known = [*known, words]
    return kept


def _told(words: str, other: str) -> bool:
    """Whether words with a letter for a number (`Memory page N is gone`) tell of a message that has the number."""
    general = _LETTER.sub("#", words)
    return general != words and general in _NUMBER.sub("#", other)


def _plain(message: str) -> str:
    return " ".join(message.lower().replace("`", "").rstrip(".… ").split())


def _report(text: Text, find: Find, name: str, facts: Sequence[Fact]) -> PanicReport:
    line = text.lines[find.first]
    ref = line.ref(text.lines[max(find.first, min(find.next, len(text)) - 1)].number)
    part = ("body" if line.part == "title" else line.part, line.comment)
    location = with_stated_commit(find.location, part, facts) if find.location else None
    return PanicReport(find.message, location, name, ref, find.thread, read_frames(text, find.next))
