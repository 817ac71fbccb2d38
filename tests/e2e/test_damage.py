"""Rows that cannot be read park their own job with a reason; the others go on, and a person can help."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sqlalchemy import Engine, text, update

from bot.backlog import Backlog
from bot.clock import SystemClock
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.ports import Target
from bot.store import deliveries, issues, privacy
from bot.store.schema import deliveries as rows
from bot.triage.snapshot import IssueMemory
from tests.bench.bench_jobs import accept
from tests.e2e.stack import ROOT, until
from tests.e2e.test_crashes import is_settled
from tests.fakes.deliveries import body_of, guid, payload

pytestmark = pytest.mark.e2e

MEMORY, INPUTS, GOOD = 1, 2, 3


def damage(engine: Engine) -> None:
    """One job's memory, one job's record in the engine, and one installation's payload."""
    inbox = Inbox(engine, JobQueue(engine), SystemClock())
    hello = payload(action="created", issue=None, installation={"id": 77})
    delivery = describe(hello, event="installation", guid=guid(), body_hash="h", bot_login=None)
    inbox.accept(delivery, body_of(hello))
    for number in (MEMORY, INPUTS, GOOD):
        accept(inbox, number)
    sqlite = engine.dialect.name == "sqlite"
    table = "workflow_input" if sqlite else "dbos.workflow_input"
    with engine.begin() as conn:
        issues.write(conn, Target("tracel-ai/burn", 5, MEMORY, MEMORY * 10, 11), IssueMemory(), 1.0)
        conn.execute(text("UPDATE issues SET memory = :damaged"), {"damaged": '{"cut' if sqlite else "[1, 2]"})
        conn.execute(update(rows).where(rows.c.event == "installation").values(payload=b"\xff{"))
        [broken] = [row for row in deliveries.recent(conn) if row.delivery.issue == INPUTS]
        conn.execute(
            text(f"UPDATE {table} SET inputs = '{{cut' WHERE workflow_uuid LIKE :job"), {"job": f"{broken.id:016d}-%"}
        )


def fates(engine: Engine) -> dict[int | None, tuple[str, str]]:
    with engine.connect() as conn:
        return {row.delivery.issue: (row.state, row.reason) for row in deliveries.recent(conn)}


def test_a_damaged_row_parks_its_own_job_alone(database_url: str, engine: Engine):
    damage(engine)
    worker = subprocess.Popen([sys.executable, "-m", "tests.e2e.fatal_worker", database_url], cwd=ROOT)
    try:
        until(lambda: is_settled(engine), "all jobs to end or park")
        found = fates(engine)
        told = "\n".join(line for job in Backlog(engine).parked() for line in Backlog(engine).describe(job))
        with engine.begin() as conn:
            privacy.forget_person(conn, "somebody", 1.0)
            row = next(r for r in deliveries.recent(conn) if r.delivery.issue == MEMORY)
        Backlog(engine).retry(str(row.id))
        until(lambda: is_settled(engine), "the job that was helped")
    finally:
        worker.kill()
        worker.wait()
    assert found == {
        None: ("parked", "payload_unreadable"),
        MEMORY: ("parked", "memory_damaged"),
        INPUTS: ("parked", "set_aside"),
        GOOD: ("done", "answered"),
    }
    assert "burn-triage forget OWNER/REPO#NUMBER" in told
    assert fates(engine)[MEMORY] == ("done", "answered")
