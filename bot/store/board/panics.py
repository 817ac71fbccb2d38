"""Which panics come up: how often, since when, in which issues and versions, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

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


def most_frequent(
    conn: Connection, repo_ids: Sequence[int], *, since: float = 0.0, unexplained: bool = False, limit: int = 8,
    offset: int = 0,
) -> list[Panic]:  # fmt: skip
    """Those of most issues first. `since`: of issues opened then or later; `unexplained`: without an entry."""
    table = occurrences.c
    mine = [table.repo_id.in_(repo_ids), *([table.opened_at >= iso(since)] if since else [])]
    count = func.count().label("issues")
    query = select(*_COLUMNS).where(*mine).group_by(table.fingerprint)
    if unexplained:
        query = query.having(func.max(table.entry).is_(None))
    order = (count.desc(), func.max(table.opened_at).desc(), table.fingerprint)
    return [_panic(row) for row in conn.execute(query.order_by(*order).limit(limit).offset(offset))]


def count_unexplained(conn: Connection, repo_ids: Sequence[int]) -> tuple[int, int]:
    """Panics without an entry, and the issues that show them."""
    table = occurrences.c
    grouped = select(func.count().label("n")).where(table.repo_id.in_(repo_ids)).group_by(table.fingerprint)
    each = grouped.having(func.max(table.entry).is_(None)).subquery()
    row = conn.execute(select(func.count(), func.coalesce(func.sum(each.c.n), 0))).one()
    return int(row[0]), int(row[1])


def new_since(conn: Connection, repo_ids: Sequence[int], *, since: float, limit: int = 6) -> list[Panic]:
    """Panics that no issue showed before `since`, those of most issues first."""
    table = occurrences.c
    lately = select(table.fingerprint).where(table.repo_id.in_(repo_ids), table.opened_at >= iso(since)).distinct()
    found = [str(row[0]) for row in conn.execute(lately)]
    query = select(*_COLUMNS).where(table.repo_id.in_(repo_ids), table.fingerprint.in_(found))
    new = query.group_by(table.fingerprint).having(func.min(table.opened_at) >= iso(since))
    rows = conn.execute(new.order_by(func.count().desc(), func.max(table.opened_at).desc()).limit(limit))
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
    conn: Connection, repo_ids: Sequence[int], fingerprint: str, limit: int = READ_FOR_VERSIONS
) -> list[dict[str, Any]]:
    """The last verdicts on a panic as redacted JSON, newest first."""
    ids = [int(row[0]) for row in conn.execute(_newest_ids(repo_ids, fingerprint, limit))]
    rows = conn.execute(select(verdicts.c.id, verdicts.c.verdict).where(verdicts.c.id.in_(ids)))
    return [verdict for _, verdict in sorted(((row[0], row[1]) for row in rows), key=lambda row: -row[0])]


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


def _newest_ids(repo_ids: Sequence[int], fingerprint: str, limit: int) -> Any:
    # One walk down the index for each repository; over all of them at once the rows would have to be sorted.
    each = [
        select(verdicts.c.id)
        .where(verdicts.c.fingerprint == fingerprint, verdicts.c.repo_id == repo_id)
        .order_by(verdicts.c.id.desc())
        .limit(limit)
        .subquery()
        for repo_id in repo_ids
    ]
    first, *rest = [select(found.c.id) for found in each]
    united = first.union_all(*rest).subquery() if rest else each[0]
    return select(united.c.id).order_by(united.c.id.desc()).limit(limit)


_COLUMNS = (
    occurrences.c.fingerprint,
    func.max(occurrences.c.entry),
    func.count().label("issues"),
    func.count().filter(occurrences.c.state == "open"),
    func.min(occurrences.c.opened_at),
    func.max(occurrences.c.opened_at),
)


def _panic(row: Any) -> Panic:
    fingerprint, entry, issues, open_, first_at, last_at = row
    return Panic(str(fingerprint), entry, int(issues), int(open_), str(first_at), str(last_at))


def _is(repo_ids: Sequence[int], fingerprint: str) -> tuple[ColumnElement[bool], ...]:
    return (occurrences.c.repo_id.in_(repo_ids), occurrences.c.fingerprint == fingerprint)
