"""`ERROR burn_import::logger: PANIC => panicked at ..`: the file loggers of burn log what the hook was told."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import parse_wrapped
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Any header in this wrapping."""
    return parse_wrapped(text, at, "logger")


FORMAT = PanicFormat("logger", "burn 0.5", ("panicked at",), parse)
