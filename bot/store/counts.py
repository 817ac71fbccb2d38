"""Numbers for metrics and pages, counted from the rows."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from bot.store.deliveries import PARKED, QUEUED
from bot.store.dialect import seconds
from bot.store.schema import deliveries

Counted = list[tuple[tuple[str, ...], float]]


def deliveries_by_kind(conn: Connection) -> Counted:
    """Deliveries by event, state and reason."""
    kinds = (deliveries.c.event, deliveries.c.state, deliveries.c.reason)
    rows = conn.execute(select(*kinds, func.count()).group_by(*kinds).order_by(*kinds))
    return [((str(event), str(state), str(reason)), float(count)) for event, state, reason, count in rows]


def open_jobs(conn: Connection) -> Counted:
    """Deliveries that wait for their job to end, and those whose job was given up."""
    waiting = select(func.count()).where(deliveries.c.settled_at.is_(None))
    parked = select(func.count()).where(deliveries.c.state == PARKED)
    return [
        ((QUEUED,), float(conn.execute(waiting).scalar_one())),
        ((PARKED,), float(conn.execute(parked).scalar_one())),
    ]


def oldest_waiting(conn: Connection) -> float | None:
    """When the oldest delivery came in whose job has not ended."""
    query = select(deliveries.c.received_at).where(deliveries.c.settled_at.is_(None)).order_by(deliveries.c.id).limit(1)
    return seconds(conn.execute(query).scalar())
