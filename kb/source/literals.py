"""String literals as the compiler sees them, and the text that an expression's message is made of. Pure.

Sources: The Rust Reference, "Tokens" (escapes, string continuation: a backslash before a line break swallows the break
and all white space behind it) and std's `format_args!`, `concat!`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from kb.source.lexer import Lexed, Literal

LONGEST_TEMPLATE = 2000
"""Characters kept of a template; the longest in the family has 700."""

_BLANK = re.compile(rb"[\s&*(]*+")
_MAKER = re.compile(rb"(?:\$?\w+\s*::\s*)*+(format|format_args|concat|indoc|formatdoc)\s*!\s*[(\[{]")
_CONSTANT = re.compile(rb"\s*(?:(-?[\w.]+)|'([^'\\])')\s*")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F_]+)\}|x([0-9a-fA-F]{2})|\n\s*|(.))")
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+")
_HOLE = re.compile(r"\{[^{}]*\}")


class Text(NamedTuple):
    """A message's template and the offset of its first literal, -1 where it has none."""

    template: str
    literal: int


def decode(lexed: Lexed, literal: Literal) -> str:
    """The literal's value, escapes resolved, line breaks as `\\n`."""
    text = lexed.source[literal.text_start : literal.text_end].decode("utf-8", "replace").replace("\r\n", "\n")
    if literal.raw or "\\" not in text:
        return text
    return _ESCAPE.sub(_unescape, text)


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        value = int(code.replace("_", "") or "0", 16)
        return chr(value) if value < 0xD800 or 0xDFFF < value < 0x110000 else "\ufffd"
    char: str | None = match[3]
    return _SIMPLE.get(char, char) if char else ""


def text_at(lexed: Lexed, start: int, end: int) -> Text | None:
    """The message that the expression in [start, end) begins with; None where it is no literal text.

    Understood are a literal, `format!(..)`, `concat!(..)`, all also behind `&` and with calls behind (`.as_str()`).
    """
    for _ in range(4):
        match = _BLANK.match(lexed.code, start, end)
        start = match.end() if match else start
        literal = lexed.literals.get(start)
        if literal is not None:
            return None if lexed.source[start] == 0x62 else Text(decode(lexed, literal)[:LONGEST_TEMPLATE], start)
        maker = _MAKER.match(lexed.code, start, end)
        if not maker:
            return None
        if maker[1] == b"concat":
            return _concat(lexed, maker.end() - 1)
        start, end = maker.end(), lexed.pair[maker.end() - 1]
    return None


def _concat(lexed: Lexed, opener: int) -> Text:
    """`concat!(..)`: literals joined; what only the compiler knows (`stringify!`, `env!`) is a hole."""
    parts = []
    first = -1
    for start, end in lexed.arguments(opener):
        text = text_at(lexed, start, end)
        constant = _CONSTANT.fullmatch(lexed.source, start, end)
        if text:
            parts.append(text.template)
            first = text.literal if first < 0 else first
        elif lexed.code[start:end].strip():
            parts.append((constant[1] or constant[2]).decode("utf-8", "replace") if constant else "{}")
    return Text("".join(parts)[:LONGEST_TEMPLATE], first)


def first_text(lexed: Lexed, start: int, end: int, used: set[int]) -> Text | None:
    """The first literal anywhere in [start, end) that is not in `used` and has words of its own."""
    for count, literal in enumerate(lexed.literals_in(start, end)):
        if count > 8:
            return None
        if literal.start not in used and lexed.source[literal.start] != 0x62:
            text = decode(lexed, literal)[:LONGEST_TEMPLATE]
            if has_words(text):
                return Text(text, literal.start)
    return None


def has_words(template: str, count: int = 1) -> bool:
    """Whether `count` words are left outside the holes."""
    text = _HOLE.sub(" ", template.replace("{{", "").replace("}}", ""))
    return len(list(islice(_WORD.finditer(text), count))) == count


_TIGHT = re.compile(r"\s+(?=[.?,)\]])|(?<=[(\[!])\s+|(?<=\.)\s+(?=\w)")
_LAST_COMMA = re.compile(r",(?=[)\]])")
_BLANK_CHAR = re.compile(rb"' '")


def source_text(lexed: Lexed, start: int, end: int) -> str:
    """Code in [start, end) on one line without comments, spaced as rustc prints an assert's condition.

    rustc prints the syntax tree, not the bytes: a chain broken over lines comes out in one piece and a trailing comma
    goes. Only that much is done here; source formatted by rustfmt then agrees.
    """
    end = min(end, start + LONGEST_TEMPLATE)
    pieces = []
    at = start
    for literal in lexed.literals_in(start, end):
        pieces += [
            _code(lexed, at, literal.start),
            lexed.source[literal.start : literal.end].decode("utf-8", "replace"),
        ]
        at = literal.end
    pieces.append(_code(lexed, at, end))
    return "".join(pieces).strip()[:LONGEST_TEMPLATE]


def _code(lexed: Lexed, start: int, end: int) -> str:
    def char(match: re.Match[bytes]) -> bytes:
        return lexed.source[start + match.start() : start + match.end()]

    text = _BLANK_CHAR.sub(char, lexed.code[start:end]).decode("utf-8", "replace")
    return _LAST_COMMA.sub("", _TIGHT.sub("", _SPACES.sub(" ", text)))
