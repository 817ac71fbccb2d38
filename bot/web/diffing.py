"""Two texts line by line: what was taken out, put in, and what stayed. For a template: nothing is HTML here. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

AROUND = 3
"""Lines shown around a change."""
MOST_LINES = 2000


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `sign`: "+" put in, "-" taken out, " " the same, "…" so many left out as `text` says."""

    sign: str
    text: str


def differences(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    """The changes with some lines around them; [] where nothing changed."""
    old, new = old[:MOST_LINES], new[:MOST_LINES]
    groups = list(SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND))
    found: list[Line] = []
    for group in groups:
        if left := group[0][1] - _end(found):
            found.append(Line("…", str(left)))
        for tag, a, b, c, d in group:
            found += _lines(tag, old[a:b], new[c:d])
    return found


def _end(found: Sequence[Line]) -> int:
    """How many lines of the old text are told of so far."""
    return sum(int(line.text) if line.sign == "…" else line.sign in " -" for line in found)


def _lines(tag: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    if tag == "equal":
        yield from (Line(" ", text) for text in old)
        return
    yield from (Line("-", text) for text in old)
    yield from (Line("+", text) for text in new)
