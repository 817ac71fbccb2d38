"""`error: proc-macro derive panicked` and `= help: message: ..`: rustc reports a macro that panicked while it ran.

The place that rustc prints is where the macro was used, so the panic itself has none.
"""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._text import Find, Text

_HEAD = re.compile(r"\s*error: (?:proc[- ]macro(?: derive)?|custom attribute|custom derive attribute) panicked\s*$")
_HELP = re.compile(r"\s*=?\s*help: message: (.*)$")
_NEXT = re.compile(r"\s*(?:=|error|warning|note|help|-->|\d+ \||\||$)")
_MAX_LINES = 25


def parse(text: Text, at: int) -> Find | None:
    """The message behind `help: message:`, which may run over lines."""
    if not _HEAD.match(text.words(at)):
        return None
    for line in range(at + 1, min(at + _MAX_LINES, len(text))):
        if not text.same_part(at, line):
            return None
        match = _HELP.match(text.words(line))
        if match:
            return _with_rest(text, at, line, match[1])
    return None


def _with_rest(text: Text, at: int, line: int, first: str) -> Find:
    lines, end = [first.strip()], line + 1
    while end < len(text) and text.same_block(line, end) and not _NEXT.match(text.words(end)) and len(lines) < 30:
        lines.append(text.words(end).strip())
        end += 1
    return Find(at, end, "\n".join(lines), None)


FORMAT = PanicFormat("proc_macro", "Rust 1.30", ("panicked",), parse)
