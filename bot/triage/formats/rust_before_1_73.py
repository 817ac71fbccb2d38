"""`thread 'main' panicked at 'MESSAGE', src/main.rs:4:6`: std until Rust 1.72 (rust-lang/rust PR 112849 changed it)."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._frame import find, wrapping
from bot.triage.formats._header import read_header
from bot.triage.formats._text import Find, Text


def parse(text: Text, at: int) -> Find | None:
    """Message in quotes, place behind it."""
    header = read_header(text, at)
    if header is None or not header.quoted or wrapping(text, header):
        return None
    return find(text, header)


FORMAT = PanicFormat("rust_before_1_73", "Rust 1.0", ("panicked at",), parse)
