"""`Task failed: Any { .. }`: cubecl's runner caught a panic and logs only that there was one."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._text import Find, Text

_LINE = re.compile(r".{0,200}?\b((?:Task|Thread|Job|Worker) (?:failed|panicked): Any \{ \.\. \})")


def parse(text: Text, at: int) -> Find | None:
    """The line itself; the cause stands further up in the log, if it was printed at all."""
    if not text.is_code(at):
        return None
    match = _LINE.match(text.words(at))
    return Find(at, at + 1, match[1], None, bare=True) if match else None


FORMAT = PanicFormat("swallowed", "cubecl 0.10", ("any { .. }",), parse, bare=True)
