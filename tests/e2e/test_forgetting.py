"""Who goes leaves nothing behind: no row of ours and no record of the job engine, whatever was under way."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from bot.jobs import JobQueue
from bot.store import chores, deliveries
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC, settled
from tests.fakes.databases import tables_holding
from tests.fakes.github import FakeGitHub, Installation

pytestmark = pytest.mark.e2e

REPO, OTHER = "leaving-owner/burn", "staying-owner/burn"
UNDER_WAY = 2.0
"""Seconds that GitHub takes to answer what the worker asks while it is forgotten."""


def traces(engine: Engine, *names: str) -> list[str]:
    with engine.connect() as conn:
        return [f"{name} in {table}" for name in names for table in tables_holding(conn, name)]


def busy(stack: Stack, github: FakeGitHub, engine: Engine) -> tuple[list[Installation], list[int]]:
    """On two owners' repositories one issue was answered, one is being answered, and one more job waits behind it."""
    stack.settings |= {"LEASE_SECONDS": "2", "SWEEP_SECONDS": "1", "RECONCILE_SECONDS": "3600"}
    for repo in (REPO, OTHER):
        github.create_repo(repo)
    stack.start("serve")
    stack.start("work", module="tests.e2e.tidy_worker")
    stack.wait_ready()
    installed = [github.install(stack.app, [repo]) for repo in (REPO, OTHER)]
    first = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    github.people.open_issue(OTHER, "bob", "It panics", PANIC)
    until(lambda: len(github.comments(REPO, first)) == len(github.comments(OTHER, 1)) == 1, "answers", log=stack.log)
    until(lambda: settled(engine, github), "the jobs to end", log=stack.log)
    github.fault("slow", verb="POST", path=f"/repos/{REPO}/.*/comments$", times=-1, delay=UNDER_WAY)
    second = github.people.open_issue(REPO, "ann", "It panics again", PANIC).number
    until(lambda: [s for s in github.seen if s.path.endswith(f"/issues/{second}")], "the second job", log=stack.log)
    github.people.edit_issue(REPO, second, body=f"{PANIC}\nOn every run.")
    github.hooks.settle()
    return installed, [first, second]


def test_an_uninstalled_app_keeps_nothing_and_gets_nothing_back(stack: Stack, github: FakeGitHub, engine: Engine):
    [installation, _], _ = busy(stack, github, engine)
    late = next(d for d in github.hooks.log if d.event == "issues" and d.installation_id == installation.id)
    github.uninstall(installation.id)
    github.hooks.settle()
    until(lambda: not traces(engine, "leaving-owner"), "all to be gone", log=stack.log)
    # A redelivery, an event that was under way, one that asks for no work; and the sweep, which sees all of them.
    for event in (late.event, "star"):
        assert github.hooks.deliver(stack.app, event, late.payload).status_code == 202
    github.hooks.redeliver(late.id)
    github.hooks.settle()
    until(lambda: has_swept(engine), "the sweep", log=stack.log)
    until(lambda: not traces(engine, "leaving-owner"), "what came late to be gone", log=stack.log)
    until(lambda: not JobQueue(engine).find(("CANCELLED",)), "the cancelled jobs to be gone", log=stack.log)
    with engine.connect() as conn:
        states = {row.state for row in deliveries.recent(conn) if row.delivery.partition == "installation/None"}
        stays = {row.state for row in deliveries.recent(conn) if row.delivery.repo == OTHER}
    assert (states, stays) == ({"forgotten"}, {"done", "ignored"})
    assert "staying-owner/burn" in {status.queue_partition_key[:18] for status in JobQueue(engine).find()}
    assert "Traceback" not in stack.log()


def has_swept(engine: Engine) -> bool:
    """Since this was first asked."""
    with engine.connect() as conn:
        row = chores.read(conn, "sweep")
    return row is not None and row.ended_at is not None


def test_a_forgotten_issue_is_gone_while_its_job_runs(stack: Stack, github: FakeGitHub, engine: Engine):
    _, [first, second] = busy(stack, github, engine)
    told = stack.command("forget", f"{REPO}#{second}")
    assert told.returncode == 0
    assert traces(engine, f"#{second}") in ([], [f"#{second} in workflow_status"])
    until(lambda: not traces(engine, f"{REPO}#{second}"), "all to be gone", log=stack.log)
    with engine.connect() as conn:
        here = [row for row in deliveries.recent(conn) if row.delivery.repo == REPO]
    # The comment that was under way tells of itself.
    assert {row.delivery.issue for row in here if row.reason != "own_event"} == {first}
    assert "Traceback" not in stack.log()


def test_a_forgotten_persons_issue_is_answered_all_the_same(stack: Stack, github: FakeGitHub, engine: Engine):
    _, [_, second] = busy(stack, github, engine)
    assert stack.command("forget", "ann").returncode == 0
    until(lambda: len(github.comments(REPO, second)) == 1, "the answer", log=stack.log)
    until(lambda: settled_or_forgotten(engine), "all jobs to end", log=stack.log)
    until(lambda: not traces(engine, '"ann"'), "all to be gone", log=stack.log)
    assert len(github.comments(REPO, second)) == 1
    assert github.violations == []
    assert "Traceback" not in stack.log()


def settled_or_forgotten(engine: Engine) -> bool:
    with engine.connect() as conn:
        return all(row.state in ("done", "ignored", "forgotten") for row in deliveries.recent(conn))
