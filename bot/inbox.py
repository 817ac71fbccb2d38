"""What is behind the signature check: store a delivery and enqueue its job in one transaction, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import TransientError
from bot.jobs import JobQueue
from bot.store import deliveries
from bot.store.engine import AWAY, trouble
from bot.together import Together


@dataclass(slots=True)
class LastFailure:
    """Why a delivery could not be stored, and when; "" since one could again."""

    words: str = ""
    at: float = 0.0


Taken = tuple[Delivery, bytes]


class Inbox:
    """Takes deliveries, from a webhook or from GitHub's delivery log. One per process, made after the fork."""

    def __init__(self, engine: Engine, queue: JobQueue, clock: Clock) -> None:
        self.engine = engine
        self.queue = queue
        self.clock = clock
        self.last_failure = LastFailure()
        # A transaction's price is the wait for the disk: those who come meanwhile share the next one.
        self._together = Together(self._store_all)

    def accept(self, delivery: Delivery, payload: bytes) -> str:
        """Store it. Returns `queued`, `ignored`, or `repeated` for a GUID that was here before.

        TransientError (a reason of `bot.store.engine`) when it could not be stored: then nothing of it was.
        """
        try:
            outcome = self._together((delivery, payload))
            if outcome == "":
                # Others shared its transaction and one of them was refused: alone it is told whether it was this one.
                [outcome] = self._store((delivery, payload))
        except SQLAlchemyError as error:
            why = trouble(error) or AWAY
            self.last_failure.words, self.last_failure.at = why.words, self.clock.now()
            raise TransientError(why.reason, f"the delivery could not be stored: {error}") from error
        self.last_failure.words = ""
        return outcome

    def _store_all(self, taken: Sequence[Taken]) -> Sequence[str]:
        """What became of each, all of them stored; or "" for each of several when the database refused one of them."""
        try:
            return self._store(*taken)
        except SQLAlchemyError as error:
            if len(taken) == 1 or trouble(error):
                raise
            return [""] * len(taken)

    def _store(self, *taken: Taken) -> Sequence[str]:
        with self.engine.begin() as conn:
            row_ids = deliveries.add_all(conn, taken, self.clock.now())
            return [self._enqueue(conn, row_id, delivery) for row_id, (delivery, _) in zip(row_ids, taken, strict=True)]

    def _enqueue(self, conn: Connection, row_id: int | None, delivery: Delivery) -> str:
        if row_id is None:
            return "repeated"
        if delivery.ignored:
            return deliveries.IGNORED
        self.queue.add(conn, row_id=row_id, guid=delivery.guid, partition=delivery.partition)
        return deliveries.QUEUED
