"""A receiver on one machine and a worker on another, as docs/scaling.md has it: keys in a file that is carried over."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.machine import Machine, is_ready, make_the_app
from tests.e2e.stack import until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"


def carry_over(one: Machine, other: Machine) -> None:
    """`install -m 0600 app.json …` of the page."""
    kept, place = (Path(m.environ["XDG_STATE_HOME"]) / "burn-triage/app.json" for m in (one, other))
    place.parent.mkdir(exist_ok=True)
    shutil.copy(kept, place)


def test_a_receiver_and_a_worker_on_machines_of_their_own(postgres, github: FakeGitHub, tmp_path: Path):
    url = postgres.make_empty()
    machines = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        machine = Machine(github, tmp_path / name)
        machine.environ |= {"XDG_STATE_HOME": str(tmp_path / name), "BURN_TRIAGE_DATABASE_URL": url}
        machines.append(machine)
    first, second = machines
    make_the_app(first.start("setup", "--url", first.url, output=subprocess.PIPE), github)
    app = next(iter(github.world.apps.values()))
    carry_over(first, second)
    github.create_repo(REPO)
    processes = [first.start("serve"), second.start("work")]
    try:
        until(lambda: is_ready(first), "/readyz", log=first.log.read_text)
        github.add_commit(REPO, {".github/burn-triage.yml": "mode: on"})
        github.install(app, [REPO])
        github.hooks.settle()
        github.world.clock = lambda begin=github.world.clock: begin() + 2
        github.people.open_issue(REPO, "reporter", "It panics", PANIC)
        until(lambda: github.comments(REPO, 1), "the answer", log=second.log.read_text)

        rotated = second.command("secrets", "rotate", "webhook-secret")
        assert (rotated.returncode, rotated.stderr) == (0, "")
        github.people.open_issue(REPO, "reporter", "And again", PANIC)
        github.hooks.settle()
        assert github.hooks.log[-1].status_code == 401
        carry_over(second, first)
        github.people.open_issue(REPO, "reporter", "Once more", PANIC)
        until(lambda: github.comments(REPO, 3), "the answer after the rotation", log=second.log.read_text)
    finally:
        for process in processes:
            process.terminate()
        assert [process.wait(60) for process in processes] == [0, 0]
    assert github.violations == []
