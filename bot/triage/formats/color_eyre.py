"""`Message: ..` and `Location: path:line`: the panic hooks of color-eyre and color-backtrace."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._text import Find, Text
from bot.triage.location import parse_location

_MESSAGE = re.compile(r"\s*Message:\s*(.*)$")
_LOCATION = re.compile(r"\s*Location:\s*`?(\S.{0,400}?\.rs(?::\d{1,7}){1,2})`?\s*\|?$")
_MAX_LINES = 40


def parse(text: Text, at: int) -> Find | None:
    """The message up to the line that names the place."""
    match = _MESSAGE.match(text.words(at))
    if match is None:
        return None
    lines = [match[1]]
    for line in range(at + 1, min(at + _MAX_LINES, len(text))):
        if not text.same_part(at, line) or _MESSAGE.match(text.words(line)):
            return None
        if text.words(line).lstrip().startswith("Location:"):
            return _with_place(text, at, line, "\n".join(lines).strip())
        lines.append(text.words(line).rstrip())
    return None


def _with_place(text: Text, at: int, line: int, message: str) -> Find | None:
    """The place, put together where the terminal wrapped it."""
    joined = text.words(line)
    for end in range(line + 1, min(line + 5, len(text) + 1)):
        location = _LOCATION.match(joined)
        if location:
            return Find(at, end, message, parse_location(location[1]))
        joined += text.words(end).strip() if end < len(text) else ""
    return None


FORMAT = PanicFormat("color_eyre", "color-eyre 0.5", ("message:",), parse)
