"""`Error: ParseIntError { kind: InvalidDigit }`: `main` returned an `Err`, std prints it with Debug and no place."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._message import is_end, trim
from bot.triage.formats._text import Find, Text

_ERROR = re.compile(r"Error: (?=[A-Z]\w*(?:::\w+)*\s?[({]|\"|[A-Z]\w+$)(.*)$")
_ANYHOW = re.compile(r"Error: (\S.*)$")
_CAUSES = re.compile(r"\s*Caused by:\s*$")


def parse(text: Text, at: int) -> Find | None:
    """A Debug value, or anyhow's text with its chain of causes."""
    line = text.lines[at]
    if not line.code or not line.text.startswith("Error: "):
        return None
    chained = any(_CAUSES.match(text.words(i)) for i in text.block(at)[1:4])
    match = _ERROR.match(line.text) or (_ANYHOW.match(line.text) if chained else None)
    if match is None:
        return None
    lines, end = [match[1]], at + 1
    while end < text.block(at).stop and len(lines) < 40:
        words = text.words(end)
        if not words[:1].isspace() and not _CAUSES.match(words) and words.strip() not in ("", "}", ")", "})"):
            break
        if is_end(words) and "Caused by:" not in "".join(lines):
            break
        lines.append(words)
        end += 1
    return Find(at, end, trim(lines), None, bare=True)


FORMAT = PanicFormat("error_from_main", "Rust 1.26", ("error: ",), parse, bare=True)
