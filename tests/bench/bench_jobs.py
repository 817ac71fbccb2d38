"""How fast one worker works off a backlog, and how long an idle one takes from the webhook to the write.

    python -m tests.bench.bench_jobs [--jobs 300] [--workers 1] [--finished 0] [--ceiling] [--postgres]

The job engine, the store and the steps are the real ones; GitHub answers at once and the decision is ready made: what
is measured is ours and the engine's. `--finished` puts that many finished jobs into the store first.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, func, select, text

from bot.clock import SystemClock
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.lease import LeaseKeeper
from bot.pace import Pace
from bot.settings import read_settings
from bot.steps import Steps
from bot.store.budget import Limits
from bot.store.engine import open_engine
from bot.store.schema import intents
from bot.triage.actions import UpsertComment
from bot.triage.model import Outcome, Reading, Verdict
from bot.triage.snapshot import Decision, IssueSnapshot
from bot.worker import Worker
from tests.fakes.databases import SqliteFiles, postgres_server
from tests.fakes.deliveries import body_of, guid, payload

NOTHING = Verdict(Outcome.NONE, Reading(()))


class Instant:
    """A GitHub that answers at once, and a decision that is ready made."""

    def read_issue(self, repo: str, number: int, **_: Any) -> IssueSnapshot:
        return IssueSnapshot(repo, 5, number, number * 10, "t", "b", "ann", False, "2026-11-30T10:00:00Z", "")

    def people(self, snapshot: Any, memory: Any) -> tuple[str, ...]:
        return ()

    def handle(self, trigger: Any, snapshot: Any, memory: Any, knowledge: Any, **_: Any) -> Decision:
        return Decision((UpsertComment(f"About {snapshot.number}."),), memory, NOTHING, "answered")

    def publish(self, action: Any, target: Any, **_: Any) -> dict[str, Any]:
        return {"did": "created", "reason": "", "comment_id": target.number, "body_hash": "h"}


def instant_worker(url: str, github: Instant) -> Worker:
    """A worker on this GitHub."""
    settings = read_settings({"BURN_TRIAGE_DATABASE_URL": url})
    clock, engine = SystemClock(), open_engine(url)
    keeper = LeaseKeeper(engine, clock, settings.lease_seconds)
    pace = Pace(engine, clock, Limits(0, 10_000, 100_000), keeper.is_valid)
    steps = Steps(engine, clock, github, github, github, lambda _: None, pace)  # type: ignore[arg-type, return-value]
    return Worker(settings, keeper, steps)


class Bare(Steps):
    """Steps that do nothing at all: what remains is the engine's own cost of a job with three steps."""

    def decide(self, row_id: int) -> dict[str, Any]:
        return {"actions": [{}], "target": None, "retry": "", "reason": ""}

    def publish(self, row_id: int, position: int, target: Any, action: Any) -> dict[str, Any]:
        return {}

    def finish(self, row_id: int, plan: Any, outcomes: Any, tries: int) -> None:
        return None


def work(url: str, github: Instant, *, bare: bool = False) -> None:
    """Be a worker until killed."""
    worker = instant_worker(url, github)
    if bare:
        worker._steps = Bare(**{item.name: getattr(worker._steps, item.name) for item in fields(Steps)})
    worker.start()
    signal.pause()


def accept(inbox: Inbox, number: int) -> None:
    issue = {"number": number, "id": number * 10, "body": "x" * 5000, "created_at": "2026-11-30T10:00:00Z"}
    values = payload(issue=issue)
    body = body_of(values)
    inbox.accept(describe(values, event="issues", guid=guid(), body_hash="h", bot_login=None), body)


def count(engine: Engine, what: Any) -> int:
    with engine.connect() as conn:
        return int(conn.execute(select(func.count()).where(what)).scalar_one())


def fill(engine: Engine, number: int) -> None:
    """Put finished jobs into the engine's store."""
    schema = "" if engine.dialect.name == "sqlite" else "dbos."
    columns = (
        "workflow_uuid, status, name, queue_name, queue_partition_key, created_at, updated_at, completed_at, priority"
    )
    values = ":id, 'SUCCESS', 'handle_v1', 'issue', :key, 1, 1, 1, 0"
    statement = text(f"INSERT INTO {schema}workflow_status ({columns}) VALUES ({values})")
    with engine.begin() as conn:
        conn.execute(statement, [{"id": f"old-{n}", "key": f"o/r#{n}"} for n in range(number)])


def succeeded(engine: Engine) -> int:
    """Jobs that the engine has ended."""
    table = "workflow_status" if engine.dialect.name == "sqlite" else "dbos.workflow_status"
    query = text(f"SELECT count(*) FROM {table} WHERE status = 'SUCCESS' AND workflow_uuid NOT LIKE 'old-%'")
    with engine.connect() as conn:
        return int(conn.execute(query).scalar_one())


def measure(url: str, jobs: int, finished: int, workers: int, bare: bool = False) -> str:
    engine = open_engine(url)
    inbox = Inbox(engine, JobQueue(engine), SystemClock())
    if finished:
        fill(engine, finished)
    for number in range(1, jobs + 1):
        accept(inbox, number)
    command = [sys.executable, "-m", "tests.bench.bench_jobs", "--work", url, *(["--ceiling"] if bare else [])]
    processes = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(workers)]
    try:
        while not (before := succeeded(engine)):
            time.sleep(0.02)
        began = time.perf_counter()
        while (after := succeeded(engine)) < jobs:
            time.sleep(0.2)
        rate = (after - before) / (time.perf_counter() - began)
        if bare:
            return f"{rate:.0f} jobs/s is the engine's own ceiling"
        waits = [latency(engine, inbox, jobs + n) for n in range(1, 31)]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        engine.dispose()
    p50, p95 = statistics.median(waits) * 1000, sorted(waits)[28] * 1000
    return f"{rate:.0f} jobs/s; webhook stored to write done when idle: p50 {p50:.0f} ms, p95 {p95:.0f} ms"


def latency(engine: Engine, inbox: Inbox, number: int) -> float:
    """Seconds from the stored delivery to its finished write."""
    time.sleep(0.05 + (number % 7) / 50)
    accept(inbox, number)
    began = time.perf_counter()
    while not count(engine, (intents.c.issue_id == number * 10) & (intents.c.state == "done")):
        time.sleep(0.002)
    return time.perf_counter() - began


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_jobs", description=__doc__)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--finished", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--ceiling", action="store_true", help="steps that do nothing: the engine's own share")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.work:
        work(options.work, Instant(), bare=options.ceiling)
    arguments = (options.jobs, options.finished, options.workers, options.ceiling)
    if options.postgres:
        with postgres_server(os.environ.get("BURN_TRIAGE_TEST_POSTGRES_URL"), "bench") as server:
            print(f"PostgreSQL: {measure(server.make(), *arguments)}", flush=True)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        print(f"SQLite: {measure(SqliteFiles(Path(folder)).make(Path(folder)), *arguments)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
