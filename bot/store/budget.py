"""The write budget of an installation, shared by all workers: a ledger of writes, each with its moment.

GitHub asks for one second between writes and holds content creation to 80 a minute and 500 an hour
(docs: Best practices for using the REST API; Rate limits, secondary).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from bot.store import installations
from bot.store.installations import Writing
from bot.store.schema import writes

MINUTE = 60.0
HOUR = 3600.0

LATENESS = 5.0
"""Seconds by which a write may go out after its place: it counts in a window that begins as much later."""

PUNCTUALITY = 1.1
"""A write reaches GitHub a little after its moment, sometimes later than the one after it does."""

LONGEST_HOLD = 2 * HOUR
"""GitHub's quotas begin anew within an hour. What lies further ahead was written before the clock was set back."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be written to one installation. `interval` in seconds."""

    interval: float
    per_minute: int
    per_hour: int


def reserve(conn: Connection, installation_id: int, limits: Limits, *, now: float, patience: float) -> float:
    """Take the next free place for a write. Returns the seconds to wait until it comes.

    When that is more than `patience`, nothing is taken: come back after the returned time.
    """
    open_from = _open_from(installations.lock(conn, installation_id), limits, now, patience)
    # So far ahead nobody reserves: a clock was set back, by more than clocks differ from each other.
    ahead = (writes.c.installation_id == installation_id) & (writes.c.at > now + patience + MINUTE)
    conn.execute(delete(writes).where(ahead))
    at = max(open_from, _free_from(conn, installation_id, limits, now))
    if at - now <= patience:
        conn.execute(insert(writes).values(installation_id=installation_id, at=at))
        conn.execute(delete(writes).where(writes.c.installation_id == installation_id, writes.c.at < now - 2 * HOUR))
    return at - now


def depart(conn: Connection, installation_id: int, limits: Limits, *, now: float, patience: float) -> float:
    """Let a write go out whose place has come. Returns the seconds to wait until it may.

    Between its place and this moment it may have looked at GitHub for a while, and others may have gone out, or were
    told to wait. When it is more than `patience`, the write may not go out: come back after the returned time.
    """
    at = _open_from(installations.lock(conn, installation_id), limits, now, patience)
    if at - now <= patience:
        installations.note_write(conn, installation_id, at)
    return at - now


def _open_from(writing: Writing, limits: Limits, now: float, patience: float) -> float:
    """The first moment at which GitHub's hold is over and the last write is far enough away."""
    bounds = [now]
    if writing.held_until <= now + LONGEST_HOLD + MINUTE:
        bounds.append(writing.held_until)
    if writing.wrote_at <= now + patience + MINUTE:
        bounds.append(writing.wrote_at + limits.interval * PUNCTUALITY)
    return max(bounds)


def _free_from(conn: Connection, installation_id: int, limits: Limits, now: float) -> float:
    """The first moment at which one more write keeps all three limits."""
    query = select(writes.c.at).where(writes.c.installation_id == installation_id, writes.c.at > now - 2 * HOUR)
    newest = [float(row[0]) for row in conn.execute(query.order_by(writes.c.at.desc()).limit(limits.per_hour))]
    bounds = [now]
    if newest:
        bounds.append(newest[0] + limits.interval)
    # The write that many places back must have left the window.
    if len(newest) >= limits.per_minute:
        bounds.append(newest[limits.per_minute - 1] + MINUTE + LATENESS)
    if len(newest) >= limits.per_hour:
        bounds.append(newest[limits.per_hour - 1] + HOUR + LATENESS)
    return max(bounds)
