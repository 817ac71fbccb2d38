"""A panic below `--- stderr`, as cargo prints the output of a build script that failed."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import parse_wrapped
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Any header in this wrapping."""
    return parse_wrapped(text, at, "build_script")


FORMAT = PanicFormat("build_script", "any", ("panicked at",), parse)
