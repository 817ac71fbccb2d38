"""`Panic occurred in file 'src/main.rs' at line 5`: the report file of the human-panic crate, with its `cause`."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._text import Find, Text
from bot.triage.location import parse_location

_PLACE = re.compile(r"[Pp]anic occurred in file ['\"`](.{1,400}?)['\"`] at line (\d{1,7})")
_CAUSE = re.compile(r"\s*[Cc]ause\s*[=:]\s*['\"]{0,3}(.*?)['\"]{0,3}\s*$")
_MAX_LINES = 12


def parse(text: Text, at: int) -> Find | None:
    """The place on this line, the cause in a field near it (before or behind, as the version of the crate has it)."""
    match = _PLACE.search(text.words(at))
    if match is None:
        return None
    message, last = "", at
    for line in (*range(at, min(at + _MAX_LINES, len(text))), *range(max(at - _MAX_LINES, 0), at)):
        cause = _CAUSE.match(text.words(line)) if text.same_part(at, line) else None
        if cause and cause[1]:
            message, last = cause[1], max(line, at)
            break
    return Find(at, last + 1, message, parse_location(f"{match[1]}:{match[2]}"))


FORMAT = PanicFormat("human_panic", "human-panic 1.0", ("panic occurred in file",), parse)
