"""`burn-triage jobs`: what waits, what was given up and why, and the way back."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from bot.cli import main
from bot.clock import iso
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue, job_id
from bot.ports import Target
from bot.store import deliveries, intents
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import body_of, guid, payload

TARGET = Target("tracel-ai/burn", 5, 7, 70, 11)


@pytest.fixture
def queue(engine: Engine, database_url: str, monkeypatch: pytest.MonkeyPatch) -> JobQueue:
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", database_url)
    return JobQueue(engine)


def accept(engine: Engine, queue: JobQueue, clock: FakeClock) -> tuple[int, str]:
    """A delivery in the inbox: its row and its GUID."""
    delivery = describe(payload(), event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, queue, clock).accept(delivery, body_of(payload()))
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert stored is not None
    return stored.id, delivery.guid


def park(engine: Engine, queue: JobQueue, clock: FakeClock, row: int, name: str) -> str:
    """As a worker leaves it that has given up."""
    job = job_id(row, name)
    queue._client.cancel_workflow(job)
    with engine.begin() as conn:
        deliveries.settle(conn, row, state="parked", reason="forbidden", now=clock.now())
        intents.plan(conn, intents.Intent(f"{row}.0", row, "React"), TARGET, clock.now())
        intents.doubt(conn, f"{row}.0", "forbidden")
    return job


def test_an_empty_queue_says_so(queue: JobQueue, capsys: pytest.CaptureFixture[str]):
    status = main(["jobs", "list"])
    assert (status, capsys.readouterr().out) == (0, "no jobs\n")


def test_jobs_are_listed_newest_first(
    queue: JobQueue, engine: Engine, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    made = [job_id(*accept(engine, queue, clock)) for _ in range(3)]
    main(["jobs", "list", "--limit", "2"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["waiting", iso(clock.now()), "issues.opened", "tracel-ai/burn#7", "-", job] for job in reversed(made[1:])
    ]


def test_a_parked_job_is_shown_and_runs_again(
    queue: JobQueue, engine: Engine, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    accept(engine, queue, clock)
    row, name = accept(engine, queue, clock)
    job = park(engine, queue, clock, row, name)
    main(["jobs", "list", "--state", "parked"])
    listed = capsys.readouterr().out.split()
    for word in (job, name, str(row)):
        main(["jobs", "show", word])
    shown = capsys.readouterr().out.splitlines()
    status = main(["jobs", "retry", name])
    told = capsys.readouterr().out
    main(["jobs", "list", "--state", "waiting"])
    waiting = capsys.readouterr().out
    assert (listed[0], listed[4], listed[5]) == ("parked", "forbidden", job)
    assert [line.split() for line in shown[1:2]] == [["write", f"{row}.0", "React", "unknown", "-", "forbidden"]]
    assert shown[:2] * 3 == shown
    assert (status, told) == (0, f"{job}  queued again\n")
    assert job in waiting


def test_all_parked_jobs_can_run_again(
    queue: JobQueue, engine: Engine, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    jobs = [park(engine, queue, clock, *accept(engine, queue, clock)) for _ in range(2)]
    main(["jobs", "retry", "--all"])
    assert capsys.readouterr().out.splitlines() == [f"{job}  queued again" for job in jobs]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "nothing"], "there is no job nothing"),
        (["retry", "0000000000000009-x"], "there is no job 0000000000000009-x"),
        (["retry"], "name the jobs to run again"),
        (["retry", "x", "--all"], "name the jobs to run again"),
    ],
)
def test_a_wrong_name_is_told(queue: JobQueue, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str):
    status = main(["jobs", *arguments])
    assert (status, told in capsys.readouterr().err) == (2, True)


def test_a_job_that_waits_is_not_started_twice(
    queue: JobQueue, engine: Engine, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    row, _ = accept(engine, queue, clock)
    status = main(["jobs", "retry", str(row)])
    assert (status, "is waiting: only parked jobs run again" in capsys.readouterr().err) == (2, True)
