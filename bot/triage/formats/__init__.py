"""One file per layout in which a panic is printed. Each declares `FORMAT`, one `PanicFormat`; the folder is the list.

A new layout is a new file here and at least three samples in tests/corpus/panics/<name>/; nothing else changes.
Modules with a leading underscore hold what layouts share.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bot.triage.formats._text import Find, Text


@dataclass(frozen=True, slots=True)
class PanicFormat:
    """A layout in which some runtime or tool prints panics."""

    name: str
    """Also the name of its file."""
    since: str
    """Release or tool from which on it is printed, for people."""
    cues: tuple[str, ...]
    """Lower-case pieces, one of which stands on the first line of every find: a cheap filter before `parse`."""
    parse: Callable[[Text, int], Find | None]
    """Reads one panic whose first line is the given one; None when this line starts no panic of this layout."""
    bare: bool = False
    """Words without a header: tried only in paragraphs and code blocks in which no layout with a header found one."""
    blocks: bool = False
    """Tried on the first line of every paragraph and code block too, whatever it holds."""


@cache
def cues(*, bare: bool) -> tuple[str, ...]:
    """The cues of all layouts with a header, or of all bare ones, lower case: most lines hold none.

    Plain strings: asking for each in turn takes a tenth of the time of one pattern that ignores case.
    """
    wanted = {cue for one in all_formats() if one.bare is bare for cue in one.cues}
    return tuple(sorted(cue for cue in wanted if not any(other != cue and other in cue for other in wanted)))


@cache
def by_cue(*, bare: bool) -> tuple[tuple[PanicFormat, ...], ...]:
    """The layouts with a header, or the bare ones, in groups that share their cues."""
    groups: dict[tuple[tuple[str, ...], bool], list[PanicFormat]] = {}
    for one in all_formats():
        if one.bare is bare:
            groups.setdefault((one.cues, one.blocks), []).append(one)
    return tuple(tuple(group) for group in groups.values())


@cache
def all_formats() -> tuple[PanicFormat, ...]:
    """Every layout of this folder, by name. The order does not matter: at most one of a kind claims a line."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    formats = tuple(importlib.import_module(f"{__name__}.{name}").FORMAT for name in names)
    for name, one in zip(names, formats, strict=True):
        if one.name != name:
            raise ValueError(f"{__name__}.{name} declares a format named {one.name!r}")
    return formats
