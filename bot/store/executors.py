"""The workers' names, leased. A name is what the job engine knows a worker by: two workers must never share one, and
the jobs of a name that does not come back wait for somebody to take it over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update

from bot.store.dialect import insert, seconds
from bot.store.schema import executors


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds a name, and until when (seconds since 1970)."""

    id: str
    holder: str
    """Random, new for each process: what compare-and-set compares. `FREE` or `RETIRED` when nobody holds the name."""
    place: str
    """Machine, boot and process-id namespace; "" where that cannot be told."""
    pid: int
    expires_at: float


FREE = ""
"""Nobody's: a name that was given back."""

RETIRED = "retired"
"""Nobody's, but its last holder may only have been asleep: waking up, it claims jobs under this name for a moment."""

RETIRED_SECONDS = 86_400.0

Dead = Callable[[Lease], bool]
"""Knows of a lease's holder that it is surely gone."""


def acquire(conn: Connection, *, holder: str, place: str, pid: int, now: float, seconds: float, dead: Dead) -> Lease:
    """Lease a name: the first one that is free or whose holder is dead, else a new one.

    A lease that has run out proves nothing to somebody who just came: the clock may have been set forward a moment ago.
    The living free such a name when they have seen it stand still for long enough.
    """
    for lease in leases(conn):
        if _is_free(lease, now) or dead(lease):
            mine = Lease(lease.id, holder, place, pid, now + seconds)
            if _swap(conn, lease, mine, now):
                return mine
    while True:
        mine = Lease(f"worker-{_next_number(conn)}", holder, place, pid, now + seconds)
        if _insert(conn, mine, now):
            return mine


def renew(conn: Connection, lease: Lease, *, now: float, seconds: float) -> Lease | None:
    """Hold the name for longer. None when somebody else has it by now: then stop working at once."""
    longer = Lease(lease.id, lease.holder, lease.place, lease.pid, now + seconds)
    change = update(executors).where(executors.c.id == lease.id, executors.c.holder == lease.holder)
    row = conn.execute(change.values(expires_at=longer.expires_at).returning(executors.c.id)).first()
    return None if row is None else longer


def take_over(conn: Connection, silent: Lease, mine: Lease, now: float) -> bool:
    """Take the name of a silent worker, to hand on its jobs; False when somebody was faster or it is back."""
    return _swap(conn, silent, Lease(silent.id, mine.holder, mine.place, mine.pid, mine.expires_at), now)


def release(conn: Connection, lease: Lease, now: float, *, left: str = FREE) -> None:
    """Give the name back: the next worker may have it at once, or not for a day if it is `left` retired."""
    change = update(executors).where(executors.c.id == lease.id, executors.c.holder == lease.holder)
    conn.execute(change.values(holder=left, expires_at=now))


def leases(conn: Connection) -> Sequence[Lease]:
    """Every name, in a fixed order."""
    rows = conn.execute(
        select(executors.c.id, executors.c.holder, executors.c.place, executors.c.pid, executors.c.expires_at).order_by(
            executors.c.id
        )
    )
    return [Lease(*row[:4], seconds(row[4]) or 0.0) for row in rows]


def alive(conn: Connection, now: float) -> int:
    """How many workers have renewed their lease in time."""
    return int(conn.execute(select(func.count()).where(executors.c.expires_at > now)).scalar_one())


def is_held(lease: Lease) -> bool:
    """Does anybody hold it, be it a process that is gone?"""
    return lease.holder not in (FREE, RETIRED)


def _is_free(lease: Lease, now: float) -> bool:
    rested = lease.holder == RETIRED and lease.expires_at + RETIRED_SECONDS <= now
    return lease.holder == FREE or rested


def _swap(conn: Connection, old: Lease, new: Lease, now: float) -> bool:
    change = update(executors).where(
        executors.c.id == old.id, executors.c.holder == old.holder, executors.c.expires_at == old.expires_at
    )
    values = {"holder": new.holder, "place": new.place, "pid": new.pid, "expires_at": new.expires_at}
    return conn.execute(change.values(acquired_at=now, **values).returning(executors.c.id)).first() is not None


def _insert(conn: Connection, lease: Lease, now: float) -> bool:
    values = {"id": lease.id, "holder": lease.holder, "place": lease.place, "pid": lease.pid}
    statement = insert(conn, executors).values(values | {"acquired_at": now, "expires_at": lease.expires_at})
    return conn.execute(statement.on_conflict_do_nothing().returning(executors.c.id)).first() is not None


def _next_number(conn: Connection) -> int:
    taken = {lease.id for lease in leases(conn)}
    return next(n for n in range(1, len(taken) + 2) if f"worker-{n}" not in taken)
