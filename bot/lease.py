"""A worker's hold on its name: leased in the database, renewed while it lives, taken over when it falls silent."""

from __future__ import annotations

import os
import platform
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from bot.clock import Clock
from bot.store import executors
from bot.store.executors import Lease

_MARGIN = 0.8
"""Part of the lease during which its holder dares to write: clocks differ, and a write takes time."""


@dataclass
class LeaseKeeper:
    """Holds one name for this process."""

    engine: Engine
    clock: Clock
    seconds: float
    monotonic: Callable[[], float] = time.monotonic
    """A clock that nobody can set."""
    lease: Lease | None = None
    _renewed: float = 0.0
    _seen: dict[Lease, float] = field(default_factory=dict)
    """Since when (monotonic) we see each lease stand as it does."""

    def acquire(self) -> Lease:
        """Lease a name; the first thing a worker does."""
        self._renewed = self.monotonic()
        with self.engine.begin() as conn:
            self.lease = executors.acquire(
                conn,
                holder=secrets.token_hex(16),
                place=this_place(),
                pid=os.getpid(),
                now=self.clock.now(),
                seconds=self.seconds,
                dead=is_dead,
            )
        return self.lease

    def renew(self) -> bool:
        """Hold it for longer. False when another worker has the name by now: then this process must end at once."""
        assert self.lease is not None
        asked = self.monotonic()
        with self.engine.begin() as conn:
            longer = executors.renew(conn, self.lease, now=self.clock.now(), seconds=self.seconds)
        if longer is None:
            return False
        self.lease, self._renewed = longer, asked
        return True

    def is_valid(self) -> bool:
        """May this process still write? Measured with a clock that nobody can set."""
        return self.lease is not None and self.monotonic() - self._renewed < self.seconds * _MARGIN

    def release(self) -> None:
        """Give the name back."""
        if self.lease is not None:
            with self.engine.begin() as conn:
                executors.release(conn, self.lease, self.clock.now())

    def silent(self) -> list[Lease]:
        """The names that were given back, whose holders are dead, or that stood as they are for a whole lease by now.

        What the leases say of time is not asked: clocks are set, forward and back, and differ between machines. A
        holder dares to write for a part of that time only.
        """
        assert self.lease is not None
        with self.engine.begin() as conn:
            others = [lease for lease in executors.leases(conn) if lease.id != self.lease.id]
        looked = self.monotonic()
        self._seen = {lease: self._seen.get(lease, looked) for lease in others}
        return [lease for lease in others if looked - self._seen[lease] >= self.seconds or _is_over(lease)]

    def take_over(self, silent: Lease) -> bool:
        """Become the holder of a silent worker's name. False when somebody was faster."""
        assert self.lease is not None
        with self.engine.begin() as conn:
            return executors.take_over(conn, silent, self.lease, self.clock.now())

    def hand_back(self, silent: Lease) -> None:
        """Free a name that was taken over, its jobs being back in the queue."""
        assert self.lease is not None
        left = executors.FREE if is_dead(silent) else executors.RETIRED
        mine = self.lease
        with self.engine.begin() as conn:
            taken = Lease(silent.id, mine.holder, mine.place, mine.pid, 0.0)
            executors.release(conn, taken, self.clock.now(), left=left)


def this_place() -> str:
    """Where process ids mean the same as here: machine, boot and process-id namespace. "" where Linux does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{platform.node()}/{boot}/{os.readlink('/proc/self/ns/pid')}"[:256]
    except OSError:
        return ""


def _is_over(lease: Lease) -> bool:
    return lease.holder == executors.FREE or (executors.is_held(lease) and is_dead(lease))


def is_dead(lease: Lease) -> bool:
    """Is its process surely gone? Only a process of this very place can be asked after."""
    if not lease.place or lease.place != this_place():
        return False
    try:
        os.kill(lease.pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
