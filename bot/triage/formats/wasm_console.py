"""`app.js:852 panicked at ..`: the browser's console, as console_error_panic_hook prints it."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import parse_wrapped
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Any header in this wrapping."""
    return parse_wrapped(text, at, "console")


FORMAT = PanicFormat("wasm_console", "any", ("panicked at",), parse)
