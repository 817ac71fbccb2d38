"""What is done again and again by one worker for all: when it was last done, up to where, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select, update

from bot.store.dialect import insert, seconds
from bot.store.schema import chores

CLOCKS_DIFFER = 60.0
"""Seconds that the clocks of two machines may lie apart."""


@dataclass(frozen=True, slots=True)
class ChoreRow:
    """A chore's last run. Times in seconds since 1970."""

    name: str
    started_at: float
    ended_at: float | None
    covered_until: float | None
    found: int
    reason: str


def claim(conn: Connection, name: str, *, now: float, every: float) -> ChoreRow | None:
    """Take a chore on: how it stood before, or None when it is not due or another worker was faster."""
    first = insert(conn, chores).values(name=name, started_at=0.0)
    conn.execute(first.on_conflict_do_nothing(index_elements=["name"]))
    if seconds(conn.execute(select(chores.c.started_at).where(chores.c.name == name)).scalar()) is None:
        conn.execute(update(chores).where(chores.c.name == name).values(started_at=0.0))
    row = read(conn, name)
    assert row is not None
    # A start that lies ahead by more than clocks differ was written before the clock was set back.
    if now - every < row.started_at <= now + CLOCKS_DIFFER:
        return None
    change = update(chores).where(chores.c.name == name, chores.c.started_at == row.started_at)
    taken = conn.execute(change.values(started_at=now).returning(chores.c.name)).first()
    return row if taken else None


def succeed(conn: Connection, name: str, *, now: float, covered_until: float, found: int) -> None:
    """The chore is done."""
    done = {"ended_at": now, "covered_until": covered_until, "found": found, "reason": ""}
    conn.execute(update(chores).where(chores.c.name == name).values(done))


def fail(conn: Connection, name: str, *, now: float, reason: str) -> None:
    """The chore could not be done: the next run starts from where the last good one ended."""
    conn.execute(update(chores).where(chores.c.name == name).values(ended_at=now, reason=reason[:64]))


def read(conn: Connection, name: str) -> ChoreRow | None:
    """One chore."""
    row = conn.execute(select(chores).where(chores.c.name == name)).first()
    return None if row is None else _read(row)


def all_chores(conn: Connection) -> Sequence[ChoreRow]:
    """Every chore that was ever begun, by name."""
    return [_read(row) for row in conn.execute(select(chores).order_by(chores.c.name))]


def _read(row: Row[Any]) -> ChoreRow:
    """What is garbage counts as never."""
    ended, covered = seconds(row.ended_at), seconds(row.covered_until)
    return ChoreRow(
        row.name, seconds(row.started_at) or 0.0, ended, covered, int(seconds(row.found) or 0), str(row.reason)
    )
