"""How the inbox stands, as one value: for the command line, and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bot.chores import FOUND
from bot.clock import iso
from bot.store import chores, counts, deliveries, executors
from bot.store.chores import ChoreRow

LATE_SECONDS = 600.0
"""A delivery that has waited for this long is a sign of trouble."""


@dataclass(frozen=True, slots=True)
class Status:
    """Moments in seconds since 1970."""

    now: float
    last_delivery: float | None
    oldest_waiting: float | None
    waiting: int
    parked: int
    workers: int
    chores: Sequence[ChoreRow]

    def is_well(self) -> bool:
        """Somebody works, nothing waits for long, and every chore's last run succeeded."""
        late = self.oldest_waiting is not None and self.now - self.oldest_waiting > LATE_SECONDS
        return self.workers > 0 and not late and not any(row.reason for row in self.chores)

    def lines(self) -> Iterator[str]:
        """One line for each."""
        yield f"workers        {self.workers} alive" if self.workers else "workers        none is alive"
        yield f"last delivery  {self._ago(self.last_delivery)}"
        yield f"waiting        {self.waiting}, the oldest {self._ago(self.oldest_waiting)}"
        yield f"parked         {self.parked}"
        for row in self.chores:
            outcome = f"failed: {row.reason}" if row.reason else f"{row.found} {FOUND.get(row.name, 'found missing')}"
            yield f"{row.name:14} {self._ago(row.ended_at)}, {outcome}"

    def _ago(self, moment: float | None) -> str:
        if moment is None:
            return "never" if self.last_delivery is None else "-"
        return f"{iso(moment)} ({max(0.0, self.now - moment):.0f} s ago)"


def read_status(conn: Connection, now: float) -> Status:
    """The status as the database tells it."""
    open_jobs = dict(counts.open_jobs(conn))
    return Status(
        now=now,
        last_delivery=deliveries.newest(conn),
        oldest_waiting=counts.oldest_waiting(conn),
        waiting=int(open_jobs[(deliveries.QUEUED,)]),
        parked=int(open_jobs[(deliveries.PARKED,)]),
        workers=executors.alive(conn, now),
        chores=chores.all_chores(conn),
    )
