"""`burn-triage forget`: nothing of a person or an issue is left in any table, the job engine's included."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from bot.cli import main
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue, row_of
from bot.ports import Target
from bot.store import deliveries, disputes, issues, verdicts
from bot.triage.snapshot import Dispute, IssueMemory
from tests.fakes.clock import FakeClock
from tests.fakes.databases import tables_holding
from tests.fakes.deliveries import body_of, guid, payload

VERDICT = {"outcome": "unknown", "entry": None, "fingerprint": None, "catalog": "c", "said": "zebra-word"}


def write(engine: Engine, clock: FakeClock, *, number: int, login: str, said: str = "") -> int:
    """A delivery of this person about this issue, worked off: a verdict, a dispute, a memory."""
    issue = {"number": number, "id": number * 10, "title": f"zebra-word {said}", "created_at": "2026-11-30T10:00:00Z"}
    values = payload(issue=issue, sender={"login": login, "type": "User"})
    delivery = describe(values, event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, JobQueue(engine), clock).accept(delivery, body_of(values))
    target = Target("tracel-ai/burn", 5, number, number * 10, 11)
    with engine.begin() as conn:
        stored = deliveries.find(conn, delivery.guid)
        assert stored is not None
        verdicts.write(conn, delivery_id=stored.id, target=target, verdict=VERDICT, reason="r", now=clock.now())
        said = Dispute(login, f"2026-11-30T10:{number:02}:00Z", "zebra-word", "others", "a", True)
        disputes.add(conn, stored.id, target, [said])
        memory = IssueMemory(wrong_by=frozenset({login, "Other"}), asked=("zebra-word",) if login == "ann" else ())
        issues.write(conn, target, memory, clock.now())
    return stored.id


@pytest.fixture(autouse=True)
def database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", database_url)


def test_an_issue_is_forgotten_and_its_neighbour_is_not(
    engine: Engine, clock: FakeClock, capsys: pytest.CaptureFixture[str]
):
    gone = write(engine, clock, number=12, login="ann")
    kept = write(engine, clock, number=1, login="bob")
    status = main(["forget", "Tracel-AI/Burn#12"])
    told = capsys.readouterr().out
    with engine.connect() as conn:
        left = [(row.id, row.state) for row in deliveries.recent(conn)]
        traces = tables_holding(conn, "ann")
        neighbour = issues.read(conn, 5, 10)
    assert (status, told) == (0, "forgotten: Tracel-AI/Burn#12, 1 deliveries\n")
    assert (left, traces, neighbour is not None) == ([(kept, "queued"), (gone, "forgotten")], [], True)


def test_a_person_is_forgotten_wherever_they_appear(engine: Engine, clock: FakeClock):
    """Also in what others sent about their issue."""
    for number, login in ((7, "zeno"), (8, "Zeno"), (9, "bob")):
        settled = write(engine, clock, number=number, login=login)
        with engine.begin() as conn:
            deliveries.settle(conn, settled, state=deliveries.DONE, reason="answered", now=clock.now())
    write(engine, clock, number=10, login="bob", said="Thanks @ZENO!")
    write(engine, clock, number=11, login="bob", said="Xenozeno is somebody else")
    main(["forget", "ZENO"])
    with engine.connect() as conn:
        traces = tables_holding(conn, '"zeno"') + tables_holding(conn, "Zeno") + tables_holding(conn, "@ZENO")
        memory = issues.read(conn, 5, 70)
        rows = [(row.delivery.sender, deliveries.payload(conn, row.id) is None) for row in deliveries.recent(conn)]
    assert traces == []
    assert memory is not None
    assert memory.wrong_by == frozenset({"Other"})
    assert rows == [("bob", False), ("bob", True), ("bob", False), ("", True), ("", True)]


@pytest.mark.parametrize("state", [deliveries.QUEUED, deliveries.PARKED])
def test_work_that_was_not_done_is_begun_anew_without_them(engine: Engine, clock: FakeClock, state: str):
    """Else their issues would wait for a job that is gone."""
    row = write(engine, clock, number=7, login="zeno")
    if state == deliveries.PARKED:
        with engine.begin() as conn:
            deliveries.settle(conn, row, state=state, reason="server_error", now=clock.now())
    for _ in range(2):
        main(["forget", "zeno"])
    with engine.connect() as conn:
        stored = [
            (r.state, r.delivery.action, r.delivery.sender, r.delivery.partition) for r in deliveries.recent(conn)
        ]
    jobs = [(status.status, row_of(status.workflow_id)) for status in JobQueue(engine).find()]
    assert stored == [
        ("queued", "reconciled", "", "tracel-ai/burn#7"),
        ("forgotten", "opened", "", "installation/None"),
    ]
    assert jobs == [("ENQUEUED", row + 1), ("CANCELLED", row)]


def test_what_was_forgotten_does_not_come_back_by_a_redelivery(engine: Engine, clock: FakeClock):
    write(engine, clock, number=7, login="zeno")
    with engine.connect() as conn:
        [before] = deliveries.recent(conn)
    main(["forget", "tracel-ai/burn#7"])
    again = Inbox(engine, JobQueue(engine), clock).accept(before.delivery, b"{}")
    assert again == "repeated"


def test_nothing_to_forget_is_no_error(capsys: pytest.CaptureFixture[str]):
    assert [main(["forget", "nobody"]), main(["forget", "a/b#1"])] == [0, 0]


@pytest.mark.parametrize("what", ["", "a b", "owner/repo", "owner/repo#", "owner/repo#x", "a/b#1;--"])
def test_what_is_neither_is_told(capsys: pytest.CaptureFixture[str], what: str):
    status = main(["forget", what])
    assert (status, "neither a login nor an issue" in capsys.readouterr().err) == (2, True)


def test_a_database_that_gives_up_half_way_is_one_line_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    deadlock = sqlite3.OperationalError("database is locked")
    deadlock.sqlite_errorcode = sqlite3.SQLITE_BUSY

    def refuse(*_: object) -> int:
        raise OperationalError("UPDATE", {}, deadlock)

    monkeypatch.setattr("bot.forgetting.forget_person", refuse)
    assert main(["forget", "octocat"]) == 1
    told = capsys.readouterr().err
    assert told == (
        "burn-triage forget: the database is busy; what was begun is undone, try again or see `burn-triage doctor`\n"
    )
