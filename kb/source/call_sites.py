"""Sites that are calls: `.unwrap()`, `.expect(..)`, and literals inside error values. Pure.

For a method rustc prints the method's name on its own line, also in a chain over several lines (since 1.42).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.model import SiteKind
from kb.source.found import Found, found, path_start, word_before
from kb.source.lexer import Lexed
from kb.source.literals import first_text, has_words, text_at

_METHOD = re.compile(
    rb"\.\s*+(unwrap|unwrap_err|expect|expect_err|ok_or|ok_or_else|map_err|context|with_context|write_str|pad)\s*+\("
)
_UNWRAPS = {b"unwrap": SiteKind.UNWRAP, b"unwrap_err": SiteKind.UNWRAP_ERR}
_EXPECTS = {b"expect": SiteKind.EXPECT, b"expect_err": SiteKind.EXPECT_ERR}
_WRITES = frozenset({b"write_str", b"pad"})
_VALUE = re.compile(rb"Err(?:or(?:\s*::\s*(\w+))?)?\s*+([({])")
_ANGLE_BACK = re.compile(rb"[<>]")
_LONGEST_TURBOFISH = 400


def method_sites(lexed: Lexed) -> Iterator[Found]:
    """unwraps, expects and the writes of `fmt` functions (as DISPLAY), by offset."""
    for match in _METHOD.finditer(lexed.code):
        name, at, opener = match[1], match.start(1), match.end() - 1
        if name in _UNWRAPS:
            if not lexed.code[opener + 1 : min(lexed.pair[opener], opener + 200)].strip():
                yield Found(at, _UNWRAPS[name], receiver=receiver(lexed, match.start()))
        elif name in _EXPECTS:
            text = text_at(lexed, opener + 1, lexed.pair[opener])
            if text or lexed.code[opener + 1 : opener + 200].split(b")")[0].strip():
                yield found(at, _EXPECTS[name], text, receiver=receiver(lexed, match.start()))
        elif name in _WRITES:
            text = text_at(lexed, opener + 1, lexed.pair[opener])
            if text and has_words(text.template):
                yield found(at, SiteKind.DISPLAY, text)


def value_sites(lexed: Lexed, used: set[int]) -> list[Found]:
    """Literals inside `Err(..)`, `SomeError::..`, `ok_or`, `map_err` and the like: each once, at its own place.

    `used` are offsets of literals that belong to other sites; those taken here are added.
    """
    sites: list[Found] = []
    for _, kind, opener in sorted(_openers(lexed)):
        text = first_text(lexed, opener, lexed.pair[opener], used)
        if text:
            used.add(text.literal)
            sites.append(found(text.literal, kind, text))
    return sites


def _openers(lexed: Lexed) -> Iterator[tuple[int, SiteKind, int]]:
    for match in _METHOD.finditer(lexed.code):
        if match[1][0] in b"omcw" and match[1] not in _WRITES:
            yield match.start(1), SiteKind.ERR_VALUE, match.end() - 1
    for match in _VALUE.finditer(lexed.code):
        word, at = word_before(lexed, match.start() + 3)
        opener = match.start(2)
        if word == b"Err" and match[0][:5] != b"Error":
            yield path_start(lexed, at), SiteKind.ERR_VALUE, opener
        elif match[1]:
            start = path_start(lexed, at)
            yield start, _error_kind(lexed, start, match[1]), opener


def _error_kind(lexed: Lexed, start: int, constructor: bytes) -> SiteKind:
    spanned = constructor == b"new_spanned" or lexed.code.startswith(b"syn::", start)
    return SiteKind.SYN_ERROR if spanned else SiteKind.ERR_VALUE


def receiver(lexed: Lexed, dot: int) -> str:
    """Name of the method or function whose result the method behind `dot` is called on; "" where there is none."""
    code = lexed.code
    at = dot
    for _ in range(6):
        head = code[max(0, at - 200) : at].rstrip(b" \t\r\n?")
        at = max(0, at - 200) + len(head)
        if not head.endswith(b".await"):
            break
        at -= 6
    if not at or code[at - 1] != 0x29:
        return ""
    opener = lexed.pair.get(at - 1, -1)
    if opener < 0:
        return ""
    word, _ = word_before(lexed, _before_turbofish(lexed, opener))
    return word.decode("utf-8", "replace")


def _before_turbofish(lexed: Lexed, end: int) -> int:
    """`end`, or the offset of the `::<` whose `>` stands right before it."""
    code = lexed.code
    if code[end - 1 : end] != b">":
        return end
    depth = 0
    for match in reversed(list(_ANGLE_BACK.finditer(code, max(0, end - _LONGEST_TURBOFISH), end))):
        if match[0] == b">" and code[match.start() - 1 : match.start()] == b"-":
            continue
        depth += 1 if match[0] == b">" else -1
        if not depth:
            return match.start() - 2 if code[match.start() - 2 : match.start()] == b"::" else match.start()
    return end
