"""A file system that is really full: the state is clear, GitHub hears of it, and what was promised is kept."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import requests
from sqlalchemy import Engine

from bot.store import deliveries
from bot.store.engine import open_engine
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import settled
from tests.e2e.test_database_away import PANIC, REPO, planned
from tests.fakes.databases import SqliteFiles
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

SIZE = "48m"
FULL = "not ready: the disk is full\n"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of some megabytes: the write-ahead log alone may take 16."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", place], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path, leave: int = 0) -> None:
    """Take all of its space but so many bytes."""
    with (disk / "ballast").open("ab", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(b"x" * 4096)
    if leave:
        os.truncate(disk / "ballast", max(0, (disk / "ballast").stat().st_size - leave))


def make_room(disk: Path) -> None:
    (disk / "ballast").unlink()


@pytest.fixture
def stack(disk: Path, sqlite_files: SqliteFiles, github: FakeGitHub, tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(sqlite_files.make(disk), github, tmp_path, {"SWEEP_SECONDS": "1", "LEASE_SECONDS": "2"})
    github.create_repo(REPO)
    stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.hooks.settle()
    yield stack
    stack.stop()


@pytest.fixture
def engine(stack: Stack) -> Iterator[Engine]:
    engine = open_engine(stack.database_url)
    yield engine
    engine.dispose()


def test_nothing_is_lost_on_a_disk_that_is_full_for_a_while(
    stack: Stack, github: FakeGitHub, disk: Path, engine: Engine
):
    """A job is under way when it fills up: its comment stands on GitHub, and nobody can write that down."""
    github.fault("slow", verb="POST", path="/comments$", delay=1.0)
    first = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    until(lambda: planned(engine), "a write under way")
    fill(disk)
    second = github.people.open_issue(REPO, "ann", "It panics too", f"{PANIC}\n{'x' * 60_000}").number
    github.hooks.settle()
    until(lambda: github.comments(REPO, first), "the comment that is under way")
    ready = requests.get(stack.url("/readyz"), timeout=30)
    told = [d.status_code for d in github.hooks.log if d.event == "issues"]
    assert all(process.poll() is None for process in stack.processes)
    make_room(disk)
    until(lambda: stack.is_up("/readyz"), "/readyz", log=stack.log)
    until(lambda: settled(engine, github), "all jobs to end", 120, log=stack.log)
    assert (told, ready.status_code, ready.text) == ([202, 503], 503, FULL)
    assert [len(github.comments(REPO, n)) for n in (first, second)] == [1, 1]
    assert github.violations == []


@pytest.mark.parametrize("leave", [4096, 400 * 1024])
def test_every_acknowledged_delivery_is_there_wherever_the_space_ended(
    stack: Stack, github: FakeGitHub, disk: Path, engine: Engine, leave: int
):
    """It ends in the middle of anything: of the log's growth, of its index's, of a checkpoint."""
    github.hooks.paused = True
    for n in range(40):
        github.people.open_issue(REPO, "ann", f"Question {n}", f"How do I? {'y' * 20_000}")
    waiting = github.hooks.waiting()
    fill(disk, leave)
    answers: dict[str, int] = {}

    def send(mine: slice) -> None:
        for d in waiting[mine]:
            answers[d.guid] = github.hooks.deliver(stack.app, d.event, d.payload, guid=d.guid).status_code or 0

    senders = [threading.Thread(target=send, args=(slice(n, None, 4),)) for n in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(120)
    ready = requests.get(stack.url("/readyz"), timeout=30).text
    make_room(disk)
    with engine.connect() as conn:
        stored = {row.delivery.guid for row in deliveries.recent(conn, limit=1000)}
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    promised = {guid for guid, status in answers.items() if status == 202}
    github.hooks.release()
    until(lambda: settled(engine, github), "all jobs to end", 120, log=stack.log)
    assert (set(answers.values()) - {202}, ready) == ({503}, FULL)
    assert promised <= stored
