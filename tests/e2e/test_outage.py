"""While we were away GitHub's deliveries failed. Back again, every issue is covered: by the log, and without it."""

from __future__ import annotations

import time

import pytest
import requests

from tests.e2e.stack import Stack, until
from tests.fakes.github import Comment, FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
PANIC = """```
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-autodiff-0.21.0/\
src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


def has_comment(github: FakeGitHub, number: int) -> bool:
    return len(github.comments(REPO, number)) == 1


def test_what_was_missed_is_made_up_for(stack: Stack, github: FakeGitHub):
    stack.settings |= {"SWEEP_SECONDS": "1", "RECONCILE_SECONDS": "3600"}
    github.create_repo(REPO)
    receiver = stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.hooks.settle()
    receiver.terminate()
    receiver.wait(30)
    numbers = [github.people.open_issue(REPO, "ann", f"Panic {n}", PANIC).number for n in range(3)]
    github.hooks.settle()
    assert {d.status_code for d in github.hooks.log if d.event == "issues"} == {0}
    stack.start("serve")
    until(lambda: all(has_comment(github, n) for n in numbers), "the sweep", log=stack.log)
    assert github.violations == []


def test_with_the_log_gone_the_issues_tell(stack: Stack, github: FakeGitHub):
    """As after a week: GitHub keeps its log for three days."""
    stack.settings |= {"SWEEP_SECONDS": "3600", "RECONCILE_SECONDS": "1"}
    github.create_repo(REPO)
    stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.hooks.settle()
    github.hooks.paused = True
    quiet = github.people.open_issue(REPO, "ann", "A question", "How do I save a model?").number
    number = github.people.open_issue(REPO, "ann", "Panic", PANIC).number
    github.hooks.log.clear()
    until(lambda: has_comment(github, number), "the reconcile", log=stack.log)
    told = until(lambda: all_covered(stack), "both issues to be covered", log=stack.log)
    assert (github.comments(REPO, quiet), told) == ([], True)
    assert github.violations == []


def all_covered(stack: Stack) -> bool:
    """Have later runs found nothing more?"""
    text = requests.get(f"http://127.0.0.1:{stack.metrics_port}/metrics", timeout=5).text
    return 'gaps_found{chore="reconcile"} 0.0' in text and 'jobs{state="queued"} 0.0' in text


def test_after_a_week_every_issue_is_covered_and_old_ones_by_the_rules(stack: Stack, github: FakeGitHub):
    """Everything of ours was off, and GitHub's log reaches back for three days only."""
    stack.settings |= {"SWEEP_SECONDS": "1", "RECONCILE_SECONDS": "1"}
    github.create_repo(REPO, roles={"mel": "maintain"})
    people = github.people

    def ours(number: int) -> list[Comment]:
        return [c for c in github.comments(REPO, number) if c.user is stack.app.bot]

    old = people.open_issue(REPO, "ann", "Older than the installation", PANIC).number
    time.sleep(1.1)  # GitHub's times are whole seconds
    receiver, worker = stack.start("serve"), stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    answered = people.open_issue(REPO, "ann", "Answered before", PANIC).number
    until(lambda: has_comment(github, answered), "the first answer", log=stack.log)
    for process in (worker, receiver):
        process.terminate()
        process.wait(30)
    missed = [people.open_issue(REPO, "ann", f"Panic {n}", PANIC).number for n in range(3)]
    closed, locked, spoken, asked = (people.open_issue(REPO, "ann", name, PANIC).number for name in "abcd")
    quiet = people.open_issue(REPO, "ann", "A question", "How do I save a model?").number
    pull = people.open_issue(REPO, "ann", "A change", PANIC, pull=True).number
    people.close_issue(REPO, closed)
    people.lock_issue(REPO, locked)
    people.comment(REPO, spoken, "mel", "Known to us.")
    people.edit_issue(REPO, old, body=f"{PANIC}\nStill there.")
    people.comment(REPO, asked, "somebody", "Me too")
    people.edit_issue(REPO, answered, body="It was my own mistake.")
    github.hooks.settle()
    github.hooks.log.clear()
    stack.start("serve")
    stack.start("work")
    until(lambda: all(ours(n) for n in [*missed, asked]), "the answers", log=stack.log)
    until(lambda: ours(answered)[0].minimized, "the answer that no longer holds to be hidden", log=stack.log)
    until(lambda: all_covered(stack), "all to be covered", log=stack.log)
    wanted = dict.fromkeys([answered, *missed, asked], 1)
    wanted |= dict.fromkeys([old, closed, locked, spoken, quiet, pull], 0)
    assert {n: len(ours(n)) for n in people.repo(REPO).issues} == wanted
    assert github.violations == []
