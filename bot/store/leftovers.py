"""Jobs whose records in the job engine are still to be deleted: noted in the transaction that forgets what they were
about, so that a crash between the two leaves nothing behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from bot.store.dialect import chunks, insert, seconds
from bot.store.schema import leftovers


@dataclass(frozen=True, slots=True)
class Leftover:
    """The delivery whose job is meant, and since when (seconds since 1970)."""

    delivery_id: int
    guid: str
    since: float


def note(conn: Connection, deliveries: Sequence[tuple[int, str]], now: float) -> None:
    """The jobs of these deliveries (row id, GUID) are to go."""
    for some in chunks(deliveries):
        values = [{"delivery_id": row_id, "guid": guid, "since": now} for row_id, guid in some]
        conn.execute(insert(conn, leftovers).values(values).on_conflict_do_nothing(index_elements=["delivery_id"]))


def every(conn: Connection) -> Sequence[Leftover]:
    """All of them, oldest delivery first."""
    rows = conn.execute(select(leftovers).order_by(leftovers.c.delivery_id))
    return [Leftover(row.delivery_id, row.guid, seconds(row.since) or 0.0) for row in rows]


def drop(conn: Connection, delivery_ids: Sequence[int]) -> None:
    """Their jobs are gone."""
    for some in chunks(delivery_ids):
        conn.execute(delete(leftovers).where(leftovers.c.delivery_id.in_(some)))
