"""What the site rules give: a place in the bytes and what stands there, before its function is known. Pure."""

from __future__ import annotations

from typing import NamedTuple

from kb.model import SiteKind
from kb.source.lexer import IDENTIFIER_BYTES, Lexed
from kb.source.literals import Text


class Found(NamedTuple):
    """A site without its context. `offset` is the byte that rustc prints; `literal` that of the text, -1 without."""

    offset: int
    kind: SiteKind
    template: str = ""
    target: str = ""
    receiver: str = ""
    literal: int = -1


def found(offset: int, kind: SiteKind, text: Text | None, *, target: str = "", receiver: str = "") -> Found:
    """A site with its text, if it has one."""
    if text is None:
        return Found(offset, kind, "", target, receiver)
    return Found(offset, kind, text.template, target, receiver, text.literal)


def word_before(lexed: Lexed, end: int) -> tuple[bytes, int]:
    """The identifier that ends at `end`, white space allowed between, and its offset; b"" where none stands there."""
    code = lexed.code
    window = max(0, end - 120)
    head = code[window:end].rstrip()
    stripped = head.rstrip(IDENTIFIER_BYTES)
    return head[len(stripped) :], window + len(stripped)


def path_start(lexed: Lexed, start: int) -> int:
    """Where the path begins whose last segment begins at `start` (`core` of `core::panic`)."""
    code = lexed.code
    for _ in range(12):
        head = code[max(0, start - 120) : start].rstrip()
        if not head.endswith(b"::"):
            break
        colons = max(0, start - 120) + len(head) - 2
        word, at = word_before(lexed, colons)
        start = at if word else colons
        if not word:
            break
    return start - 1 if code[start - 1 : start] == b"$" and start else start
