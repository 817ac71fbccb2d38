"""From nothing to a bot at work, as the README has it: set up, run, doctor, shadow, on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.machine import Machine, is_ready, make_the_app
from tests.e2e.stack import until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[tuple[Machine, FakeGitHub]]:
    with FakeGitHub() as github:
        yield Machine(github, tmp_path), github
        assert github.violations == []


def test_from_nothing_to_an_answer(machine: tuple[Machine, FakeGitHub], tmp_path: Path):
    here, github = machine
    lost = here.command("run")
    assert (lost.returncode, "`burn-triage setup`" in lost.stderr) == (2, True)
    make_the_app(here.start("setup", "--url", here.url, output=subprocess.PIPE), github)
    app = next(iter(github.world.apps.values()))
    github.create_repo(REPO, roles={"ann": "triage"})
    for number in range(3):
        github.people.open_issue(REPO, "reporter", f"Old {number}", PANIC)
    process = here.start("run")
    try:
        until(lambda: is_ready(here), "/readyz", log=here.log.read_text)
        github.install(app, [REPO])
        github.hooks.settle()
        doctor = here.command("doctor")
        assert (doctor.returncode, doctor.stdout.startswith("no fault found")) == (0, True), doctor.stdout

        paper = here.command("backfill", REPO, "--shadow", "--limit", "500", "--report", str(tmp_path / "report"))
        assert (paper.returncode, "3 would have got a comment" in paper.stdout) == (0, True), paper.stderr
        github.people.open_issue(REPO, "reporter", "It panics", PANIC)
        github.hooks.settle()
        until(lambda: "waiting        0," in here.command("inbox", "status").stdout, "the job", log=here.log.read_text)
        assert (github.writes(), github.comments(REPO, 4)) == ([], [])

        github.add_commit(REPO, {".github/burn-triage.yml": "mode: on"})
        github.world.clock = lambda begin=github.world.clock: begin() + 2
        github.people.open_issue(REPO, "reporter", "And again", PANIC)
        until(lambda: github.comments(REPO, 5), "the answer", log=here.log.read_text)
        assert github.comments(REPO, 4) == []
        rotated = here.command("secrets", "rotate")
        assert (rotated.returncode, rotated.stderr) == (0, "")
        github.people.open_issue(REPO, "reporter", "Once more", PANIC)
        until(lambda: github.comments(REPO, 6), "the answer after the rotation", log=here.log.read_text)
        assert here.command("doctor").returncode == 0
    finally:
        process.terminate()
        assert process.wait(60) == 0
