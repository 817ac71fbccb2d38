"""One file's versions between the releases, as one line of text: what `_past.gz` holds. Pure.

The versions that stand at an indexed revision of main are left out, for the index has them. Lines are distances, names
and identities stand once a file, so that versions which differ little compress to almost nothing.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import Any, overload

from kb.model import FileFacts, FunctionSpan, SiteKind, SourceSite

GONE = -1
"""The commit took the file away."""
STANDS = -2
"""The version stands at an indexed revision of main: the first one at or after the commit."""
ROW = 0
"""From here on: the number of the version's row."""


@dataclass(frozen=True, slots=True)
class Past:
    """The commits that changed one file, and the versions that no indexed revision of main has."""

    places: tuple[int, ...]
    """Commits of main's own line (first parents), counted from its root; ascending."""
    sides: tuple[str, ...]
    """Shas of other commits (of release branches and of merged ones), sorted."""
    refs: tuple[int, ...]
    """GONE, STANDS or a row, for each of the places and then for each of the sides."""
    rows: Sequence[FileFacts] = ()

    def at(self, place: int) -> int | None:
        """The place of the last change at or before a place of main's own line; None where there is none."""
        found = bisect_right(self.places, place)
        return self.places[found - 1] if found else None

    def ref(self, commit: int | str) -> int:
        """What is known of the version that this very commit made. Raises ValueError for a commit that made none."""
        if isinstance(commit, int):
            return self.refs[self.places.index(commit)]
        return self.refs[len(self.places) + self.sides.index(commit)]


def encode(past: Past) -> str:
    """One line of JSON."""
    tables = _Tables()
    rows = [tables.row(facts) for facts in past.rows]
    data = [_steps(past.places), past.sides, past.refs, list(tables.functions), list(tables.identities), rows]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> Past:
    """The versions again. Raises ValueError and its like for what `encode` did not write."""
    past = read(text)
    return replace(past, rows=tuple(past.rows))


def read(text: str) -> Past:
    """The same, but each row is built when it is asked for: a look-up wants one of some hundred."""
    steps, sides, refs, functions, identities, rows = json.loads(text)
    return Past(tuple(accumulate(steps)), tuple(sides), tuple(refs), _Rows(rows, identities, functions))


class _Rows(Sequence[FileFacts]):
    def __init__(self, rows: Sequence[Any], identities: Sequence[Any], functions: Sequence[str]) -> None:
        self._rows = rows
        self._functions = functions
        self._identity = lru_cache(None)(lambda number: _identity(identities[number], functions))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> FileFacts: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[FileFacts]: ...

    def __getitem__(self, at: int | slice) -> FileFacts | Sequence[FileFacts]:
        if isinstance(at, slice):
            return [self[place] for place in range(len(self))[at]]
        return _facts(self._rows[at], self._identity, self._functions)


def _steps(numbers: Sequence[int]) -> list[int]:
    return list(map(sub, numbers, (0, *numbers[:-1])))


@dataclass(slots=True)
class _Tables:
    """Functions and identities in the order in which the rows name them."""

    functions: dict[str, int] = field(default_factory=dict)
    identities: dict[Hashable, int] = field(default_factory=dict)

    def row(self, facts: FileFacts) -> list[list[int]]:
        return [
            [self._site(site) for site in facts.sites],
            _steps([site.line for site in facts.sites]),
            [site.column for site in facts.sites],
            [self._function(span.function) for span in facts.spans],
            _steps([span.start for span in facts.spans]),
            [span.end - span.start for span in facts.spans],
            [span.test + 2 * span.track_caller for span in facts.spans],
        ]

    def _site(self, s: SourceSite) -> int:
        flags = s.test + 2 * s.macro_body
        one = (self._function(s.function), str(s.kind), s.template, s.target, s.receiver, flags)
        return self.identities.setdefault(one, len(self.identities))

    def _function(self, name: str) -> int:
        return self.functions.setdefault(name, len(self.functions))


def _identity(one: Sequence[Any], functions: Sequence[str]) -> Mapping[str, Any]:
    function, kind, template, target, receiver, flags = one
    return {
        "function": functions[function],
        "kind": SiteKind(kind),
        "template": template,
        "target": target,
        "receiver": receiver,
        "test": flags & 1 > 0,
        "macro_body": flags & 2 > 0,
    }


def _facts(
    row: Sequence[Sequence[int]], identity: Callable[[int], Mapping[str, Any]], functions: Sequence[str]
) -> FileFacts:
    numbers, lines, columns, names, starts, lengths, flags = row
    places = zip(numbers, accumulate(lines), columns, strict=True)
    sites = tuple(SourceSite(line=line, column=column, **identity(n)) for n, line, column in places)
    spans = tuple(
        FunctionSpan(functions[name], start, start + length, flag & 1 > 0, flag & 2 > 0)
        for name, start, length, flag in zip(names, accumulate(starts), lengths, flags, strict=True)
    )
    return FileFacts(sites, spans)
