"""Processes die at random instants, GitHub fails and answers late: every issue gets its one comment all the same.

`BURN_TRIAGE_TEST_ISSUES`, `BURN_TRIAGE_TEST_KILLS` and `BURN_TRIAGE_TEST_INSTALLATIONS` make it longer than the few
seconds it takes in the suite: 340 issues make about 500 deliveries, of which one in ten is sent twice.
"""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise

import pytest
import requests
from sqlalchemy import Engine

from bot.clock import SystemClock
from bot.inbox import Inbox
from bot.jobs import JobQueue, row_of
from bot.store import deliveries
from tests.bench.bench_jobs import accept
from tests.e2e.fatal_worker import DEADLY
from tests.e2e.stack import ROOT, Stack, until
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

ISSUES = int(os.environ.get("BURN_TRIAGE_TEST_ISSUES", "12"))
KILLS = int(os.environ.get("BURN_TRIAGE_TEST_KILLS", "3"))
OWNERS = tuple(f"owner-{n}" for n in range(int(os.environ.get("BURN_TRIAGE_TEST_INSTALLATIONS", "3"))))
PANIC = """```
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-autodiff-0.21.0/\
src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


class Chaos:
    """Opens and edits issues while processes are killed."""

    def __init__(self, stack: Stack, github: FakeGitHub, seed: int) -> None:
        self.stack = stack
        self.github = github
        self.random = random.Random(seed)
        self.opened: list[tuple[str, int]] = []

    def prepare(self) -> None:
        self.github.fault("502_after", verb="POST", path="/comments$", times=-1, chance=0.05)
        self.github.fault("502_before", verb="POST", path="/comments$", times=-1, chance=0.05)
        self.github.fault("secondary", verb="POST", path="/comments$", times=-1, chance=0.05, retry_after="1")
        self.github.fault("drop_after", verb="POST", path="/comments$", times=-1, chance=0.02)
        self.github.fault("slow", verb="POST", path="/comments$", times=-1, chance=0.3, delay=0.2)
        for owner in OWNERS:
            self.github.create_repo(f"{owner}/burn")

    def install(self) -> None:
        for owner in OWNERS:
            self.github.install(self.stack.app, [f"{owner}/burn"])

    def people_write(self) -> None:
        """Some issues are opened, some are edited at once, some get their event twice."""
        for _ in range(max(1, ISSUES // KILLS)):
            repo = f"{self.random.choice(OWNERS)}/burn"
            number = self.github.people.open_issue(repo, "ann", "It panics", PANIC).number
            self.opened.append((repo, number))
            if self.random.random() < 0.5:
                self.github.people.edit_issue(repo, number, body=f"{PANIC}\nIt happens on every run.")

    def redeliver_failed(self) -> None:
        """GitHub sends again what it got no good answer for; and one that it did."""
        self.github.hooks.settle()
        newest = {d.guid: d for d in sorted(self.github.hooks.log, key=lambda d: d.id)}
        failed = [d for d in newest.values() if not 200 <= (d.status_code or 0) < 300]
        for delivery in [*failed, *self.random.sample(list(newest.values()), 1)]:
            self.github.hooks.redeliver(delivery.id)

    def kill_somewhen(self, process: subprocess.Popen[bytes]) -> None:
        """At once, or in the middle of what comes next."""
        time.sleep(self.random.uniform(0, 0.3))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def figures(self) -> str:
        """What was sent, and what GitHub made of our writes."""
        log = self.github.hooks.log
        posts = [seen for seen in self.github.seen if seen.verb == "POST" and seen.path.endswith("/comments")]
        guids = {delivery.guid for delivery in log}
        faulty = sum(post.status != 201 for post in posts)
        return (
            f"{len(guids)} deliveries to {len(OWNERS)} installations, sent {len(log)} times; "
            f"{len(self.opened)} issues; {len(posts)} POSTs, {faulty} of them without a good answer; {KILLS} rounds"
        )


def settled(engine: Engine, github: FakeGitHub) -> bool:
    """Is every delivery that GitHub sent stored and worked off?"""
    guids = {delivery.guid for delivery in github.hooks.log}
    with engine.connect() as conn:
        stored = deliveries.recent(conn, limit=100_000)
    return guids <= {row.delivery.guid for row in stored} and all(row.state in ("done", "ignored") for row in stored)


def reasons(engine: Engine, counts: dict[tuple[str, int], int]) -> list[str]:
    """What became of the deliveries of issues that have not one comment."""
    wrong = {f"{repo}#{number}" for (repo, number), count in counts.items() if count != 1}
    with engine.connect() as conn:
        stored = deliveries.recent(conn, limit=100_000)
    return [
        f"{row.id} {row.delivery.partition} {row.delivery.action}: {row.state} {row.reason}"
        for row in stored
        if row.delivery.partition in wrong
    ]


def assert_one_at_a_time_in_order(engine: Engine) -> None:
    """No job of an issue began its first step before the one before it had ended its last."""
    queue, by_issue = JobQueue(engine), defaultdict(list)
    for status in queue.find(limit=None):
        found = queue.show(status.workflow_id)
        assert found is not None
        steps = [step for step in found[1] if step["started_at_epoch_ms"] and step["completed_at_epoch_ms"]]
        span = (min(s["started_at_epoch_ms"] for s in steps), max(s["completed_at_epoch_ms"] for s in steps))
        by_issue[status.queue_partition_key].append((row_of(status.workflow_id), *span))
    for jobs in by_issue.values():
        jobs.sort()
        assert all(before[2] <= after[1] for before, after in pairwise(jobs)), jobs


def test_killed_workers_and_receivers_lose_nothing_and_say_nothing_twice(
    stack: Stack, github: FakeGitHub, engine: Engine
):
    if KILLS > 3:
        # It takes minutes, and looking at busy threads after two of them may end the interpreter.
        faulthandler.cancel_dump_traceback_later()
    stack.settings |= {"LEASE_SECONDS": "4", "WRITE_SECONDS": "0.01"}
    chaos = Chaos(stack, github, seed=7)
    chaos.prepare()
    receiver, worker, other = stack.start("serve"), stack.start("work"), stack.start("work")
    stack.wait_ready()
    chaos.install()
    for round_ in range(KILLS):
        chaos.people_write()
        chaos.kill_somewhen(worker)
        if round_ % 2 or KILLS > 3:
            chaos.kill_somewhen(receiver)
            receiver = stack.start("serve")
            until(lambda: stack.is_up("/healthz"), "/healthz")
        worker, other = other, stack.start("work")
        chaos.redeliver_failed()
    chaos.redeliver_failed()
    github.hooks.settle()
    until(lambda: settled(engine, github), "all deliveries to be done", 180 + ISSUES, log=stack.log)
    counts = {place: len(github.comments(*place)) for place in chaos.opened}
    assert counts == dict.fromkeys(chaos.opened, 1), reasons(engine, counts)
    assert_one_at_a_time_in_order(engine)
    assert github.violations == []
    assert "Traceback" not in stack.log()
    print(chaos.figures())


def test_a_job_that_kills_its_worker_is_set_aside(database_url: str, engine: Engine):
    """It is started twice more; then it waits for a person, and the others go on."""
    inbox = Inbox(engine, JobQueue(engine), SystemClock())
    for number in (DEADLY, 7):
        accept(inbox, number)
    command = [sys.executable, "-m", "tests.e2e.fatal_worker", database_url]
    for _ in range(10):
        if not is_settled(engine):
            work_until_death(command, engine)
    with engine.connect() as conn:
        found = {row.delivery.issue: (row.state, row.reason) for row in deliveries.recent(conn)}
    assert found == {DEADLY: ("parked", "set_aside"), 7: ("done", "answered")}


def work_until_death(command: list[str], engine: Engine) -> None:
    """Run the worker until it dies or nothing is left to do."""
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        until(lambda: process.poll() is not None or is_settled(engine), "the worker to die or the work to end")
    finally:
        process.kill()
        process.wait()


def is_settled(engine: Engine) -> bool:
    with engine.connect() as conn:
        return all(row.state != deliveries.QUEUED for row in deliveries.recent(conn))


def test_the_living_take_over_the_jobs_of_the_dead(stack: Stack, github: FakeGitHub, engine: Engine):
    stack.settings |= {"LEASE_SECONDS": "2"}
    github.create_repo("tracel-ai/burn")
    stack.start("serve")
    first = stack.start("work")
    stack.wait_ready()
    github.install(stack.app, ["tracel-ai/burn"])
    github.fault("slow", verb="POST", path="/comments$", delay=30)
    number = github.people.open_issue("tracel-ai/burn", "ann", "It panics", PANIC).number
    until(lambda: JobQueue(engine).find(("PENDING",)), "a job under way")
    second = stack.start("work")
    until(lambda: b"ready" in log_of(stack, second), "the second worker")
    os.killpg(first.pid, signal.SIGKILL)
    until(lambda: settled(engine, github), "the job to end", log=stack.log)
    assert len(github.comments("tracel-ai/burn", number)) == 1
    told = log_of(stack, second)
    # On a machine so busy that the first one's lease ran out by itself, the second has its very name.
    assert b"took the jobs of worker-1" in told or b"working as worker-1" in told


def log_of(stack: Stack, process: subprocess.Popen[bytes]) -> bytes:
    number = stack.processes.index(process)
    return (stack.folder / f"work-{number}.log").read_bytes()


def test_a_stopped_worker_hands_back_what_it_could_not_finish(stack: Stack, github: FakeGitHub, engine: Engine):
    stack.settings |= {"SHUTDOWN_SECONDS": "1"}
    github.create_repo("tracel-ai/burn")
    stack.start("serve")
    first = stack.start("work")
    stack.wait_ready()
    github.install(stack.app, ["tracel-ai/burn"])
    github.fault("secondary", verb="POST", path="/comments$", retry_after="4")
    number = github.people.open_issue("tracel-ai/burn", "ann", "It panics", PANIC).number
    until(lambda: [s for s in github.seen if s.status == 403], "the rate limit")
    first.terminate()
    status = first.wait(30)
    answer = requests.get(stack.url("/readyz"), timeout=5)
    stack.start("work")
    until(lambda: settled(engine, github), "the job to end", log=stack.log)
    assert (status, answer.status_code, len(github.comments("tracel-ai/burn", number))) == (0, 503, 1)
