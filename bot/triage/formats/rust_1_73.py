"""`thread 'main' panicked at src/main.rs:4:6:` and the message on the next line: std since Rust 1.73 (PR 112849)."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import find, wrapping
from bot.triage.formats._header import read_header
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Place first, with a thread's name and without its id."""
    header = read_header(text, at)
    if header is None or header.quoted or wrapping(text, header):
        return None
    return find(text, header) if header.thread is not None and header.thread_id is None else None


FORMAT = PanicFormat("rust_1_73", "Rust 1.73", ("panicked at",), parse)
