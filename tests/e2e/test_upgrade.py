"""A release with another order of steps takes over while jobs of the former one wait and run."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sqlalchemy import Engine

from bot import jobs
from bot.clock import SystemClock
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.store import deliveries
from tests.bench.bench_jobs import accept
from tests.e2e.releases import NEXT
from tests.e2e.stack import ROOT, until
from tests.e2e.test_crashes import assert_one_at_a_time_in_order, is_settled

pytestmark = pytest.mark.e2e

ISSUES = 4


def start(release: str, url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.e2e.releases", release, url], cwd=ROOT)


def test_a_changed_workflow_loses_and_parks_nothing(database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch):
    queue = JobQueue(engine)
    inbox = Inbox(engine, queue, SystemClock())
    for number in range(12):
        accept(inbox, number % ISSUES + 1)
    present = start("present", database_url)
    until(lambda: len(queue.find(("PENDING",))) == ISSUES, "jobs under way")
    present.kill()
    present.wait()
    assert len(queue.find(("ENQUEUED",))) > 0
    monkeypatch.setattr(jobs, "WORKFLOWS", NEXT)
    for number in range(8):
        accept(inbox, number % ISSUES + 1)
    following = start("next", database_url)
    try:
        until(lambda: is_settled(engine), "all jobs to end")
        until(lambda: len(queue.find(("SUCCESS",))) == 20, "the engine to know it")
    finally:
        following.kill()
        following.wait()
    with engine.connect() as conn:
        states = [row.state for row in deliveries.recent(conn)]
    assert states == ["done"] * 20
    assert [status.name for status in queue.find()] == ["handle_v2"] * 8 + ["handle_v1"] * 12
    assert_one_at_a_time_in_order(engine)
