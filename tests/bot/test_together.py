"""What is asked for at the same time is done together, in order, and each is told of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from bot.inbox import Inbox
from bot.jobs import JobQueue, row_of
from bot.store import deliveries
from bot.together import MOST, Together
from tests.bot.store.test_inbox import make_delivery
from tests.fakes.clock import FakeClock


class Gate:
    """Doubles numbers; the first go waits until it is opened."""

    def __init__(self) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()
        self.goes: list[list[int]] = []
        self.together = Together(self.act)

    def act(self, numbers: Sequence[int]) -> Sequence[int]:
        self.goes.append(list(numbers))
        self.entered.set()
        self.opened.wait(30)
        if 13 in numbers:
            raise ValueError("unlucky")
        return [2 * number for number in numbers]

    def ask(self, pool: ThreadPoolExecutor, numbers: Sequence[int]) -> list[Future[int]]:
        """Ask for the first, and for the others while it is under way, one after the other."""
        asked = [pool.submit(self.together, numbers[0])]
        self.entered.wait(30)
        for count, number in enumerate(numbers[1:], 1):
            asked.append(pool.submit(self.together, number))
            while len(self.together._waiting) < count:
                pass
        self.opened.set()
        return asked


def test_who_comes_meanwhile_goes_next_in_order():
    gate = Gate()
    with ThreadPoolExecutor(5) as pool:
        results = [future.result(30) for future in gate.ask(pool, [1, 2, 3, 4, 5])]
    assert (results, gate.goes) == ([2, 4, 6, 8, 10], [[1], [2, 3, 4, 5]])


def test_alone_nobody_waits():
    gate = Gate()
    gate.opened.set()
    assert ([gate.together(n) for n in (1, 2)], gate.goes) == ([2, 4], [[1], [2]])


def test_no_go_is_without_bound():
    gate = Gate()
    with ThreadPoolExecutor(MOST + 4) as pool:
        results = [future.result(30) for future in gate.ask(pool, range(100, MOST + 104))]
    assert (results, [len(go) for go in gate.goes]) == ([2 * n for n in range(100, MOST + 104)], [1, MOST, 3])


def test_an_error_is_told_to_all_who_took_part_and_to_nobody_else():
    gate = Gate()
    with ThreadPoolExecutor(3) as pool:
        asked = gate.ask(pool, [1, 13, 14])
        errors = [str(future.exception(30)) for future in asked]
    assert (errors, gate.together(4)) == (["None", "unlucky", "unlucky"], 8)


def test_many_threads_lose_nothing():
    together = Together(lambda numbers: [2 * number for number in numbers])
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(together, range(5000)))
    assert results == [2 * number for number in range(5000)]


@pytest.fixture
def inbox(engine: Engine, clock: FakeClock) -> Inbox:
    return Inbox(engine, JobQueue(engine), clock)


def test_deliveries_at_once_are_each_stored_and_queued_once(inbox: Inbox, engine: Engine):
    made = [make_delivery(number=n) for n in range(1, 41)]
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(lambda item: inbox.accept(*item), made * 2))
    with engine.connect() as conn:
        stored = len(deliveries.recent(conn, limit=200))
    jobs = len(inbox.queue.find(limit=None))
    assert (sorted(outcomes), stored, jobs) == (["queued"] * 40 + ["repeated"] * 40, 40, 40)


def test_one_that_the_database_refuses_harms_no_other(inbox: Inbox, engine: Engine):
    good, body = make_delivery()
    refused = replace(make_delivery()[0], event=None)  # type: ignore[arg-type]
    assert inbox._store_all([(good, body), (refused, body)]) == ["", ""]
    with engine.connect() as conn:
        assert deliveries.recent(conn) == []
    assert inbox.accept(good, body) == "queued"


@pytest.mark.parametrize("large", [deliveries.LARGE, 10], ids=["in one statement", "one by one"])
def test_a_group_is_stored_in_its_order_each_with_its_own(
    inbox: Inbox, engine: Engine, monkeypatch: pytest.MonkeyPatch, large: int
):
    monkeypatch.setattr(deliveries, "LARGE", large)
    before, first, ignored, last = (make_delivery(number=n, **changes) for n, changes in CHANGES)
    inbox.accept(*before)
    again = (first[0], b"another payload of the same GUID")
    outcomes = inbox._store_all([before, first, ignored, again, last])
    with engine.connect() as conn:
        stored = list(reversed(deliveries.recent(conn)))
        bodies = [deliveries.payload(conn, row.id) for row in stored]
    assert outcomes == ["repeated", "queued", "ignored", "repeated", "queued"]
    assert [row.delivery for row in stored] == [before[0], first[0], ignored[0], last[0]]
    assert bodies == [before[1], first[1], ignored[1], last[1]]
    jobs = sorted(row_of(status.workflow_id) or 0 for status in inbox.queue.find())
    assert jobs == [stored[n].id for n in (0, 1, 3)]


CHANGES: tuple[tuple[int, dict[str, object]], ...] = ((1, {}), (2, {}), (3, {"action": "labeled"}), (4, {}))
