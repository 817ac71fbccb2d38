"""A panic through Android's logcat: a time, process and tag before every line, blank lines between."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import parse_wrapped
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Any header in this wrapping."""
    return parse_wrapped(text, at, "logcat")


FORMAT = PanicFormat("logcat", "any", ("panicked at",), parse)
