"""What is behind the signature check: store a delivery and enqueue its job in one transaction, once."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import TransientError
from bot.jobs import JobQueue
from bot.store import deliveries
from bot.store.engine import AWAY, trouble


@dataclass(slots=True)
class LastFailure:
    """Why a delivery could not be stored, and when; "" since one could again."""

    words: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Inbox:
    """Takes deliveries, from a webhook or from GitHub's delivery log. One per process."""

    engine: Engine
    queue: JobQueue
    clock: Clock
    last_failure: LastFailure = field(default_factory=LastFailure)

    def accept(self, delivery: Delivery, payload: bytes) -> str:
        """Store it. Returns `queued`, `ignored`, or `repeated` for a GUID that was here before.

        TransientError (a reason of `bot.store.engine`) when it could not be stored: then nothing of it was.
        """
        try:
            outcome = self._store(delivery, payload)
        except SQLAlchemyError as error:
            why = trouble(error) or AWAY
            self.last_failure.words, self.last_failure.at = why.words, self.clock.now()
            raise TransientError(why.reason, f"the delivery could not be stored: {error}") from error
        self.last_failure.words = ""
        return outcome

    def _store(self, delivery: Delivery, payload: bytes) -> str:
        with self.engine.begin() as conn:
            row_id = deliveries.add(conn, delivery, payload, self.clock.now())
            if row_id is None:
                return "repeated"
            if delivery.ignored:
                return deliveries.IGNORED
            self.queue.add(conn, row_id=row_id, guid=delivery.guid, partition=delivery.partition)
        return deliveries.QUEUED
