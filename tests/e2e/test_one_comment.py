"""A signed webhook of a new issue comes in over HTTP, and one comment stands on the issue."""

from __future__ import annotations

import pytest

from tests.e2e.stack import Stack, until
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
PANIC = """It dies at once.

```
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-autodiff-0.21.0/src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


def test_one_comment_for_life(stack: Stack, github: FakeGitHub):
    github.create_repo(REPO, roles={"maint": "triage"})
    process = stack.start("run")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    issue = github.people.open_issue(REPO, "ann", "Panic", PANIC)
    until(lambda: github.comments(REPO, issue.number), "a comment\n" + stack.log())
    print(github.comments(REPO, issue.number)[0].body)
    print(stack.command("jobs", "list").stdout)
    process.terminate()
    assert process.wait(30) == 0
    print(stack.log())
    assert github.violations == []
