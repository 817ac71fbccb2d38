"""What ails a database is told from what it refuses: GitHub gets 503, /readyz names it, nothing is stored by halves."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError, TimeoutError

from bot import health
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.receiver import create_app
from bot.settings import read_settings
from bot.store import deliveries, executors
from bot.store.engine import open_engine, trouble
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.deliveries import SECRET, body_of, headers, payload


@pytest.fixture
def file(sqlite_files: SqliteFiles, tmp_path: Path) -> Path:
    return Path(sqlite_files.make(tmp_path).removeprefix("sqlite:///"))


@pytest.fixture
def client(file: Path, clock: FakeClock) -> FlaskClient:
    engine = open_engine(f"sqlite:///{file}", busy_seconds=0.1)
    with engine.begin() as conn:
        executors.acquire(conn, holder="h", place="", pid=1, now=clock.now(), seconds=1e6, dead=lambda _: False)
    settings = read_settings({"BURN_TRIAGE_WEBHOOK_SECRET": SECRET})
    inbox = Inbox(engine, JobQueue(engine), clock)
    app = create_app(settings, inbox, lambda: health.why_not_ready(engine, clock, inbox.last_failure))
    app.extensions["engine"] = engine
    return app.test_client()


def post(client: FlaskClient, size: int = 100) -> int:
    body = body_of(payload(issue={"number": 7, "id": 70, "body": "x" * size, "created_at": "2026-11-30T10:00:00Z"}))
    return client.post("/webhook", data=body, headers=headers(body)).status_code


def stored(file: Path) -> int:
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert conn.execute(text("SELECT count(*) FROM workflow_status")).scalar() == len(deliveries.recent(conn))
        return len(deliveries.recent(conn))


def limit_pages(engine: Engine, more: int) -> Callable[[], None]:
    """From now on the file cannot grow by more pages than this; the result undoes it."""
    with engine.connect() as conn:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar()

    def limit(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages + more}")

    event.listen(engine, "checkout", limit)

    def undo() -> None:
        event.remove(engine, "checkout", limit)
        event.listen(engine, "checkout", lambda c, *_: c.execute("PRAGMA max_page_count=1000000") and None)

    return undo


def test_a_full_disk_and_space_again(client: FlaskClient, file: Path, clock: FakeClock):
    undo = limit_pages(client.application.extensions["engine"], 8)
    answers = [post(client, 60_000) for _ in range(2)]
    full = client.get("/readyz")
    before = stored(file)
    undo()
    answers.append(post(client, 60_000))
    ready = client.get("/readyz")
    assert (answers, before, stored(file)) == ([503, 503, 202], 0, 1)
    assert (full.status_code, full.text, ready.status_code) == (503, "not ready: the disk is full\n", 200)


def test_a_failure_is_told_of_for_a_minute(client: FlaskClient, clock: FakeClock):
    """Else a balancer that sends nothing to who is not ready would never learn that there is space again."""
    limit_pages(client.application.extensions["engine"], 8)
    post(client, 60_000)
    at_once = client.get("/readyz").status_code
    clock.sleep(health.REMEMBERED_SECONDS)
    assert (at_once, client.get("/readyz").status_code) == (503, 200)


def test_a_disk_with_no_space_left_is_seen_before_a_delivery_comes(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", float("inf"))
    assert client.get("/readyz").text in ("not ready: the disk is full\n", "ready\n")
    monkeypatch.setattr(health, "free_bytes", lambda _: 4096)
    assert client.get("/readyz").text == "not ready: the disk is full\n"


def test_a_file_that_was_moved_away_takes_nothing_and_comes_back(client: FlaskClient, file: Path):
    """SQLite itself writes on into a file that nobody will find; and would make an empty one in its place."""
    answers = [post(client)]
    parts = [part for part in file.parent.iterdir() if part.name.startswith(file.name)]
    elsewhere = file.parent / "elsewhere"
    elsewhere.mkdir()
    for part in parts:
        part.rename(elsewhere / part.name)
    answers += [post(client), post(client)]
    away = client.get("/readyz")
    left = file.exists()
    for part in parts:
        (elsewhere / part.name).rename(part)
    answers.append(post(client))
    assert (answers, left, stored(file)) == ([202, 503, 503, 202], False, 2)
    assert (away.text, client.get("/readyz").status_code) == ("not ready: the database is away\n", 200)


def test_a_locked_database_is_busy(client: FlaskClient, file: Path):
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answers = [post(client)]
    busy = client.get("/readyz").text
    other.execute("ROLLBACK")
    answers.append(post(client))
    assert (answers, busy, stored(file)) == ([503, 202], "not ready: the database is busy\n", 1)


def test_a_damaged_file_is_named(client: FlaskClient, file: Path):
    engine = client.application.extensions["engine"]
    with engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    file.write_bytes(b"This was a database." * 1000)
    told = client.get("/readyz").text
    assert (post(client), told) == (503, "not ready: the database is damaged\n")


class Failed(Exception):
    def __init__(self, **facts: object) -> None:
        super().__init__("it failed")
        self.__dict__ |= facts


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OperationalError("", {}, Failed(sqlite_errorcode=sqlite3.SQLITE_FULL)), "disk_full"),
        (OperationalError("", {}, Failed(sqlite_errorcode=sqlite3.SQLITE_IOERR_WRITE)), "disk_failing"),
        (OperationalError("", {}, Failed(sqlite_errorcode=sqlite3.SQLITE_READONLY_DBMOVED)), "database_read_only"),
        (OperationalError("", {}, Failed(sqlstate="53100")), "disk_full"),
        (OperationalError("", {}, Failed(sqlstate="40P01")), "database_busy"),
        (OperationalError("", {}, Failed(sqlstate="08006")), "database_away"),
        (OperationalError("", {}, Failed(sqlstate=None)), "database_away"),
        (TimeoutError("no connection free"), "database_away"),
        (IntegrityError("", {}, Failed(sqlite_errorcode=sqlite3.SQLITE_CONSTRAINT)), None),
    ],
)
def test_troubles_have_reasons(error: SQLAlchemyError, reason: str | None):
    found = trouble(error)
    assert (found.reason if found else None) == reason
