"""Panics as the dashboard lists them: the counts of the store with the words of the newest verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from bot.store.board import panics
from bot.store.board.panics import Panic
from bot.web.shelf import Shelf

LONGEST_TITLE = 140
MOST_VERSIONS = 4


@dataclass(frozen=True, slots=True)
class PanicRow:
    """One line of a list."""

    panic: Panic
    title: str
    """The entry's title, else the first line of the message, redacted."""
    explained: bool
    place: str
    """Path and line as last decided, "" where none is known."""
    versions: tuple[str, ...]
    """Versions in the last verdicts, most frequent first."""
    weeks: tuple[int, ...]
    """Issues by week, oldest first."""


def rows(
    conn: Connection, shelf: Shelf, found: Sequence[Panic], repo_ids: Sequence[int], *, now: float, weeks: int
) -> list[PanicRow]:
    """The list of these panics."""
    names = [one.fingerprint for one in found]
    counts = panics.by_week(conn, repo_ids, names, now=now, count=weeks)
    verdicts = panics.newest_verdicts(conn, repo_ids, names)
    return [shown(one, verdicts[one.fingerprint], shelf, counts[one.fingerprint]) for one in found]


def shown(panic: Panic, verdicts: Sequence[Mapping[str, Any]], shelf: Shelf, weeks: Iterable[int] = ()) -> PanicRow:
    """One panic with what its last verdicts say."""
    entry = shelf.entries.get(panic.entry) if panic.entry else None
    newest = verdicts[0] if verdicts else {}
    title = entry.title if entry else headline(newest) or "A panic whose words are forgotten"
    return PanicRow(panic, title, panic.entry is not None, place(newest), versions(verdicts), tuple(weeks))


def root(verdict: Mapping[str, Any]) -> Mapping[str, Any]:
    """The panic that counts, {} where there is none. `verdict`: as the store keeps it."""
    found: list[Mapping[str, Any]] = (verdict.get("reading") or {}).get("panics") or []
    return next((one for one in found if one.get("role") == "root"), found[0] if found else {})


def headline(verdict: Mapping[str, Any]) -> str:
    """The first line of the message that has words, cut."""
    lines = str(root(verdict).get("message") or "").splitlines()
    return next((line.strip()[:LONGEST_TITLE] for line in lines if line.strip(" =\t")), "")


def place(verdict: Mapping[str, Any]) -> str:
    """`path:line` of the place; of the printed location where no place was found."""
    found = verdict.get("place")
    if found:
        return f"{found['path']}:{found['line']}"
    location = root(verdict).get("location") or {}
    return f"{location['file']}:{location['line']}" if location.get("file") else ""


def versions(verdicts: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The versions that reporters had."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        name = ((verdict.get("place") or {}).get("revision") or {}).get("name") or (
            (root(verdict).get("location") or {}).get("version") or ""
        )
        if name:
            counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts, key=lambda name: -counts[name])[:MOST_VERSIONS])
