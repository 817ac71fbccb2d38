"""`burn-triage backup` and `burn-triage restore`: whole, private, and never over what is newer or in use."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from bot.cli import main
from bot.clock import SystemClock
from bot.inbox import Inbox
from bot.jobs import JobQueue, row_of
from bot.store import deliveries, executors
from bot.store.backup import SKIPPED_ROWS
from bot.store.engine import open_engine
from tests.bench.bench_jobs import accept

Told = pytest.CaptureFixture[str]


@pytest.fixture
def database(sqlite_files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    url = sqlite_files.make(tmp_path)
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", url)
    return Path(url.removeprefix("sqlite:///"))


@pytest.fixture
def engine(database: Path):
    engine = open_engine(f"sqlite:///{database}")
    yield engine
    engine.dispose()


def inbox(engine: Engine) -> Inbox:
    return Inbox(engine, JobQueue(engine), SystemClock())


def rows(path: Path, sql: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as conn, conn:
        return conn.execute(sql).fetchall()


def test_a_backup_taken_while_deliveries_come_holds_each_with_its_job(engine: Engine, tmp_path: Path, capsys: Told):
    """Our rows and the job engine's are written in one transaction; the copy never shows one without the other."""
    stop, box = threading.Event(), inbox(engine)

    def receive() -> None:
        number = 0
        while not stop.is_set():
            accept(box, number := number + 1)

    receiver = threading.Thread(target=receive)
    receiver.start()
    try:
        copies = [tmp_path / f"copy-{n}.db" for n in range(5)]
        statuses = [main(["backup", str(copy)]) for copy in copies]
    finally:
        stop.set()
        receiver.join()
    assert statuses == [0] * 5
    for copy in copies:
        stored = {row for (row,) in rows(copy, "SELECT id FROM deliveries WHERE state = 'queued'")}
        jobs = {row_of(job) for (job,) in rows(copy, "SELECT workflow_uuid FROM workflow_status")}
        assert stored == jobs
        assert rows(copy, "PRAGMA integrity_check") == [("ok",)]
    assert stored


def test_a_backup_is_private_one_file_and_replaced_only_by_force(engine: Engine, tmp_path: Path, capsys: Told):
    folder = tmp_path / "backups"
    folder.mkdir()
    copy = folder / "copy.db"
    statuses = [main(["backup", str(copy), *more]) for more in ([], [], ["--force"])]
    assert (statuses, stat.S_IMODE(copy.stat().st_mode)) == ([0, 2, 0], 0o600)
    assert list(folder.iterdir()) == [copy]


def test_a_backup_keeps_no_payload_of_finished_work(engine: Engine, tmp_path: Path, capsys: Told):
    accept(inbox(engine), 1)
    accept(inbox(engine), 2)
    with engine.begin() as conn:
        deliveries.settle(conn, 1, state="done", reason="answered", now=2.0)
    main(["backup", str(tmp_path / "copy.db")])
    kept = rows(tmp_path / "copy.db", "SELECT id FROM deliveries WHERE payload IS NOT NULL")
    assert kept == [(2,)]
    # One body of 5,000 letters, which SQLite may cut at the borders of its pages.
    assert 60 < (tmp_path / "copy.db").read_bytes().count(b"x" * 64) <= 5000 // 64


@pytest.mark.parametrize(
    ("command", "tool"), [("backup", "pg_dump --format=custom"), ("restore", "pg_restore --clean --if-exists")]
)
def test_on_postgresql_its_own_tool_is_named(command: str, tool: str, monkeypatch: pytest.MonkeyPatch, capsys: Told):
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", "postgresql://somebody:hidden@127.0.0.1:1/none")
    status = main([command, "copy.db"])
    told = capsys.readouterr().err
    assert (status, tool in told, "hidden" in told) == (2, True, False)


@pytest.mark.parametrize("place", ["", "missing/copy.db"])
def test_a_place_that_cannot_be_written_is_named(database: Path, tmp_path: Path, place: str, capsys: Told):
    status = main(["backup", str(tmp_path / place)])
    told = capsys.readouterr().err
    assert (status, str(tmp_path) in told, "Traceback" in told) == (2, True, False)


def test_without_a_database_there_is_nothing_to_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told):
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", f"sqlite:///{tmp_path}/none.db")
    assert (main(["backup", str(tmp_path / "copy.db")]), (tmp_path / "none.db").exists()) == (2, False)


def test_what_was_backed_up_comes_back_and_row_numbers_go_on_far_above(engine: Engine, tmp_path: Path, capsys: Told):
    accept(inbox(engine), 1)
    main(["backup", str(tmp_path / "copy.db")])
    accept(inbox(engine), 2)
    refused = main(["restore", str(tmp_path / "copy.db")])
    status = main(["restore", str(tmp_path / "copy.db"), "--force"])
    # A receiver that had the file open all the time goes on with it.
    accept(inbox(engine), 3)
    with engine.connect() as conn:
        found = sorted(row.id for row in deliveries.recent(conn))
    assert (refused, status, found) == (2, 0, [1, SKIPPED_ROWS + 2])


def test_a_new_machine_starts_from_the_backup_alone(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told
):
    accept(inbox(engine), 1)
    main(["backup", str(tmp_path / "copy.db")])
    fresh = tmp_path / "other" / "burn-triage.db"
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", f"sqlite:///{fresh}")
    status = main(["restore", str(tmp_path / "copy.db")])
    mode = stat.S_IMODE(fresh.stat().st_mode)
    assert (status, rows(fresh, "SELECT id, state FROM deliveries"), mode) == (0, [(1, "queued")], 0o600)


def test_nothing_is_restored_under_a_living_worker(engine: Engine, tmp_path: Path, capsys: Told):
    main(["backup", str(tmp_path / "copy.db")])
    now = SystemClock().now()
    with engine.begin() as conn:
        executors.acquire(conn, holder="h", place="elsewhere", pid=1, now=now, seconds=60, dead=lambda _: False)
    status = main(["restore", str(tmp_path / "copy.db"), "--force"])
    assert (status, "worker-1 at work on this database" in capsys.readouterr().err) == (2, True)


def test_a_database_that_cannot_be_read_is_set_aside(engine: Engine, database: Path, tmp_path: Path, capsys: Told):
    accept(inbox(engine), 1)
    main(["backup", str(tmp_path / "copy.db")])
    engine.dispose()
    database.write_bytes(b"spoilt" * 1000)
    status = main(["restore", str(tmp_path / "copy.db")])
    assert (status, rows(database, "SELECT count(*) FROM deliveries")) == (0, [(1,)])
    assert database.with_name("burn-triage.db.spoilt").exists()


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + b"\0" * 4000])
def test_what_is_no_backup_is_refused(database: Path, tmp_path: Path, content: bytes | None, capsys: Told):
    if content is not None:
        (tmp_path / "copy.db").write_bytes(content)
    status = main(["restore", str(tmp_path / "copy.db")])
    told = capsys.readouterr().err
    assert (status, "give a file that `burn-triage backup` wrote" in told, "Traceback" in told) == (2, True, False)


def test_a_backup_of_a_newer_version_is_refused_before_anything_is_touched(
    engine: Engine, database: Path, tmp_path: Path, capsys: Told
):
    main(["backup", str(tmp_path / "copy.db")])
    rows(tmp_path / "copy.db", "UPDATE schema_version SET version_num = '9999'")
    status = main(["restore", str(tmp_path / "copy.db"), "--force"])
    with engine.connect() as conn:
        revision = conn.execute(text("SELECT version_num FROM schema_version")).scalar()
    assert (status, revision != "9999") == (2, True)
