"""`thread 'main' (12345) panicked at src/main.rs:4:6:`: std since Rust 1.91 prints the thread's id (PR 115746)."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import find, wrapping
from bot.triage.formats._header import read_header
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Place first, with the thread's id in brackets."""
    header = read_header(text, at)
    if header is None or header.quoted or wrapping(text, header):
        return None
    return find(text, header) if header.thread_id is not None else None


FORMAT = PanicFormat("rust_1_91", "Rust 1.91", ("panicked at",), parse)
