"""From nothing to a bot at work, as the README has it: set up, run, doctor, shadow, on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import requests

from tests.e2e.stack import ROOT, free_port, until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"


class Machine:
    """A machine on which nothing is set but where GitHub is, and addresses that are free."""

    def __init__(self, github: FakeGitHub, folder: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "run.log"
        self.environ = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "BURN_TRIAGE_GITHUB_URL": github.url,
            "BURN_TRIAGE_GITHUB_API_URL": github.url,
            "BURN_TRIAGE_LISTEN": f"127.0.0.1:{port}",
            "BURN_TRIAGE_METRICS_LISTEN": "off",
            "BURN_TRIAGE_RECEIVERS": "1",
            "BURN_TRIAGE_SETTLE_SECONDS": "0",
            "BURN_TRIAGE_WRITE_SECONDS": "0",
            "BURN_TRIAGE_CONFIGURATION_SECONDS": "0",
        }

    def start(self, *command: str, output: int | None = None) -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "bot", *command]
        with self.log.open("a") as log:
            to = subprocess.PIPE if output else log
            return subprocess.Popen(words, cwd=ROOT, env=self.environ, stdout=to, stderr=log, text=True)

    def command(self, *command: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "bot", *command]
        return subprocess.run(words, cwd=ROOT, env=self.environ, capture_output=True, text=True, timeout=120)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[tuple[Machine, FakeGitHub]]:
    with FakeGitHub() as github:
        yield Machine(github, tmp_path), github
        assert github.violations == []


def make_the_app(machine: Machine, github: FakeGitHub) -> None:
    """What a person does with the address that `setup` prints."""
    process = machine.start("setup", "--url", machine.url, output=subprocess.PIPE)
    assert process.stdout is not None
    try:
        address = next(line.strip() for line in process.stdout if "?token=" in line)
        browser = requests.Session()
        page = browser.get(address, timeout=10).text
        action, manifest = (unescape(re.findall(rf'{name}="([^"]+)"', page)[0]) for name in ("action", "value"))
        agreed = browser.post(action, data={"manifest": manifest}, timeout=10).text
        form = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', agreed)}
        assert browser.post(f"{github.url}/settings/apps", data=form, timeout=10).status_code == 200
        assert process.wait(20) == 0
    finally:
        process.kill()


def ready(machine: Machine) -> bool:
    try:
        return requests.get(f"{machine.url}/readyz", timeout=5).status_code == 200
    except requests.RequestException:
        return False


def test_from_nothing_to_an_answer(machine: tuple[Machine, FakeGitHub], tmp_path: Path):
    here, github = machine
    lost = here.command("run")
    assert (lost.returncode, "`burn-triage setup`" in lost.stderr) == (2, True)
    make_the_app(here, github)
    app = next(iter(github.world.apps.values()))
    github.create_repo(REPO, roles={"ann": "triage"})
    for number in range(3):
        github.people.open_issue(REPO, "reporter", f"Old {number}", PANIC)
    process = here.start("run")
    try:
        until(lambda: ready(here), "/readyz", log=here.log.read_text)
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
