"""The lines of a report as the layouts read them, and what a layout finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.triage.markdown import Line
from bot.triage.model import Location

_LIBTEST = re.compile(r"\s*---- \S.{0,300} (?:stdout|stderr) ----\s*$")
_SECTION_END = re.compile(r"\s*(?:failures:|test result:|warning: build failed|error: could not compile)")
_BUILD = re.compile(r"\s*--- (?:stdout|stderr)\s*$")


@dataclass(frozen=True, slots=True)
class Find:
    """One panic as a layout reads it, before roles."""

    first: int
    """Index of its first line."""
    next: int
    """Index of the first line behind header and message."""
    message: str
    location: Location | None
    thread: str | None = None
    bare: bool = False
    """Only words, no header: less trusted than a printed panic."""
    more: tuple[Find, ...] = ()
    """Further panics that the same line holds (words alone can stand side by side)."""


class Text:
    """All lines of a report, with the section each stands in. Layouts only read it."""

    def __init__(self, lines: Sequence[Line], known: Callable[[str], bool] | None = None) -> None:
        self.lines = lines
        self.known = known or _nothing
        self.headers: dict[int, object] = {}
        """What `read_header` found on a line, so that each layout need not read it again."""
        self.section = _sections(lines)
        self._block_end = _block_ends(lines)

    def __len__(self) -> int:
        return len(self.lines)

    def words(self, at: int) -> str:
        """The text of line `at`."""
        return self.lines[at].text

    def same_part(self, one: int, other: int) -> bool:
        """True where both lines belong to the same body or comment."""
        a, b = self.lines[one], self.lines[other]
        return a.part == b.part and a.comment == b.comment

    def same_block(self, one: int, other: int) -> bool:
        """True where both lines belong to the same paragraph or code block."""
        return self.lines[one].block == self.lines[other].block

    def is_code(self, at: int) -> bool:
        """True where line `at` stands in a code block, quoted or not."""
        return self.lines[at].code

    def starts_block(self, at: int) -> bool:
        """True for the first line of a paragraph or code block."""
        return at == 0 or not self.same_block(at - 1, at)

    def block(self, at: int) -> range:
        """Indices of the lines from `at` to the end of its block."""
        return range(at, self._block_end[at])


def _nothing(text: str) -> bool:
    return False


def _block_ends(lines: Sequence[Line]) -> list[int]:
    ends = [len(lines)] * len(lines)
    for at in range(len(lines) - 2, -1, -1):
        ends[at] = ends[at + 1] if lines[at].block == lines[at + 1].block else at + 1
    return ends


def _sections(lines: Sequence[Line]) -> list[str]:
    """`libtest`, `build_script` or "" for each line: which tool's banner stands above it in the same block."""
    result: list[str] = []
    section, key = "", ("", 0)
    for line in lines:
        if (line.part, line.comment) != key:
            section, key = "", (line.part, line.comment)
        if "--- " in line.text:
            if _LIBTEST.match(line.text):
                section = "libtest"
            elif _BUILD.match(line.text):
                section = "build_script"
        elif section and _SECTION_END.match(line.text):
            section = ""
        result.append(section)
    return result
