"""`burn-triage inbox status`: well is 0, trouble is 1 and says where."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import Engine

from bot.cli import main
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.status import LATE_SECONDS, Status
from bot.store import chores, executors
from bot.store.chores import ChoreRow
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import body_of, guid, payload

SWEEP = ChoreRow("sweep", 1000.0, 1000.0, 1000.0, 2, "")


@pytest.fixture(autouse=True)
def database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", database_url)


def test_an_inbox_without_a_worker_is_not_well(capsys: pytest.CaptureFixture[str]):
    status = main(["inbox", "status"])
    assert (status, capsys.readouterr().out.splitlines()[0]) == (1, "workers        none is alive")


def test_a_busy_inbox_tells_everything(engine: Engine, capsys: pytest.CaptureFixture[str]):
    clock = FakeClock(time.time())
    delivery = describe(payload(), event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, JobQueue(engine), clock).accept(delivery, body_of(payload()))
    with engine.begin() as conn:
        executors.acquire(conn, holder="h", place="", pid=1, now=clock.now(), seconds=60, dead=lambda _: False)
        chores.claim(conn, "sweep", now=clock.now(), every=60)
        chores.succeed(conn, "sweep", now=clock.now(), covered_until=clock.now(), found=2)
    status = main(["inbox", "status"])
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [line.split()[0] for line in lines] == ["workers", "last", "waiting", "parked", "sweep"]
    assert lines[0] == "workers        1 alive"
    assert lines[2].startswith("waiting        1, the oldest 20")
    assert lines[4].endswith("2 found missing")


@pytest.mark.parametrize(
    ("status", "well"),
    [
        (Status(1000.0, 900.0, None, 0, 3, 1, [SWEEP]), True),
        (Status(1000.0, 900.0, 1000.0 - LATE_SECONDS - 1, 1, 0, 1, [SWEEP]), False),
        (Status(1000.0, 900.0, None, 0, 0, 0, [SWEEP]), False),
        (Status(1000.0, 900.0, None, 0, 0, 1, [ChoreRow("sweep", 1.0, 1.0, None, 0, "server_error")]), False),
    ],
)
def test_what_is_well(status: Status, well: bool):
    assert status.is_well() == well
