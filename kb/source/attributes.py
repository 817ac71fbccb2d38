"""Attributes: which item each belongs to, and whether a `cfg` leaves its item to tests alone. Pure.

Sources: The Rust Reference, "Attributes" and "Conditional compilation".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kb.source.lexer import Lexed
from kb.source.outline import MODIFIERS

_OPENING = re.compile(rb"#\s*+(!?)\s*+\[")
_PATH = re.compile(rb"\s*(?:unsafe\s*\(\s*)?((?:\w+\s*::\s*)*(\w+))\s*([(\[{])?")
_SPACE = re.compile(rb"\s*+")
_TEST_WORD = re.compile(rb"(?:^|[-_])(?:tests?|testing|testgen)(?:$|[-_])")
_CFG_TOKEN = re.compile(rb"\s*(\w+)\s*(?:([(])|=\s*)?")
_DEEPEST_CFG = 20

TEST_ATTRIBUTES = frozenset(
    {"test", "bench", "rstest", "test_case", "wasm_bindgen_test", "should_panic", "proptest", "quickcheck", "testgen"}
)
"""Last path segments of attributes that make their item test code."""


class Attribute(NamedTuple):
    """One attribute. `start` is where it is printed: its `#`, or inside `cfg_attr(..)` its own first token."""

    start: int
    end: int
    name: str
    """Last segment of its path."""
    opener: int
    """Offset of the bracket that its arguments stand in, -1 without arguments."""
    owner: int
    """Offset of the keyword of the item that it stands before; -1 for an inner attribute (`#![..]`)."""


def attributes(lexed: Lexed) -> list[Attribute]:
    """All attributes of the file in order, those inside `cfg_attr(..)` as attributes of their own."""
    code = lexed.code
    matches = [m for m in _OPENING.finditer(code) if lexed.pair[m.end() - 1] < len(code)]
    owners: dict[int, int] = {}
    for match in reversed(matches):
        after = lexed.pair[match.end() - 1] + 1
        space = _SPACE.match(code, after)
        after = space.end() if space else after
        owners[match.start()] = owners[after] if after in owners else _keyword_at(code, after)
    found: list[Attribute] = []
    for match in matches:
        owner = -1 if match[1] else owners[match.start()]
        opener = match.end() - 1
        found.extend(_read(lexed, match.start(), opener + 1, lexed.pair[opener], owner))
    return found


def _keyword_at(code: bytes, at: int) -> int:
    match = MODIFIERS.match(code, at)
    return match.end() if match else at


def _read(lexed: Lexed, start: int, inside: int, end: int, owner: int, depth: int = 0) -> Iterator[Attribute]:
    match = _PATH.match(lexed.code, inside, end)
    if not match:
        return
    opener = match.end() - 1 if match[3] else -1
    name = match[2].decode()
    yield Attribute(start, end, name, opener, owner)
    if name == "cfg_attr" and opener >= 0 and depth < _DEEPEST_CFG:
        for number, (first, last) in enumerate(lexed.arguments(opener)):
            space = _SPACE.match(lexed.code, first)
            if number and space:
                yield from _read(lexed, space.end(), first, last, owner, depth + 1)


def is_test(lexed: Lexed, attribute: Attribute) -> bool:
    """Whether what carries this attribute is compiled for tests only."""
    if attribute.name in TEST_ATTRIBUTES:
        return True
    return attribute.name == "cfg" and attribute.opener >= 0 and _only_tests(lexed, attribute.opener)


def _only_tests(lexed: Lexed, opener: int, depth: int = 0) -> bool:
    """Whether the one predicate in the brackets at `opener` holds in test builds alone."""
    return depth < _DEEPEST_CFG and any(_predicate(lexed, a, b, depth) for a, b in lexed.arguments(opener))


def _predicate(lexed: Lexed, start: int, end: int, depth: int) -> bool:
    match = _CFG_TOKEN.match(lexed.code, start, end)
    if not match:
        return False
    if match[1] == b"all":
        return bool(match[2]) and _only_tests(lexed, match.end() - 1, depth + 1)
    if match[1] == b"any" and match[2]:
        parts = [p for p in lexed.arguments(match.end() - 1) if lexed.code[p[0] : p[1]].strip()]
        return depth < _DEEPEST_CFG and bool(parts) and all(_predicate(lexed, a, b, depth + 1) for a, b in parts)
    if match[1] == b"feature":
        literal = lexed.literals.get(match.end())
        return bool(literal and _TEST_WORD.search(lexed.source[literal.text_start : literal.text_end]))
    return match[1] == b"test" and not match[2]
