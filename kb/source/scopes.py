"""Which function every byte of a file belongs to, and whether it is test code. Pure.

Names are those of `kb.model.SiteKey.function`: `Type::method`, `<Type as Trait>::method`, `Trait::method` for a
provided method, `outer::inner` for a function in a function, `name!` for a macro's body; modules are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.source.outline import Item

_TEST_MODULES = frozenset({"test", "tests"})


class Scope(NamedTuple):
    """An item with its full name. Offsets in bytes."""

    start: int
    end: int
    body: int
    kind: str
    """fn, impl, trait, mod, macro, or quote for the arguments of `quote!`."""
    name: str
    """The item's own name."""
    label: str
    """The full name that what is defined inside starts with; "" for a module."""
    function: str
    """What a site directly inside belongs to; "" where that is no function."""
    test: bool
    macro_body: bool


def scopes(
    items: Iterable[Item], tests: frozenset[int], quotes: Iterable[tuple[int, int]], whole: Scope
) -> list[Scope]:
    """The whole file, items and quotes as scopes, outer before inner.

    `tests` are the starts of items that an attribute makes test code.
    """
    every = sorted([*items, *(Item(start, end, start, "quote", "") for start, end in quotes)])
    stack = [whole]
    made = [whole]
    for item in every:
        while stack[-1].end <= item.start:
            stack.pop()
        scope = _scope(item, stack[-1], item.start in tests)
        made.append(scope)
        stack.append(scope)
    return made


def whole_file(size: int, *, test: bool) -> Scope:
    """The scope around everything in a file of `size` bytes."""
    return Scope(-1, size + 1, -1, "mod", "", "", "", test, False)


def _scope(item: Item, parent: Scope, test: bool) -> Scope:
    label, function = _names(item, parent)
    test = test or parent.test or _names_tests(item)
    hidden = parent.macro_body or item.kind in ("macro", "quote")
    return Scope(item.start, item.end, item.body, item.kind, item.name, label, function, test, hidden)


def _names(item: Item, parent: Scope) -> tuple[str, str]:
    """Label and function; what stands in a macro's body or in quoted code belongs to what holds that."""
    if item.kind == "macro":
        return item.name, item.name
    if parent.macro_body or item.kind == "quote":
        return parent.label, parent.function
    if item.kind == "fn":
        label = f"{parent.label}::{item.name}" if parent.label and parent.kind != "mod" else item.name
        return label, label
    return ("", "") if item.kind == "mod" else (item.name, "")


def _names_tests(item: Item) -> bool:
    if item.kind == "mod":
        return item.name in _TEST_MODULES
    return item.kind == "macro" and item.name.startswith("testgen")


def locate(offsets: Iterable[int], every: list[Scope]) -> Iterator[Scope]:
    """The innermost scope around each of the offsets, which ascend; `every` starts with the whole file."""
    stack = every[:1]
    next_ = 1
    for offset in offsets:
        while next_ < len(every) and every[next_].start <= offset:
            scope = every[next_]
            next_ += 1
            while stack[-1].end <= scope.start:
                stack.pop()
            stack.append(scope)
        while stack[-1].end <= offset:
            stack.pop()
        yield stack[-1]
