"""What is behind the signature check: store a delivery and enqueue its job in one transaction, once."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import TransientError
from bot.jobs import JobQueue
from bot.store import deliveries


@dataclass(frozen=True, slots=True)
class Inbox:
    """Takes deliveries, from a webhook or from GitHub's delivery log. One per process."""

    engine: Engine
    queue: JobQueue
    clock: Clock

    def accept(self, delivery: Delivery, payload: bytes) -> str:
        """Store it. Returns `queued`, `ignored`, or `repeated` for a GUID that was here before.

        TransientError (`database_away`) when it could not be stored: then nothing of it was.
        """
        try:
            with self.engine.begin() as conn:
                row_id = deliveries.add(conn, delivery, payload, self.clock.now())
                if row_id is None:
                    return "repeated"
                if delivery.ignored:
                    return deliveries.IGNORED
                self.queue.add(conn, row_id=row_id, guid=delivery.guid, partition=delivery.partition)
        except SQLAlchemyError as error:
            raise TransientError("database_away", f"the delivery could not be stored: {error}") from error
        return deliveries.QUEUED
