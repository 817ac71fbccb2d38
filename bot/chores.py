"""What one worker does for all from time to time, whoever gets to it first."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.errors import TriageError
from bot.store import chores

log = logging.getLogger(__name__)

TICK = 5.0
AT_START = 30.0
"""A worker that starts does not wait for the next turn, unless another one has just had it."""


FOUND = {"configurations": "files that cannot be used", "reactions": "comments asked for"}
"""What a chore's number counts, where that is not what the last run found missing."""


@dataclass(frozen=True, slots=True)
class Chore:
    """Something to be done every `every` seconds. `run` is told up to where the last run got (seconds since 1970, None
    for the first) and returns how much it found."""

    name: str
    every: float
    run: Callable[[float | None], int]


@dataclass(frozen=True, slots=True)
class Chores:
    """Runs them, in order, when they are due."""

    engine: Engine
    clock: Clock
    all: Sequence[Chore]

    def run_until(self, stop: threading.Event) -> None:
        """Look after them until told to stop."""
        limit = AT_START
        while not stop.is_set():
            try:
                for chore in self.all:
                    self.run_if_due(chore, limit)
                limit = float("inf")
            except SQLAlchemyError as error:
                log.warning("chores wait, the database is away: %s", error)
            except Exception:
                # The thread does all of them, for as long as the worker lives.
                log.exception("chores wait, for a reason that nobody foresaw")
            stop.wait(TICK)

    def run_if_due(self, chore: Chore, limit: float = float("inf")) -> bool:
        """Run it unless it is not due, or another worker has taken it on. Was it run, and did it succeed?

        `limit`: it is due after this many seconds at the latest.
        """
        began = self.clock.now()
        with self.engine.begin() as conn:
            before = chores.claim(conn, chore.name, now=began, every=min(chore.every, limit))
        if before is None:
            return False
        try:
            found = chore.run(_believable(before.covered_until, began))
        except TriageError as error:
            log.warning("%s failed: %s: %s", chore.name, error.reason, error)
            return self._failed(chore, error.reason)
        except SQLAlchemyError:
            raise
        except Exception:
            # One chore's fault must not end the thread that does all of them.
            log.exception("%s failed in a way that nobody foresaw", chore.name)
            return self._failed(chore, "internal_error")
        with self.engine.begin() as conn:
            chores.succeed(conn, chore.name, now=self.clock.now(), covered_until=began, found=found)
        return True

    def _failed(self, chore: Chore, reason: str) -> bool:
        with self.engine.begin() as conn:
            chores.fail(conn, chore.name, now=self.clock.now(), reason=reason)
        return False


def _believable(covered_until: float | None, now: float) -> float | None:
    """Where the last run got; None for a moment to come: the clock was set back, so nothing is known."""
    return None if covered_until is not None and covered_until > now + chores.CLOCKS_DIFFER else covered_until
