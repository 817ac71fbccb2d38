"""What came in and what became of it, for the repositories of a visitor."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, text, tuple_

from bot.store.deliveries import QUEUED
from bot.store.schema import deliveries

MOST_RETRIED = 200
"""Jobs that are run again at once."""

PARKED = text("state = 'parked'")
FOUND = text("via <> 'webhook'")
WAITING = text("settled_at IS NULL")
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
    if state:
        ids = heapq.nlargest(limit, (i for i in _set_aside(conn, state, repo_ids) if before is None or i < before))
    else:
        walks = [_walk(conn, repo_id, before, limit) for repo_id in repo_ids]
        ids = heapq.nlargest(limit, (i for walk in walks for i in walk))
    rows = conn.execute(select(*_COLUMNS).where(deliveries.c.id.in_(ids)))
    return sorted((Came(*row) for row in rows), key=lambda came: -came.id)


def _walk(conn: Connection, repo_id: int, before: int | None, limit: int) -> list[int]:
    table = deliveries.c
    key = tuple_(table.repo_id, table.id)
    # As a pair, so that the index over both is the way to go, not the rows in the order of their numbers.
    query = select(table.id).where(table.repo_id == repo_id, key < tuple_(repo_id, before or 2**63 - 1))
    rows = conn.execute(query.order_by(table.repo_id.desc(), table.id.desc()).limit(limit))
    return [int(row[0]) for row in rows]


def _set_aside(conn: Connection, state: str, repo_ids: Sequence[int]) -> list[int]:
    """Rows of a state that few are in, by its own index: a condition on the repository would lead to another one."""
    condition = PARKED if state == "parked" else WAITING
    mine = frozenset(repo_ids)
    return [
        int(i)
        for repo_id, i in conn.execute(select(deliveries.c.repo_id, deliveries.c.id).where(condition))
        if repo_id in mine
    ]


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
    ids = _set_aside(conn, QUEUED, repo_ids)
    query = select(deliveries.c.received_at).where(deliveries.c.id == min(ids, default=0))
    return Waiting(len(ids), conn.execute(query).scalar())


def parked_by_reason(conn: Connection, repo_ids: Sequence[int]) -> list[tuple[str, int]]:
    """Jobs that were given up by their reason, the most frequent first."""
    rows = conn.execute(select(deliveries.c.repo_id, deliveries.c.reason).where(PARKED))
    counts = Counter(str(reason) for repo_id, reason in rows if repo_id in repo_ids)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def found_missing(conn: Connection, repo_ids: Sequence[int], since: float) -> dict[tuple[str, str], int]:
    """What no webhook told us of, by how it was found (swept, reconciled) and what became of it."""
    table = deliveries.c
    rows = conn.execute(select(table.repo_id, table.via, table.state, table.received_at).where(FOUND))
    mine = [(str(via), str(state)) for repo_id, via, state, at in rows if repo_id in repo_ids and at >= since]
    return dict(Counter(key for key in mine if key[0] in ("swept", "reconciled")))


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
