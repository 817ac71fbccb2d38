"""A worker in miniature: the real inbox, steps, flow and GitHub client, on an engine that crashes where it is told to.

What it keeps of a job is what the job engine keeps: the results of its steps, in order, to be replayed after a crash.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import bot.handle
from bot.delivery import read_delivery
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.pace import Pace
from bot.steps import Steps
from bot.store import deliveries
from bot.store.budget import Limits
from bot.store.deliveries import StoredDelivery
from bot.store.engine import open_engine
from bot.triage.knowledge import Knowledge
from bot.worker import Flow
from tests.bot.github.stage import Stage


class Crashed(Exception):
    """The worker is gone."""


class Miniature:
    """One worker on one stage; `arrive` is the webhook, `work` runs the first job that waits of an issue."""

    def __init__(self, stage: Stage, url: str, knowledge: Knowledge) -> None:
        self.stage = stage
        self.engine = open_engine(url)
        clock = stage.clock
        self.inbox = Inbox(self.engine, JobQueue(self.engine), clock)
        pace = Pace(self.engine, clock, Limits(0, 10_000, 100_000), lambda: True)
        self.steps = Steps(
            self.engine, clock, stage.bot, stage.bot, bot.handle, lambda _: knowledge, pace, settle_seconds=5.0
        )
        self.kept: dict[int, list[tuple[str, Any]]] = defaultdict(list)
        self.finished: dict[str, list[int]] = defaultdict(list)

    def arrive(self, sent: Any) -> str:
        """A delivery as GitHub has it in its log."""
        body = json.dumps(sent.payload, default=str).encode()
        login = self.stage.app.bot.login
        return self.inbox.accept(read_delivery(body, sent.event, sent.guid, "application/json", login), body)

    def waiting(self) -> dict[str, list[StoredDelivery]]:
        """What waits, by issue, oldest first."""
        found: dict[str, list[StoredDelivery]] = defaultdict(list)
        with self.engine.connect() as conn:
            for stored in reversed(deliveries.recent(conn, state=deliveries.QUEUED, limit=1000)):
                found[stored.delivery.partition].append(stored)
        return found

    def work(self, partition: str, crash_after: int | None = None) -> bool:
        """Run the first job of an issue; False when it crashed `crash_after` instants from where it was."""
        row = self.waiting()[partition][0].id
        try:
            Flow(self.steps, self._recording(row, crash_after), self.stage.clock.sleep, tries=20).handle_v1(row)
        except Crashed:
            return False
        self.finished[partition].append(row)
        return True

    def _recording(self, row: int, crash_after: int | None) -> Callable[..., Any]:
        kept, place, left = self.kept[row], iter(range(1 << 30)), iter(range(crash_after or 0))

        def instant() -> None:
            if crash_after is not None and next(left, None) is None:
                raise Crashed

        def run(name: str, function: Callable[..., Any], *args: Any) -> Any:
            position = next(place)
            if position < len(kept):
                assert kept[position][0] == name
                return kept[position][1]
            instant()
            result = json.loads(json.dumps(function(*args)))
            instant()
            kept.append((name, result))
            return result

        return run

    def ours(self, number: int) -> list[Any]:
        """Our comments that a reader sees."""
        return [c for c in self.stage.comments(number) if c.user is self.stage.app.bot and not c.minimized]
