"""Which panics come up: how often, since when, in which issues and versions, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Select, bindparam, exists, func, select, union_all

from bot.clock import iso
from bot.store.board.overview import WEEK
from bot.store.schema import occurrences, verdicts

READ_FOR_VERSIONS = 6
"""Verdicts of one panic whose versions are read for a list."""


@dataclass(frozen=True, slots=True)
class Panic:
    """One panic over the issues of all repositories asked for. Moments in ISO 8601."""

    fingerprint: str
    entry: str | None
    issues: int
    open: int
    first_at: str
    last_at: str


def most_frequent(conn: Connection, repo_ids: Sequence[int], *, since: float = 0.0, limit: int = 8) -> list[Panic]:
    """Those of most issues first. `since`: of issues opened then or later."""
    table = occurrences.c
    mine = [table.repo_id.in_(repo_ids), *([table.opened_at >= iso(since)] if since else [])]
    count = func.count().label("issues")
    query = select(*_COLUMNS).where(*mine).group_by(table.fingerprint)
    order = (count.desc(), func.max(table.opened_at).desc(), table.fingerprint)
    return [_panic(row) for row in conn.execute(query.order_by(*order).limit(limit))]


def unexplained(conn: Connection, repo_ids: Sequence[int]) -> list[tuple[str, int]]:
    """Every panic without an entry, and how many issues show it: those of most issues first, then the latest."""
    table, known = occurrences.c, occurrences.alias("known")
    count, last = func.count().label("n"), func.max(table.opened_at).label("last")
    bare = select(table.fingerprint, count, last).where(table.repo_id.in_(repo_ids), table.entry.is_(None))
    each = bare.group_by(table.fingerprint).subquery()
    # Some issues may have been read before there was an entry.
    same = (known.c.repo_id.in_(repo_ids), known.c.fingerprint == each.c.fingerprint, known.c.entry.is_not(None))
    query = select(each.c.fingerprint, each.c.n).where(~exists().where(*same))
    rows = conn.execute(query.order_by(each.c.n.desc(), each.c.last.desc(), each.c.fingerprint))
    return [(str(fingerprint), int(n)) for fingerprint, n in rows]


def several(conn: Connection, repo_ids: Sequence[int], fingerprints: Sequence[str]) -> list[Panic]:
    """These panics, in this order; one that none of these repositories has met is left out."""
    table = occurrences.c
    query = select(*_COLUMNS).where(table.repo_id.in_(repo_ids), table.fingerprint.in_(fingerprints))
    found = {str(row[0]): _panic(row) for row in conn.execute(query.group_by(table.fingerprint))}
    return [found[fingerprint] for fingerprint in fingerprints if fingerprint in found]


def new_since(conn: Connection, repo_ids: Sequence[int], *, since: float, limit: int = 6) -> list[Panic]:
    """Panics that no issue showed before `since`, those of most issues first."""
    table, before = occurrences.c, occurrences.alias("before")
    lately = select(*_COLUMNS).where(table.repo_id.in_(repo_ids), table.opened_at >= iso(since))
    each = lately.group_by(table.fingerprint).subquery()
    same = (before.c.repo_id.in_(repo_ids), before.c.fingerprint == each.c.fingerprint)
    query = select(each).where(~exists().where(*same, before.c.opened_at < iso(since)))
    rows = conn.execute(query.order_by(each.c.issues.desc(), each.c.last_at.desc(), each.c.fingerprint).limit(limit))
    return [_panic(row) for row in rows]


def one(conn: Connection, repo_ids: Sequence[int], fingerprint: str) -> Panic | None:
    """One panic; None where none of these repositories has met it."""
    if "\0" in fingerprint:  # which PostgreSQL takes in no text
        return None
    row = conn.execute(select(*_COLUMNS).where(*_is(repo_ids, fingerprint)).group_by(occurrences.c.fingerprint)).first()
    return None if row is None else _panic(row)


def by_week(
    conn: Connection, repo_ids: Sequence[int], fingerprints: Sequence[str], *, now: float, count: int
) -> dict[str, list[int]]:
    """For each panic the issues opened in each of the last `count` weeks, oldest first."""
    table = occurrences.c
    since = now - count * WEEK
    day = func.substr(table.opened_at, 1, 10).label("day")
    mine = (table.repo_id.in_(repo_ids), table.fingerprint.in_(fingerprints), table.opened_at > iso(since))
    query = select(table.fingerprint, day, func.count()).where(*mine).group_by(table.fingerprint, day)
    found = {fingerprint: [0] * count for fingerprint in fingerprints}
    starts = [iso(since + number * WEEK)[:10] for number in range(count)]
    for fingerprint, opened, n in conn.execute(query):
        week = max((i for i, start in enumerate(starts) if start <= opened), default=0)
        found[fingerprint][week] += int(n)
    return found


@dataclass(frozen=True, slots=True)
class Seen:
    """An issue that shows a panic. `opened_at` in ISO 8601."""

    repo: str
    number: int
    state: str
    opened_at: str
    repo_id: int
    issue_id: int


def issues_of(conn: Connection, repo_ids: Sequence[int], fingerprint: str, limit: int = 50) -> list[Seen]:
    """The issues that show a panic, newest first."""
    columns = [occurrences.c[name] for name in Seen.__slots__]
    query = select(*columns).where(*_is(repo_ids, fingerprint)).order_by(occurrences.c.opened_at.desc()).limit(limit)
    return [Seen(*row) for row in conn.execute(query)]


def newest_verdicts(
    conn: Connection, repo_ids: Sequence[int], fingerprints: Sequence[str], limit: int = READ_FOR_VERSIONS
) -> dict[str, list[dict[str, Any]]]:
    """For each panic its last verdicts as redacted JSON, newest first."""
    if not repo_ids:
        return {name: [] for name in fingerprints}
    query = _newest_ids(len(repo_ids))
    where = {f"repo_{number}": repo_id for number, repo_id in enumerate(repo_ids)} | {"most": limit}
    ids = {name: conn.execute(query, where | {"panic": name}).scalars().all() for name in fingerprints}
    every = [number for numbers in ids.values() for number in numbers]
    found = {
        int(row[0]): row[1]
        for row in conn.execute(select(verdicts.c.id, verdicts.c.verdict).where(verdicts.c.id.in_(every)))
    }
    return {name: [found[number] for number in numbers if number in found] for name, numbers in ids.items()}


def verdict_ids(conn: Connection, seen: Iterable[Seen]) -> dict[tuple[int, int], int]:
    """The number of the newest verdict of each issue, by repository and issue id."""
    keys = list(seen)
    table = verdicts.c
    query = select(table.repo_id, table.issue_id, func.max(table.id))
    query = query.where(
        table.repo_id.in_({one.repo_id for one in keys}), table.issue_id.in_({one.issue_id for one in keys})
    )
    rows = conn.execute(query.group_by(table.repo_id, table.issue_id))
    return {(int(repo_id), int(issue_id)): int(number) for repo_id, issue_id, number in rows}


@cache
def _newest_ids(repos: int) -> Select[Any]:
    """The last verdicts on one panic in so many repositories. Kept: putting it together takes longer than asking."""
    most = bindparam("most", type_=Integer)
    # One walk down the index for each repository; over all of them at once the rows would have to be sorted.
    each = [
        select(verdicts.c.id)
        .where(verdicts.c.fingerprint == bindparam("panic"), verdicts.c.repo_id == bindparam(f"repo_{number}"))
        .order_by(verdicts.c.id.desc())
        .limit(most)
        .subquery()
        for number in range(repos)
    ]
    united = union_all(*(select(found.c.id) for found in each)).subquery()
    return select(united.c.id).order_by(united.c.id.desc()).limit(most)


_COLUMNS = (
    occurrences.c.fingerprint,
    func.max(occurrences.c.entry).label("entry"),
    func.count().label("issues"),
    func.count().filter(occurrences.c.state == "open").label("open"),
    func.min(occurrences.c.opened_at).label("first_at"),
    func.max(occurrences.c.opened_at).label("last_at"),
)


def _panic(row: Any) -> Panic:
    fingerprint, entry, issues, open_, first_at, last_at = row
    return Panic(str(fingerprint), entry, int(issues), int(open_), str(first_at), str(last_at))


def _is(repo_ids: Sequence[int], fingerprint: str) -> tuple[ColumnElement[bool], ...]:
    return (occurrences.c.repo_id.in_(repo_ids), occurrences.c.fingerprint == fingerprint)
