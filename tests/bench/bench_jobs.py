"""How fast one worker works off a backlog, and how long an idle one takes from the webhook to the write.

    python -m tests.bench.bench_jobs [--jobs 150] [--rounds 3] [--workers 1] [--finished 0] [--postgres]

The job engine, the store and the steps are the real ones; GitHub answers at once and the decision is ready made: what
is measured is ours and the engine's. Backlogs are worked off in turns: by ours, by steps that do nothing (the engine's
own ceiling), in a store that holds `--finished` finished jobs, and by one worker beside several.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Table, func, insert, select, text

from bot import pace
from bot.clock import SystemClock
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.lease import LeaseKeeper
from bot.settings import read_settings
from bot.steps import Steps
from bot.store.budget import Limits
from bot.store.engine import open_engine
from bot.store.schema import deliveries, intents, issues, occurrences, verdicts
from bot.triage.actions import UpsertComment
from bot.triage.model import Outcome, Reading, Verdict
from bot.triage.snapshot import Decision, IssueSnapshot
from bot.worker import Worker
from tests.bench.bench_ack import cpu_seconds
from tests.fakes.databases import SqliteFiles, postgres_server
from tests.fakes.deliveries import body_of, guid, payload

REPO_ID = 5
NOTHING = Verdict(Outcome.NONE, Reading(()))


class Instant:
    """A GitHub that answers at once, and a decision that is ready made."""

    def read_issue(self, repo: str, number: int, **_: Any) -> IssueSnapshot:
        return IssueSnapshot(repo, REPO_ID, number, number * 10, "t", "b", "ann", False, "2026-11-30T10:00:00Z", "")

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
    paced = pace.Pace(engine, clock, Limits(0, 10_000, 100_000), keeper.is_valid)
    steps = Steps(engine, clock, github, github, github, lambda _: None, paced)  # type: ignore[arg-type, return-value]
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
    """Put finished jobs into the store: the engine's records of them, and all that ours left behind."""
    schema = "" if engine.dialect.name == "sqlite" else "dbos."
    columns = (
        "workflow_uuid, status, name, queue_name, queue_partition_key, created_at, updated_at, completed_at, priority"
    )
    job = text(
        f"INSERT INTO {schema}workflow_status ({columns})"
        " VALUES (:job, 'SUCCESS', 'handle_v1', 'issue', :key, :ms, :ms, :ms, 0)"
    )
    step = text(
        f"INSERT INTO {schema}operation_outputs (workflow_uuid, function_id, function_name, output)"
        " VALUES (:job, :step, 'decide', '{}')"
    )
    given = text(f"INSERT INTO {schema}workflow_input (workflow_uuid, inputs) VALUES (:job, '[1]')")
    now = time.time()
    for start in range(0, number, 5000):
        numbers = range(start, min(start + 5000, number))
        jobs = [{"job": f"old-{n}", "key": f"o/r#{n}", "ms": int(now * 1000)} for n in numbers]
        with engine.begin() as conn:
            conn.execute(job, jobs)
            conn.execute(given, jobs)
            conn.execute(step, [one | {"step": n} for one in jobs for n in (1, 2, 3)])
            for table, rows in left_behind(numbers, now).items():
                conn.execute(insert(table), rows)


def left_behind(numbers: range, now: float) -> dict[Table, list[dict[str, Any]]]:
    """Rows of ours of as many finished jobs, each of an issue of its own in the repository that the bench works on."""
    issue = [{"repo_id": REPO_ID, "issue_id": 10**9 + n, "repo": "o/r", "number": 10**6 + n} for n in numbers]
    ids = [{"delivery_id": 10**6 + n, "repo_id": REPO_ID, "issue_id": 10**9 + n} for n in numbers]
    delivery = {"body_hash": "h", "event": "issues", "action": "opened", "sender_is_bot": False, "received_at": now}
    delivery |= {"installation_id": 11, "state": "done", "reason": "answered", "settled_at": now, "repo": "o/r"}
    told = {"repo": "o/r", "outcome": "matched", "entry": "KB-0001", "fingerprint": "f"}
    verdict = told | {"catalog": "c", "reason": "answered", "verdict": {}, "created_at": now}
    seen = told | {"state": "open", "opened_at": "2026-11-30T10:00:00Z", "site": "s", "seen_at": now}
    intent = {"action": "upsert_comment", "state": "done", "did": "created", "planned_at": now, "done_at": now}
    return {
        deliveries: [
            delivery | {"id": one["delivery_id"], "guid": f"old-{n}", "repo_id": REPO_ID, "issue_id": one["issue_id"]}
            for n, one in zip(numbers, ids, strict=True)
        ],
        issues: [one | {"memory": {}, "updated_at": now} for one in issue],
        intents: [intent | one | {"id": f"old-{n}"} for n, one in zip(numbers, ids, strict=True)],
        verdicts: [verdict | one | {"delivery_id": row["delivery_id"]} for one, row in zip(issue, ids, strict=True)],
        occurrences: [seen | one for one in issue],
    }


