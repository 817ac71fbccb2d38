"""Asked before each write to GitHub: may this worker write now, and when is it this installation's turn?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from bot.clock import Clock
from bot.errors import TransientError
from bot.store import budget, installations

PATIENCE = 3.0
"""Seconds that a job waits for its turn in place; for longer it gives its thread back."""

NO_INSTALLATION = 0
"""Where a plain token is used, all writes share one budget."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Keeps the write budget of each installation for all workers together. A `bot.ports.BeforeWrite`."""

    engine: Engine
    clock: Clock
    limits: budget.Limits
    may_write: Callable[[], bool]
    """False as soon as another worker may have taken our jobs."""

    def __call__(self, installation_id: int | None, content: bool) -> None:
        """Wait for the turn. TransientError (`budget`, `lease_lost`) when it is far away, or never ours."""
        if not self.may_write():
            raise TransientError("lease_lost", "this worker's lease has run out", 1.0)
        now = self.clock.now()
        with self.engine.begin() as conn:
            wait = budget.reserve(conn, installation_id or NO_INSTALLATION, self.limits, now=now, patience=PATIENCE)
        if wait > PATIENCE:
            raise TransientError("budget", f"the write budget has room in {wait:.0f} s", wait)
        self.clock.sleep(wait)

    def hold(self, installation_id: int | None, seconds: float) -> None:
        """GitHub told us to wait: nobody writes to this installation for that long."""
        with self.engine.begin() as conn:
            installations.hold(
                conn, installation_id or NO_INSTALLATION, self.clock.now() + min(seconds, budget.LONGEST_HOLD)
            )
