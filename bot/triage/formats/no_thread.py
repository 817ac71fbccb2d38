"""`panicked at src/main.rs:4:6:` without a thread's name: hooks that print `PanicHookInfo`, and hands that typed it."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import find, wrapping
from bot.triage.formats._header import read_header
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Place first, no thread, or the bare word `thread`."""
    header = read_header(text, at)
    if header is None or header.quoted or wrapping(text, header):
        return None
    return find(text, header) if header.thread is None and header.thread_id is None else None


FORMAT = PanicFormat("no_thread", "Rust 1.73", ("panicked at",), parse)
