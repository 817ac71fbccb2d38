"""Events that come at the same moment: one comment all the same. BURN_TRIAGE_TEST_ROUNDS says how often it is tried."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC, settled
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
ROUNDS = int(os.environ.get("BURN_TRIAGE_TEST_ROUNDS", "3"))


def test_opened_edited_and_command_at_once_each_five_times(stack: Stack, github: FakeGitHub, engine: Engine):
    github.create_repo(REPO)
    stack.start("serve")
    stack.start("work")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.hooks.settle()
    rounds = [at_once(stack, github) for _ in range(ROUNDS)]
    until(lambda: settled(engine, github), "all deliveries to be done", log=stack.log)
    ours = [sum(c.user is stack.app.bot for c in github.comments(REPO, number)) for number, _ in rounds]
    assert {answer for _, sent in rounds for answer in sent} == {202}
    assert ours == [1] * ROUNDS
    assert github.violations == []


def at_once(stack: Stack, github: FakeGitHub) -> tuple[int, list[int | None]]:
    """One issue: its number, and what was answered to each of fifteen or more: our own
    comments on the issues before tell of themselves."""
    github.hooks.paused = True
    number = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    github.people.edit_issue(REPO, number, body=f"{PANIC}\nIt happens on every run.")
    github.people.comment(REPO, number, "ann", "/triage")
    waiting = github.hooks.waiting() * 5
    with ThreadPoolExecutor(len(waiting)) as pool:
        sent = list(
            pool.map(lambda d: github.hooks.deliver(stack.app, d.event, d.payload, guid=d.guid).status_code, waiting)
        )
    github.hooks.release()
    return number, sent
