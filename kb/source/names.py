"""The identifiers a file defines, for checking the code names in prose. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kb.source.lexer import Lexed
from kb.source.outline import body_or_end

_ATTRIBUTE = re.compile(rb"\s*+#\s*+\[")
_FIELD = re.compile(rb"\s*(?:pub(?:\s*\([^()]*\))?\s+)?(?:r#)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*:(?!:)")
_VARIANT = re.compile(rb"\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*(\{)?")


def names(lexed: Lexed, defined: Iterable[re.Match[bytes]]) -> tuple[str, ...]:
    """Sorted names of the functions, types, traits, constants, modules, macros, fields and enum variants defined.

    `defined` are the file's definitions.
    """
    found = set(_names(lexed, defined))
    found.discard(b"_")
    return tuple(sorted(name.decode("utf-8", "replace") for name in found))


def _names(lexed: Lexed, defined: Iterable[re.Match[bytes]]) -> Iterator[bytes]:
    for match in defined:
        if match[4]:
            yield match[4]
        if match[2] or match[3]:
            body = body_or_end(lexed, match.end())
            if body >= 0 and lexed.code[body] == 0x7B:
                yield from _variants(lexed, body) if match[3] else _fields(lexed, body)


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
