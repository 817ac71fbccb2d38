"""Asked before each write to GitHub: may this worker write now, and when is it this installation's turn?"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from bot.clock import Clock
from bot.errors import TransientError
from bot.store import budget, deliveries, installations

PATIENCE = 3.0
"""Seconds that a job waits for its turn in place; for longer it gives its thread back."""

NO_INSTALLATION = 0
"""Where a plain token is used, all writes share one budget."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Keeps the write budget of each installation for all workers together. Two `bot.ports.BeforeWrite`."""

    engine: Engine
    clock: Clock
    limits: budget.Limits
    may_write: Callable[[], bool]
    """False as soon as another worker may have taken our jobs."""
    spread: Callable[[float, float], float] = random.uniform

    def __call__(self, installation_id: int | None, content: bool) -> None:
        """Wait for a place. TransientError (`budget`, `lease_lost`) when it is far away, or never ours."""
        self._wait(budget.reserve, installation_id)

    def at_last(self, installation_id: int | None, content: bool) -> None:
        """Wait for the moment at which the write may go out; it has to, then. TransientError as before."""
        self._wait(budget.depart, installation_id)
        # While it waited, another worker may have taken our jobs.
        self._check_lease()

    def _wait(self, until: Callable[..., float], installation_id: int | None) -> None:
        self._check_lease()
        one = installation_id or NO_INSTALLATION
        with self.engine.begin() as conn:
            # Others may have it for a while: what time it is matters when it is ours.
            installations.lock(conn, one)
            wait = until(conn, one, self.limits, now=self.clock.now(), patience=PATIENCE)
            if wait > PATIENCE:
                # All that wait come back some time, one for each place there will be: not all of them for the next one.
                wait += self.spread(0.0, self.limits.interval * deliveries.count_waiting(conn, installation_id))
        if wait > PATIENCE:
            raise TransientError("budget", f"the write budget has room in {wait:.0f} s", wait)
        self.clock.sleep(wait)

    def _check_lease(self) -> None:
        if not self.may_write():
            raise TransientError("lease_lost", "this worker's lease has run out", 1.0)

    def hold(self, installation_id: int | None, seconds: float) -> None:
        """GitHub told us to wait: nobody writes to this installation for that long."""
        with self.engine.begin() as conn:
            installations.hold(
                conn, installation_id or NO_INSTALLATION, self.clock.now() + min(seconds, budget.LONGEST_HOLD)
            )
