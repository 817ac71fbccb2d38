"""GitHub's real write budget, as GitHub sees it: two workers of many threads write to no installation faster than they
may. What has to wait gives its slot back."""

from __future__ import annotations

import statistics
from collections import defaultdict
from itertools import pairwise

import pytest
from sqlalchemy import Engine

from bot.jobs import JobQueue
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC, assert_one_at_a_time_in_order, settled
from tests.fakes.github import FakeGitHub, Seen

pytestmark = pytest.mark.e2e

SECOND = 1.0
JITTER = 0.05
LATE = 3.0
"""What one write may be late on its way to GitHub, on a very busy machine: it comes nearer to the next one then."""


def writes(github: FakeGitHub) -> dict[int | None, list[float]]:
    found = defaultdict(list)
    for seen in github.seen:
        if seen.changing and seen.path.startswith("/repos/"):
            found[seen.installation_id].append(seen.at)
    return found


def test_the_real_budget_as_github_sees_it(stack: Stack, github: FakeGitHub, engine: Engine):
    stack.settings |= {"WRITE_SECONDS": "1", "SETTLE_SECONDS": "0"}
    busy, quiet = "busy-owner/burn", "quiet-owner/burn"
    for repo in (busy, quiet):
        github.create_repo(repo)
    stack.start("serve")
    for _ in range(2):
        stack.start("work")
    stack.wait_ready()
    for repo in (busy, quiet):
        github.install(stack.app, [repo])
    numbers = [github.people.open_issue(busy, "ann", f"Panic {n}", PANIC).number for n in range(7)]
    for number in numbers[:2]:
        github.people.edit_issue(busy, number, body=f"{PANIC}\nOn every run.")
    other = github.people.open_issue(quiet, "bob", "Panic", PANIC).number
    until(lambda: github.comments(quiet, other), "the quiet owner's answer", 5, log=stack.log)
    answered = sum(bool(github.comments(busy, n)) for n in numbers)
    until(lambda: settled(engine, github), "all jobs to end", log=stack.log)
    times = [sorted(found) for found in writes(github).values()]
    gaps = [later - earlier for found in times for earlier, later in pairwise(found)]
    assert [len(github.comments(busy, n)) for n in numbers] == [1] * len(numbers)
    assert [found for found in times if found[-1] - found[0] < (len(found) - 1) * SECOND - LATE] == []
    assert statistics.median(gaps) >= SECOND - JITTER
    assert answered < len(numbers)
    assert_one_at_a_time_in_order(engine)


def test_jobs_that_wait_leave_their_slots_to_others(stack: Stack, github: FakeGitHub, engine: Engine):
    """GitHub told one owner's installation to wait for ten minutes; the worker has two slots, and ten jobs wait."""
    stack.settings |= {"WORKER_SLOTS": "2", "SETTLE_SECONDS": "0"}
    held, free = "held-owner/burn", "free-owner/burn"
    for repo in (held, free):
        github.create_repo(repo)
    stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    for repo in (held, free):
        github.install(stack.app, [repo])
    github.fault("secondary", verb="POST", path=f"/repos/{held}/.*/comments$", times=-1, retry_after="600")
    for n in range(10):
        github.people.open_issue(held, "ann", f"Panic {n}", PANIC)

    def tried() -> list[Seen]:
        return [s for s in github.seen if s.verb == "POST" and s.path.startswith(f"/repos/{held}/")]

    until(lambda: tried(), "the write that GitHub refuses", log=stack.log)
    until(lambda: len(JobQueue(engine).find(("PENDING",))) == 10, "ten jobs that wait", log=stack.log)
    number = github.people.open_issue(free, "bob", "Panic", PANIC).number
    until(lambda: github.comments(free, number), "the answer", 10, log=stack.log)
    # Two may be on their way when GitHub says so to the first.
    assert len(tried()) <= 2
