"""The identifiers a file defines, for checking the code names in prose. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.source.lexer import Lexed
from kb.source.outline import body_or_end

_DEFINITION = re.compile(
    rb"(?<![\w'*#$])(?:fn|trait|mod|type|static(?:\s+mut)?|const(?!\s+(?:fn|unsafe|extern|async|mut)\b)|macro_rules\s*!"
    rb"|(struct|union)|(enum))\s+(?:r#)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)"
)
_ATTRIBUTE = re.compile(rb"\s*+#\s*+\[")
_FIELD = re.compile(rb"\s*(?:pub(?:\s*\([^()]*\))?\s+)?(?:r#)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*:(?!:)")
_VARIANT = re.compile(rb"\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*(\{)?")


def names(lexed: Lexed) -> tuple[str, ...]:
    """Sorted names of the functions, types, traits, constants, modules, macros, fields and enum variants defined."""
    found = set(_names(lexed))
    found.discard(b"_")
    return tuple(sorted(name.decode("utf-8", "replace") for name in found))


def _names(lexed: Lexed) -> Iterator[bytes]:
    code = lexed.code
    for match in _DEFINITION.finditer(code):
        at = match.start()
        if code.startswith(b"const", at) and code[max(0, at - 80) : at].rstrip()[-1:] in (b"<", b","):
            continue  # a const parameter
        yield match[3]
        if match[1] or match[2]:
            body = body_or_end(lexed, match.end())
            if body >= 0 and code[body] == 0x7B:
                yield from _variants(lexed, body) if match[2] else _fields(lexed, body)


def _fields(lexed: Lexed, body: int) -> Iterator[bytes]:
    for start, end in lexed.arguments(body):
        match = _FIELD.match(lexed.code, _behind_attributes(lexed, start), end)
        if match:
            yield match[1]


def _variants(lexed: Lexed, body: int) -> Iterator[bytes]:
    for start, end in lexed.arguments(body):
        match = _VARIANT.match(lexed.code, _behind_attributes(lexed, start), end)
        if match:
            yield match[1]
            if match[2]:
                yield from _fields(lexed, match.end() - 1)


def _behind_attributes(lexed: Lexed, start: int) -> int:
    while match := _ATTRIBUTE.match(lexed.code, start):
        start = lexed.pair[match.end() - 1] + 1
    return start
