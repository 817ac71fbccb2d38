"""Where a file defines something: the keywords that begin an item, with the name behind them. Pure."""

from __future__ import annotations

import re

from kb.source.lexer import Lexed

_IDENTIFIER = rb"(?:r#)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)"
DEFINITION = re.compile(
    rb"\b(?<!['*#$\x80-\xff])(?:(?:(fn|trait|mod|macro_rules\s*!)|(struct|union)|(enum)|type|static(?:\s+mut)?"
    rb"|const(?!\s+(?:fn|unsafe|extern|async|mut)\b))\s+" + _IDENTIFIER + rb"|(impl)\b(?!\s*\())"
)
"""Groups: 1 keyword of an item that holds others, 2 struct or union, 3 enum, 4 the name, 5 impl."""

_BEFORE_IMPL = frozenset(b";}{]")


def definitions(lexed: Lexed) -> list[re.Match[bytes]]:
    """Matches of DEFINITION in order, without `impl` in types and constants among generic parameters."""
    return [match for match in DEFINITION.finditer(lexed.code) if _is_item(lexed.code, match)]


def _is_item(code: bytes, match: re.Match[bytes]) -> bool:
    at = match.start()
    if match[5]:
        return _starts_item(code, at)
    return not code.startswith(b"const", at) or code[max(0, at - 80) : at].rstrip()[-1:] not in (b"<", b",")


def _starts_item(code: bytes, at: int) -> bool:
    before = code[max(0, at - 200) : at].rstrip()
    for word in (b"unsafe", b"default"):
        before = before.removesuffix(word).rstrip()
    return not before or before[-1] in _BEFORE_IMPL
