"""A database that the first release left behind, with all that the job engine of then had written into it.

It was recorded from the first code whose migrations are those that landed, at work on SQLite beside the stand-in: an
issue answered and hidden by its author, one without a panic, one whose job was parked, one whose worker was killed in
the middle of it, one that waited.
"""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from bot.backlog import Backlog
from bot.clock import SystemClock
from bot.status import read_status
from bot.store import deliveries, issues
from bot.store.engine import open_engine
from bot.store.migrate import migrate, state_of
from tests.e2e.stack import ROOT, until

RECORDED = ROOT / "tests/corpus/databases/first-landed.db.gz"
OURS = (
    "deliveries",
    "issues",
    "intents",
    "verdicts",
    "installations",
    "repositories",
    "writes",
    "disputes",
    "executors",
)
WORK = """
import sys, threading
from tests.bench.bench_jobs import Instant, instant_worker
worker = instant_worker(sys.argv[1], Instant())
worker._keeper.seconds = 2.0
worker.start()
while not threading.Event().wait(0.2):
    worker._keeper.renew()
    worker.look_after()
"""
"""A worker of today that misses others soon, with a GitHub that answers at once."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file, as if the release had been stopped a moment ago: what is old would be forgotten."""
    found = tmp_path / "burn-triage.db"
    found.write_bytes(gzip.decompress(RECORDED.read_bytes()))
    with sqlite3.connect(found) as conn:
        [(newest,)] = conn.execute("SELECT max(received_at) FROM deliveries")
        since = time.time() - newest
        conn.execute("UPDATE deliveries SET received_at = received_at + ?, settled_at = settled_at + ?", (since, since))
    conn.close()
    return found


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{path}")
    yield engine
    engine.dispose()


def rows(path: Path, columns: dict[str, list[str]]) -> dict[str, list[tuple[Any, ...]]]:
    with sqlite3.connect(path) as conn:
        found = {name: conn.execute(f"SELECT {', '.join(of)} FROM {name}").fetchall() for name, of in columns.items()}
    conn.close()
    return found


def states(engine: Engine) -> list[str]:
    with engine.connect() as conn:
        return [f"{row.state} {row.reason or ''}".strip() for row in reversed(deliveries.recent(conn))]


def test_every_row_is_there_after_the_upgrade(path: Path, engine: Engine):
    with sqlite3.connect(path) as conn:
        columns = {name: [row[1] for row in conn.execute(f"PRAGMA table_info({name})")] for name in OURS}
    conn.close()
    before = rows(path, columns)
    assert state_of(engine) == "older"
    migrate(engine)
    assert (state_of(engine), rows(path, columns)) == ("current", before)
    assert sum(map(len, before.values())) > 12


def test_what_it_remembers_is_read_as_it_was_meant(engine: Engine):
    migrate(engine)
    with engine.connect() as conn:
        memory = issues.read(conn, 1000001, 1000064)
        status = read_status(conn, SystemClock().now())
    assert memory is not None
    assert (memory.state, memory.hold, memory.hold_by, memory.comment_id) == ("hidden", "hidden", "author", 1000078)
    assert memory.commands_run == {"1000092:/triage hide#1"}
    assert (status.waiting, status.parked) == (2, 1)
    assert states(engine) == [
        "done installation_created",
        "done answered",
        "ignored own_event",
        "done hidden",
        "done no_panic",
        "parked forbidden",
        "queued",
        "queued",
    ]


@pytest.mark.e2e
def test_a_worker_of_today_ends_what_was_begun_and_what_waited(path: Path, engine: Engine):
    migrate(engine)
    backlog = Backlog(engine)
    [given_up] = backlog.parked()
    worker = subprocess.Popen([sys.executable, "-c", WORK, f"sqlite:///{path}"], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until(lambda: "queued" not in states(engine), "the old jobs to end")
        backlog.retry(given_up)
        until(lambda: "queued" not in states(engine), "the parked one to end")
    finally:
        worker.kill()
        worker.wait()
    assert states(engine)[-3:] == ["done answered"] * 3
