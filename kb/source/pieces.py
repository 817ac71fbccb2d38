"""Scans a file piece by piece, each piece once: versions of a file in a long history share most of theirs. Pure.

A piece is a top-level item, or a member of a long impl or trait, told by the closing brackets that rustfmt puts at the
edge. Where a piece does not close what it opens (code that was never formatted), the file is scanned as a whole. The
grammar is left out: it differs from the keywords at a handful of items in a million lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.model import FileFacts, FunctionSpan, SourceSite
from kb.paths import is_test_path
from kb.source.lexer import Lexed
from kb.source.parse import scan_lexed

_ITEM_END = b"\n}\n"
_MEMBER_END = b"\n    }\n"
_OPENING = re.compile(
    rb"^(?:#\[[^\n]*\]\n)*(?:pub(?:\([a-z ]+\))? )?(?:unsafe )?(?:impl|trait|mod)\b[^{};]*\{\n", re.MULTILINE
)
_CLOSING = b"}\n"
LONG_ITEM = 1500
"""Bytes from which an item is looked at member by member."""
MOST_PIECES = 60_000
"""Pieces remembered; then all are forgotten: neighbours in a history share theirs."""

Piece = tuple[bytes, bytes, int]
"""The opening of the impl around it, the piece, and its number of lines. With an opening alone: that opening."""


class PieceScanner:
    """Remembers what it has scanned."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, bytes, bool], FileFacts | None] = {}

    def scan(self, source: bytes, path: str) -> FileFacts:
        """Sites and functions of one file; calls of all macros but std's are among the sites, names are left out."""
        test = is_test_path(path)
        sites: list[SourceSite] = []
        spans: list[FunctionSpan] = []
        line = 0
        for opening, piece, lines in _pieces(source) if _is_plain(source) else [(b"", source, 0)]:
            facts = self._piece(opening, piece, path, test=test)
            if facts is None:
                return _whole(source, path)
            by = line - (opening.count(b"\n") if piece else 0)
            sites += [_site_below(s, by) for s in facts.sites] if by else facts.sites
            spans += [_span_below(s, by) for s in facts.spans] if by else facts.spans
            line += lines
        return FileFacts(tuple(sites), tuple(spans))

    def _piece(self, opening: bytes, piece: bytes, path: str, *, test: bool) -> FileFacts | None:
        key = (opening, piece, test)
        if key not in self._known:
            if len(self._known) >= MOST_PIECES:
                self._known.clear()
            self._known[key] = _scan_piece(opening, piece, path)
        return self._known[key]


def _is_plain(source: bytes) -> bool:
    """Whether the pieces mean by themselves what they mean together: no inner attribute makes all of it test code."""
    return b"#![cfg(" not in source and b"\r" not in source


def _pieces(source: bytes) -> Iterator[Piece]:
    for item in _split(source, _ITEM_END):
        opening = _OPENING.search(item) if len(item) > LONG_ITEM and item.endswith(_ITEM_END) else None
        if opening is None or _goes_on(item[: opening.start()]):
            yield b"", item, item.count(b"\n")
            continue
        before, head = item[: opening.start()], opening[0]
        yield b"", before, before.count(b"\n")
        yield head, b"", head.count(b"\n")
        for member in _split(item[opening.end() : -len(_CLOSING)], _MEMBER_END):
            yield head, member, member.count(b"\n")
        yield b"", b"", 1


def _split(text: bytes, end: bytes) -> list[bytes]:
    """The text cut behind every `end`; what follows the last one is left out where it is empty."""
    *parts, last = text.split(end)
    return [*(part + end for part in parts), *([last] if last else [])]


def _site_below(s: SourceSite, by: int) -> SourceSite:
    return SourceSite(s.function, s.kind, s.template, s.line + by, s.column, s.test, s.macro_body, s.target, s.receiver)


def _span_below(s: FunctionSpan, by: int) -> FunctionSpan:
    return FunctionSpan(s.function, s.start + by, s.end + by, s.test, s.track_caller)


def _goes_on(before: bytes) -> bool:
    """Whether what stands before an opening is an attribute of it, or ends in a comment that may hide one."""
    last = before.rstrip().rpartition(b"\n")[2]
    return last.endswith(b"]") or last.startswith(b"//")


def _scan_piece(opening: bytes, piece: bytes, path: str) -> FileFacts | None:
    """Sites and functions with the lines of `opening` counted in; None where the piece is not whole."""
    lexed = Lexed(opening + piece + (_CLOSING if opening else b""))
    if not lexed.sound:
        return None
    facts = scan_lexed(lexed, path, None).facts
    above = opening.count(b"\n") if piece else 0
    return FileFacts(tuple(s for s in facts.sites if s.line > above), facts.spans)


def _whole(source: bytes, path: str) -> FileFacts:
    facts = scan_lexed(Lexed(source), path, None).facts
    return FileFacts(facts.sites, facts.spans)
