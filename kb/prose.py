"""Prose of entries taken apart: sentences, code spans, names in code spans. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*!?")
_QUALIFIED = re.compile(r"<([A-Za-z_]\w*) as ([A-Za-z_]\w*)>::(\w+)")
_QUOTED_WORDS = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)+[.:!]?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_END = re.compile(r"[.!?](?=\s|$)")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|ca)|\b[A-Z])\.$")


def spans(prose: str) -> list[str]:
    """The texts in back-ticks, in order, without the ticks."""
    return [match[2].strip() for match in _SPAN.finditer(prose)]


def without_spans(prose: str) -> str:
    """The prose with every code span as one word `code`."""
    return _SPAN.sub("code", prose)


def sentences(prose: str) -> list[str]:
    """The sentences of a text; a dot inside a code span, a version or an abbreviation ends none."""
    text = " ".join(without_spans(prose).split())
    found, start = [], 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if not _NO_END.search(piece.strip()):
            found.append(piece.strip())
            start = match.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def names(span: str) -> Iterator[str]:
    """The identifiers of a code span, string literals left out.

    A span of plain words (`Can save the state.`) is a quotation of a message and names nothing.
    """
    if _QUOTED_WORDS.fullmatch(span):
        return
    for match in _NAME.finditer(_STRING.sub(" ", span)):
        yield match.group()


def paths(span: str) -> Iterator[str]:
    """Paths as written (`Tensor::matmul`, `get_handle`, `check!`); `<A as B>::f` gives `A::f`, `B::f` and `f`."""
    for match in _QUALIFIED.finditer(span):
        yield from (f"{match[1]}::{match[3]}", f"{match[2]}::{match[3]}", match[3])
    for match in _PATH.finditer(_QUALIFIED.sub(" ", span)):
        yield match.group()


def spellings(function: str) -> frozenset[str]:
    """The ways in which prose may name a function of the index, besides its bare last name.

    `<Fusion as TransactionOps>::tr_execute` gives `Fusion::tr_execute` and `TransactionOps::tr_execute`.
    """
    match = re.fullmatch(r"<(.+) as (.+)>::(\w+)", function)
    if match:
        kind, trait, name = (part.rsplit("::", 1)[-1] for part in match.groups())
        return frozenset({f"{kind}::{name}", f"{trait}::{name}"})
    return frozenset({function, "::".join(function.split("::")[-2:])})


def bare_name(function: str) -> str:
    """The last name of a function: `tr_execute` of `<Fusion as TransactionOps>::tr_execute`."""
    return function.rsplit("::", 1)[-1]
