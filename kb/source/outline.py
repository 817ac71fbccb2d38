"""The items of a file (functions, impls, traits, modules, macros), found by the grammar and by their keywords. Pure.

tree-sitter's tree is the authority. What it leaves flat (token trees: the arguments of macros, where functions are
often defined) or fails at (files with ERROR nodes) is read from the keywords and brackets of the blanked code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import tree_sitter_rust
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from kb.source.lexer import Lexed

LONGEST_PARSED = 4_000_000
"""Bytes of a file given to the grammar; larger ones (none in the family) are read by keywords alone."""

LONGEST_HEADER = 4000
"""Bytes between an item's keyword and its body, at most; the longest in the family has about 1,000."""

MODIFIERS = re.compile(
    rb'(?:pub(?:\s*\([^()]*\))?\s+|pub\s*\([^()]*\)|(?:const|async|unsafe|default|safe|auto)\s+|extern\s+(?:"[^"]*"\s*)?)*+'
)
_LANGUAGE = Language(tree_sitter_rust.language())
_ITEMS = Query(
    _LANGUAGE, "(function_item) @fn (impl_item) @impl (trait_item) @trait (mod_item) @mod (function_signature_item) @fn"
)
_HEADER_EDGE = re.compile(rb"[{;(\[<)\]}]")
_OPENING = re.compile(rb"\s*[({\[]")
_WHERE = re.compile(r"\bwhere\b")
_FOR = re.compile(r"\bfor\b")
_NOISE = re.compile(r"'\w+\b|\b(?:mut|dyn|const)\b|[&?!]")
_PATH = re.compile(r"(?:\w*\s*::\s*)+(?=\w)")
_ANGLES = re.compile(r"[<>]")
_LONGEST_NAME = 160


class Item(NamedTuple):
    """One item; offsets in bytes. `start` is that of its keyword, `body` that of its bracket, -1 where it has none."""

    start: int
    end: int
    body: int
    kind: str
    """fn, impl, trait, mod or macro."""
    name: str
    """The function's, trait's, module's name; `Type` or `<Type as Trait>` of an impl; `name!` of a macro."""


def parse_tree(lexed: Lexed) -> Node | None:
    """Root of the syntax tree; None where the file is too large or the grammar fails on part of it.

    A file with an open bracket or string cannot parse, and the grammar's recovery from that can take quadratic time:
    it is not tried.
    """
    if not lexed.sound or len(lexed.source) > LONGEST_PARSED:
        return None
    root = Parser(_LANGUAGE).parse(lexed.source).root_node
    return None if root.has_error else root


def items(lexed: Lexed, root: Node | None, defined: Iterable[re.Match[bytes]]) -> list[Item]:
    """All items by start, outer before inner. Macros and what they hold are always read by keyword.

    `defined` are the file's definitions; `root` is None where there is no tree.
    """
    found = {item.start: item for item in keyword_items(lexed, defined)}
    if root is None:
        return list(found.values())
    exact = list(differing(lexed, root, found))
    found.update((item.start, item) for item in exact)
    return [found[start] for start in sorted(found)] if exact else list(found.values())


def differing(lexed: Lexed, root: Node, known: Mapping[int, Item]) -> Iterator[Item]:
    """Items of the syntax tree that the keywords gave otherwise or not at all."""
    for kind, nodes in QueryCursor(_ITEMS).captures(root).items():
        for node in nodes:
            match = MODIFIERS.match(lexed.code, node.start_byte)
            start = match.end() if match else node.start_byte
            item = known.get(start)
            if item is None or item.end != node.end_byte:
                body = node.child_by_field_name("body")
                name = node.child_by_field_name("name")
                text = name.text if name and name.text else b""
                yield _item(lexed, start, kind, text, body.start_byte if body else -1, node.end_byte)


def keyword_items(lexed: Lexed, defined: Iterable[re.Match[bytes]]) -> Iterator[Item]:
    """The same from keywords and brackets alone, and `macro_rules!`, in order."""
    code = lexed.code
    for match in defined:
        if match[5]:
            kind = "impl"
        elif match[1]:
            kind = "macro" if match[1].startswith(b"macro") else match[1].decode()
        else:
            continue
        edge = _macro_body(lexed, match.end()) if kind == "macro" else body_or_end(lexed, match.end())
        if edge >= 0:
            body = -1 if code[edge] == 0x3B else edge
            end = edge + 1 if body < 0 else min(lexed.pair[edge] + 1, len(code))
            yield _item(lexed, match.start(), kind, match[4] or b"", body, end)


def _item(lexed: Lexed, start: int, kind: str, name: bytes, body: int, end: int) -> Item:
    if kind == "impl":
        return Item(start, end, body, kind, impl_name(lexed.code[start + 4 : body if body >= 0 else end]))
    text = name.decode("utf-8", "replace")
    return Item(start, end, body, kind, f"{text}!" if kind == "macro" else text)


def _macro_body(lexed: Lexed, at: int) -> int:
    match = _OPENING.match(lexed.code, at)
    return match.end() - 1 if match else -1


def body_or_end(lexed: Lexed, at: int) -> int:
    """Offset of the `{` or `;` that ends the header which goes on at `at`; -1 where there is none."""
    code = lexed.code
    limit = at + LONGEST_HEADER
    while match := _HEADER_EDGE.search(code, at, limit):
        at, token = match.end(), match[0]
        if token in b"{;":
            return at - 1
        if token in b"([":
            at = lexed.pair[at - 1] + 1
        elif token == b"<":
            behind = lexed.angle_end(at - 1)
            if behind == at:
                return -1
            at = behind
        elif token in b")]}":
            return -1
    return -1


def impl_name(header: bytes) -> str:
    """`Type` or `<Type as Trait>` from what stands between `impl` and the body, generics and module paths left out."""
    text = header.decode("utf-8", "replace").replace("->", " ").strip()
    where = _WHERE.search(text)
    text = _without_generics(text[: where.start()] if where else text)
    parts = _FOR.split(text, maxsplit=1)
    if len(parts) == 1:
        return _plain(parts[0])
    return f"<{_plain(parts[1])} as {_plain(parts[0])}>"


def _without_generics(text: str) -> str:
    kept, depth, at = [], 0, 0
    for match in _ANGLES.finditer(text):
        if not depth:
            kept.append(text[at : match.start()])
        depth = max(0, depth + (1 if match[0] == "<" else -1))
        at = match.end()
    kept.append(text[at:] if not depth else "")
    return "".join(kept)


def _plain(text: str) -> str:
    return " ".join(_PATH.sub("", _NOISE.sub("", text)).split())[:_LONGEST_NAME]
