"""A panic below `---- name stdout ----`, as `cargo test` prints the output of failed tests."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import parse_wrapped
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Any header in this wrapping."""
    return parse_wrapped(text, at, "libtest")


FORMAT = PanicFormat("libtest", "any", ("panicked at",), parse)
