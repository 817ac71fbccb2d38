"""A machine on which nothing is set up, and what a person does there with the address that `setup` prints."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import requests

from tests.e2e.stack import ROOT, free_port
from tests.fakes.github import FakeGitHub


class Machine:
    """A machine on which nothing is set but where GitHub is, and addresses that are free."""

    def __init__(self, github: FakeGitHub, folder: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "run.log"
        self.cwd = ROOT
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
            return subprocess.Popen(words, cwd=self.cwd, env=self.environ, stdout=to, stderr=log, text=True)

    def command(self, *command: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "bot", *command]
        return subprocess.run(words, cwd=self.cwd, env=self.environ, capture_output=True, text=True, timeout=120)


def make_the_app(setup: subprocess.Popen[str], github: FakeGitHub, *, local: bool = False) -> None:
    """What a person does with an address that `setup` prints: the public one, or the one on this machine."""
    assert setup.stdout is not None
    try:
        addresses = (line.split()[-1] for line in setup.stdout if "?token=" in line)
        address = next(a for a in addresses if not local or "127.0.0.1" in a)
        browser = requests.Session()
        page = browser.get(address, timeout=10).text
        action, manifest = (unescape(re.findall(rf'{name}="([^"]+)"', page)[0]) for name in ("action", "value"))
        agreed = browser.post(action, data={"manifest": manifest}, timeout=10).text
        form = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', agreed)}
        assert browser.post(f"{github.url}/settings/apps", data=form, timeout=10).status_code == 200
        assert setup.wait(20) == 0
    finally:
        setup.kill()
        setup.stdout.close()


def is_ready(machine: Machine) -> bool:
    try:
        return requests.get(f"{machine.url}/readyz", timeout=5).status_code == 200
    except requests.RequestException:
        return False
