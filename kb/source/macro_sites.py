"""Sites that are macro calls, wherever they stand: in code, in the arguments of other macros, in macro bodies. Pure.

The grammar leaves macro arguments as flat token trees, so calls are found in the blanked code, by the same rule
everywhere. rustc prints the first token of the macro's path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kb.model import SiteKind
from kb.source.found import Found, found, path_start, word_before
from kb.source.lexer import Lexed
from kb.source.literals import Text, has_words, source_text, text_at

_BANG = re.compile(rb"!\s*+[(\[{]")
_KEYWORDS = frozenset(
    b"if while return match in let else mut ref move break await dyn as unsafe loop yield where impl use and or".split()
)
_CHECK = re.compile(rb"\bTensorCheck\s*::\s*([a-z_]\w*)")
_LONGEST_CHECK = 400
"""Bytes within which a `check!` names its check."""
_NAMED = re.compile(rb"\s*(?:\w+(?:\.\w+)*\s*=(?!=)|\w+\s*:(?!:)|[?%]|\w+\s*\()")

QUOTES = frozenset({b"quote", b"quote_spanned", b"parse_quote", b"parse_quote_spanned"})
"""Macros whose arguments are code of another place: what panics in it is never printed with this line."""

_STD = (
    frozenset(
        b"""print println eprint eprintln format format_args vec dbg matches include include_str include_bytes env
        option_env concat stringify line column file module_path cfg thread_local macro_rules try addr_of addr_of_mut
        trace debug info is_x86_feature_detected lazy_static json indoc formatdoc pin select join try_join""".split()
    )
    | QUOTES
)


class Call(NamedTuple):
    """A macro call: offset of its path, the path's last segment, offset of its opening bracket."""

    start: int
    name: bytes
    opener: int


def macro_calls(lexed: Lexed) -> Iterator[Call]:
    """All macro calls of the file in order of their `!`."""
    for match in _BANG.finditer(lexed.code):
        name, at = word_before(lexed, match.start())
        if name and name not in _KEYWORDS:
            yield Call(path_start(lexed, at), name, match.end() - 1)


def macro_site(lexed: Lexed, call: Call) -> Found | None:
    """What the call is as a site; None for a macro that never panics and words nothing."""
    rule = _RULES.get(call.name)
    if rule:
        return rule(lexed, call)
    if call.name in _STD:
        return None
    return Found(call.start, SiteKind.MACRO_CALL, target=f"{call.name.decode('utf-8', 'replace')}!")


Rule = Callable[[Lexed, Call], Found | None]


def _text_argument(lexed: Lexed, call: Call, index: int) -> Text | None:
    for number, (start, end) in enumerate(lexed.arguments(call.opener)):
        if number == index:
            return text_at(lexed, start, end)
    return None


def _plain(kind: SiteKind, index: int) -> Rule:
    def rule(lexed: Lexed, call: Call) -> Found:
        return found(call.start, kind, _text_argument(lexed, call, index))

    return rule


def _assertion(kind: SiteKind, wrap: str = "{}") -> Rule:
    """The text, or the condition where there is no text argument; `wrap` is what is printed around the condition."""

    def rule(lexed: Lexed, call: Call) -> Found:
        parts = [p for p, _ in zip(lexed.arguments(call.opener), range(2), strict=False)]
        if len(parts) > 1 and lexed.code[parts[1][0] : parts[1][1]].strip():
            return found(call.start, kind, text_at(lexed, *parts[1]))
        condition = source_text(lexed, *parts[0]) if parts else ""
        return Found(call.start, kind, wrap.replace("{}", condition) if condition else "")

    return rule


def _worded(kind: SiteKind, index: int) -> Rule:
    """Only with a literal that has words: nothing else of it can be recognised."""

    def rule(lexed: Lexed, call: Call) -> Found | None:
        text = _text_argument(lexed, call, index)
        return found(call.start, kind, text) if text and has_words(text.template) else None

    return rule


def _log(kind: SiteKind) -> Rule:
    """The first argument that is a text; before it may stand `target: ..`, `field = ..` (tracing)."""

    def rule(lexed: Lexed, call: Call) -> Found | None:
        for number, (start, end) in enumerate(lexed.arguments(call.opener)):
            text = text_at(lexed, start, end)
            if text:
                return found(call.start, kind, text) if has_words(text.template) else None
            if number > 8 or not _NAMED.match(lexed.code, start, end):
                return None
        return None

    return rule


def _check(lexed: Lexed, call: Call) -> Found:
    match = _CHECK.search(lexed.code, call.opener, min(lexed.pair[call.opener], call.opener + _LONGEST_CHECK))
    if match:
        return Found(call.start, SiteKind.CHECK, target=f"TensorCheck::{match[1].decode()}")
    return Found(call.start, SiteKind.MACRO_CALL, target="check!")


_RULES: dict[bytes, Rule] = {
    b"panic": _plain(SiteKind.PANIC, 0),
    b"todo": _plain(SiteKind.TODO, 0),
    b"unimplemented": _plain(SiteKind.UNIMPLEMENTED, 0),
    b"unreachable": _plain(SiteKind.UNREACHABLE, 0),
    b"assert": _assertion(SiteKind.ASSERT),
    b"assert_eq": _plain(SiteKind.ASSERT_EQ, 2),
    b"assert_ne": _plain(SiteKind.ASSERT_NE, 2),
    b"debug_assert": _assertion(SiteKind.DEBUG_ASSERT),
    b"debug_assert_eq": _plain(SiteKind.DEBUG_ASSERT_EQ, 2),
    b"debug_assert_ne": _plain(SiteKind.DEBUG_ASSERT_NE, 2),
    b"bail": _worded(SiteKind.BAIL, 0),
    b"anyhow": _worded(SiteKind.BAIL, 0),
    b"eyre": _worded(SiteKind.BAIL, 0),
    b"ensure": _assertion(SiteKind.BAIL, "Condition failed: `{}`"),
    b"compile_error": _plain(SiteKind.COMPILE_ERROR, 0),
    b"warn": _log(SiteKind.LOG_WARN),
    b"error": _log(SiteKind.LOG_ERROR),
    b"write": _worded(SiteKind.DISPLAY, 1),
    b"writeln": _worded(SiteKind.DISPLAY, 1),
    b"check": _check,
}
