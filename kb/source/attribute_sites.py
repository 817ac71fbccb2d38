"""Sites that are attributes: `#[cube]` lines and thiserror's `#[error("..")]`. Pure.

A panic inside the expansion of an attribute macro is printed at the attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kb.model import SiteKind
from kb.source.attributes import Attribute
from kb.source.found import Found, found
from kb.source.lexer import Lexed
from kb.source.literals import has_words, text_at
from kb.source.scopes import Scope


def error_texts(lexed: Lexed, attributes: Iterable[Attribute]) -> Iterator[Found]:
    """`#[error("..")]` with words of its own."""
    for attribute in attributes:
        if attribute.name == "error" and attribute.opener >= 0:
            text = text_at(lexed, attribute.opener + 1, lexed.pair[attribute.opener])
            if text and has_words(text.template):
                yield found(attribute.start, SiteKind.THISERROR, text)


def cubes(attributes: Iterable[Attribute], owners: Mapping[int, Scope]) -> Iterator[tuple[int, Scope | None]]:
    """Offset of each `#[cube]`, `#[cube(..)]`, also inside `cfg_attr(..)`, and the item that it expands."""
    for attribute in attributes:
        if attribute.name == "cube":
            yield attribute.start, owners.get(attribute.owner)
