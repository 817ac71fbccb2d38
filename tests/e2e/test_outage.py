"""While we were away GitHub's deliveries failed. Back again, every issue is covered: by the log, and without it."""

from __future__ import annotations

import pytest
import requests

from tests.e2e.stack import Stack, until
from tests.fakes.github import FakeGitHub

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
