"""A machine comes back from a backup: what was posted after it is found again, and nothing is said twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from bot.store.engine import open_engine
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC, settled
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e
REPO = "tracel-ai/burn"


@pytest.fixture
def stack(sqlite_files, github: FakeGitHub, tmp_path: Path):
    stack = Stack(sqlite_files.make(tmp_path), github, tmp_path, {"SWEEP_SECONDS": "1", "LEASE_SECONDS": "2"})
    yield stack
    stack.stop()


def test_after_a_restore_every_issue_has_its_one_comment(stack: Stack, github: FakeGitHub, tmp_path: Path):
    """One issue was answered before the backup, one is being answered during it, one is answered after it."""
    github.create_repo(REPO)
    processes = [stack.start("serve"), stack.start("work")]
    stack.wait_ready()
    github.install(stack.app, [REPO])
    before = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    until(lambda: github.comments(REPO, before), "an answer", log=stack.log)
    github.fault("slow", verb="POST", path="/comments$", delay=1.0)
    during = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    until(lambda: len([s for s in github.seen if s.path.endswith(f"/issues/{during}")]), "the job", log=stack.log)
    backup = stack.command("backup", str(tmp_path / "copy.db"))
    after = github.people.open_issue(REPO, "ann", "It panics", PANIC).number
    until(lambda: github.comments(REPO, after) and github.comments(REPO, during), "the answers", log=stack.log)
    github.people.comment(REPO, before, "ann", "/triage help")
    until(lambda: github.people.issue(REPO, before).comments[-1].reactions, "the reaction", log=stack.log)
    refused = stack.command("restore", str(tmp_path / "copy.db"), "--force")
    for process in processes:
        process.terminate()
        process.wait(30)
    Path(make_url(stack.database_url).database or "").write_bytes(b"")
    restored = stack.command("restore", str(tmp_path / "copy.db"))
    assert (backup.returncode, refused.returncode, restored.returncode) == (0, 2, 0), restored.stderr
    stack.start("serve")
    stack.start("work")
    engine = open_engine(stack.database_url)
    until(lambda: settled(engine, github), "all deliveries to be taken in again", log=stack.log)
    engine.dispose()
    ours = [[c for c in github.comments(REPO, n) if c.user is stack.app.bot] for n in (before, during, after)]
    assert [len(found) for found in ours] == [1, 1, 1]
    assert ours[0][0].body.count("`/triage help`:") == 1
    assert github.violations == []
