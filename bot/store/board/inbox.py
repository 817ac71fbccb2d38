"""What came in and what became of it, for the repositories of a visitor."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, text

from bot.store.deliveries import QUEUED
from bot.store.schema import deliveries

MOST_RETRIED = 200
"""Jobs that are run again at once."""

PARKED = text("state = 'parked'")
FOUND = text("via <> 'webhook'")
"""Written out: a condition with a parameter would not be seen to fit the index."""


@dataclass(frozen=True, slots=True)
class Came:
    """One delivery."""

    id: int
    guid: str
    event: str
    action: str
    repo: str
    repo_id: int
    issue: int | None
    issue_id: int | None
    sender: str
    via: str
    state: str
    reason: str
    received_at: float
    settled_at: float | None


_COLUMNS = tuple(deliveries.c[name] for name in Came.__slots__)


def page(
    conn: Connection, repo_ids: Sequence[int], *, state: str = "", before: int | None = None, limit: int
) -> list[Came]:
    """The newest deliveries, older than row `before`; `state`: parked, queued or "" for all."""
    where: list[Any] = []
    if state == "parked":
        where.append(PARKED)
    elif state == QUEUED:
        where.append(deliveries.c.settled_at.is_(None))
    if before is not None:
        where.append(deliveries.c.id < before)
    walks = [_walk(conn, deliveries.c.repo_id == repo_id, where, limit) for repo_id in repo_ids]
    merged = heapq.merge(*walks, key=lambda came: came.id, reverse=True)
    return [came for came, _ in zip(merged, range(limit), strict=False)]


def _walk(conn: Connection, mine: ColumnElement[bool], where: Sequence[Any], limit: int) -> Iterator[Came]:
    query = select(*_COLUMNS).where(mine, *where).order_by(deliveries.c.id.desc()).limit(limit)
    return (Came(*row) for row in conn.execute(query))


def one(conn: Connection, repo_ids: Sequence[int], row_id: int) -> Came | None:
    """One delivery; None where there is none, or it is of another repository."""
    if not 0 < row_id < 2**63:
        return None
    row = conn.execute(select(*_COLUMNS).where(deliveries.c.id == row_id)).first()
    return Came(*row) if row is not None and row.repo_id in repo_ids else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Jobs that have not ended. Moments in seconds since 1970."""

    jobs: int
    oldest: float | None


def waiting(conn: Connection, repo_ids: Sequence[int]) -> Waiting:
    """How many wait or run, and since when the oldest does."""
    query = select(func.count(), func.min(deliveries.c.received_at)).where(deliveries.c.settled_at.is_(None))
    row = conn.execute(query.where(deliveries.c.repo_id.in_(repo_ids))).one()
    return Waiting(int(row[0]), row[1])


def parked_by_reason(conn: Connection, repo_ids: Sequence[int]) -> list[tuple[str, int]]:
    """Jobs that were given up by their reason, the most frequent first."""
    count = func.count().label("n")
    query = select(deliveries.c.reason, count).where(PARKED, deliveries.c.repo_id.in_(repo_ids))
    rows = conn.execute(query.group_by(deliveries.c.reason).order_by(count.desc(), deliveries.c.reason))
    return [(str(reason), int(n)) for reason, n in rows]


def found_missing(conn: Connection, repo_ids: Sequence[int], since: float) -> dict[tuple[str, str], int]:
    """What no webhook told us of, by how it was found (swept, reconciled) and what became of it."""
    table = deliveries.c
    mine = (table.repo_id.in_(repo_ids), table.received_at >= since, table.via.in_(("swept", "reconciled")))
    query = select(table.via, table.state, func.count()).where(FOUND, *mine).group_by(table.via, table.state)
    return {(str(via), str(state)): int(n) for via, state, n in conn.execute(query)}


def last_webhook(conn: Connection, repo_ids: Sequence[int]) -> float | None:
    """When the last webhook about one of these repositories came in."""
    table = deliveries.c
    newest = [
        conn.execute(
            select(table.received_at)
            .where(table.repo_id == repo_id, table.via == "webhook")
            .order_by(table.id.desc())
            .limit(1)
        ).scalar()
        for repo_id in repo_ids
    ]
    return max((at for at in newest if at is not None), default=None)