def succeeded(engine: Engine) -> int:
    """Jobs of the bench's own that the engine has ended."""
    table = "workflow_status" if engine.dialect.name == "sqlite" else "dbos.workflow_status"
    query = text(f"SELECT count(*) FROM {table} WHERE workflow_uuid < 'old' AND status = 'SUCCESS'")
    with engine.connect() as conn:
        return int(conn.execute(query).scalar_one())


@dataclass(frozen=True)
class Pace:
    """Of one backlog that was worked off."""

    jobs_per_second: float
    cpu: float
    """Milliseconds of the workers' CPU for each job: a busy machine blurs it less than the other."""


class Store:
    """A database with workers on it, time after time."""

    def __init__(self, url: str, *, finished: int = 0, bare: bool = False, workers: int = 1) -> None:
        self.url, self.bare, self.workers = url, bare, workers
        self.engine = open_engine(url)
        self.inbox = Inbox(self.engine, JobQueue(self.engine), SystemClock())
        self.accepted = 0
        fill(self.engine, finished)
        if finished and self.engine.dialect.name == "postgresql":
            # As its own housekeeping would have done by now.
            with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
                conn.exec_driver_sql("ANALYZE")

    @contextmanager
    def working(self) -> Iterator[list[int]]:
        """Workers, by process id."""
        command = [sys.executable, "-m", "tests.bench.bench_jobs", "--work", self.url]
        command += ["--ceiling"] if self.bare else []
        processes = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(self.workers)]
        try:
            yield [process.pid for process in processes]
        finally:
            for process in processes:
                process.kill()
                process.wait()

    def accept(self, jobs: int) -> None:
        for _ in range(jobs):
            self.accepted += 1
            accept(self.inbox, self.accepted)

    def backlog(self, jobs: int) -> Pace:
        """Take in that many deliveries, then have them worked off."""
        already = self.accepted
        self.accept(jobs)
        with self.working() as workers:
            while (before := succeeded(self.engine)) == already:
                time.sleep(0.02)
            began, cpu = time.perf_counter(), spent(workers)
            while (after := succeeded(self.engine)) < self.accepted:
                time.sleep(0.05)
            seconds, cpu = time.perf_counter() - began, spent(workers) - cpu
        return Pace((after - before) / seconds, cpu * 1000 / (after - before))

    def latencies(self, number: int) -> list[float]:
        """Seconds from the stored delivery to its finished write, of one at a time."""
        with self.working():
            self.accept(1)
            while succeeded(self.engine) < self.accepted:
                time.sleep(0.02)
            return [self._latency(n) for n in range(number)]

    def _latency(self, n: int) -> float:
        time.sleep(0.05 + (n % 7) / 50)
        self.accept(1)
        began = time.perf_counter()
        while not count(self.engine, (intents.c.issue_id == self.accepted * 10) & (intents.c.state == "done")):
            time.sleep(0.002)
        return time.perf_counter() - began


def spent(processes: list[int]) -> float:
    """Seconds of CPU of these processes."""
    return sum(cpu_seconds(pid) for pid in processes)


def run(make: Callable[[], str], options: argparse.Namespace) -> str:
    """Backlogs of every store in turns; the median of each, and of their ratios to ours."""
    stores = {
        "ours": Store(make(), workers=options.workers),
        "the engine's own ceiling": Store(make(), bare=True, workers=options.workers),
    }
    if options.finished:
        name = f"ours beside {options.finished} finished jobs"
        stores[name] = Store(make(), finished=options.finished, workers=options.workers)
    if options.workers > 1:
        stores["one worker"] = Store(make())
    paces: dict[str, list[Pace]] = {name: [] for name in stores}
    for _ in range(options.rounds):
        for name, store in stores.items():
            paces[name].append(store.backlog(options.jobs))
    lines = [_line(name, found, paces["ours"]) for name, found in paces.items()]
    for name, store in stores.items():
        if not store.bare:
            waits = [wait * 1000 for wait in store.latencies(30)]
            p50, p95 = statistics.median(waits), statistics.quantiles(waits, n=20)[18]
            lines.append(f"  {name}: webhook stored to write done when idle: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    return "\n".join(lines)


def _line(name: str, found: list[Pace], ours: list[Pace]) -> str:
    rate, cpu = (statistics.median(each) for each in zip(*((p.jobs_per_second, p.cpu) for p in found), strict=True))
    faster = statistics.median(p.jobs_per_second / q.jobs_per_second for p, q in zip(found, ours, strict=True))
    dearer = statistics.median(p.cpu / q.cpu for p, q in zip(found, ours, strict=True))
    return f"  {name:40} {rate:5.1f} jobs/s (x{faster:.2f}), {cpu:5.2f} ms CPU a job (x{dearer:.2f})"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_jobs", description=__doc__)
    parser.add_argument("--jobs", type=int, default=150, help="of one backlog")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--finished", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--ceiling", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.work:
        work(options.work, Instant(), bare=options.ceiling)
    if options.postgres:
        with postgres_server(os.environ.get("BURN_TRIAGE_TEST_POSTGRES_URL"), "bench") as server:
            print(f"PostgreSQL\n{run(server.make, options)}", flush=True)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        files = SqliteFiles(Path(folder))
        print(f"SQLite\n{run(lambda: files.make(Path(tempfile.mkdtemp(dir=folder))), options)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
