"""`burn-triage setup`, and that `run` points to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
import requests

from bot.cli import main
from bot.credentials import create_kept, read_kept
from tests.fakes.github import FakeGitHub

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("BURN_TRIAGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "burn-triage" / "app.json"


@contextmanager
def running(github: FakeGitHub, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it prints for this machine."""
    command = [sys.executable, "-m", "bot", "setup", "--listen", "127.0.0.1:0", *options]
    env = os.environ | {"BURN_TRIAGE_GITHUB_URL": github.url, "BURN_TRIAGE_GITHUB_API_URL": github.url}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if "on this machine" in line)
        try:
            yield process, line.rsplit(" ", 1)[1].strip()
        finally:
            process.terminate()


def test_from_the_command_to_the_file(path: Path):
    with FakeGitHub() as github, running(github, "--url", "https://bot.example.org", "--org", "acme") as (process, url):
        person = requests.Session()
        assert requests.get(url.split("?")[0], timeout=5).status_code == 404
        page = person.get(url, timeout=5).text
        action, manifest = (unescape(re.findall(rf'{name}="([^"]+)"', page)[0]) for name in ("action", "value"))
        agreed = person.post(action, data={"manifest": manifest}, timeout=5).text
        form = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', agreed)}
        done = person.post(f"{github.url}/settings/apps", data=form, timeout=5)
        assert "burn-triage is made" in done.text
        assert process.stdout is not None
        told = process.stdout.read()
        assert process.wait(20) == 0
    kept = read_kept(path)
    assert (kept["bot_login"], path.stat().st_mode & 0o777) == ("burn-triage[bot]", 0o600)
    assert f"{github.url}/apps/burn-triage/installations/new" in told
    assert [text for text in kept.values() if len(text) > 30 and text in told and "://" not in text] == []


def test_where_it_listens_everywhere_it_prints_no_address_that_nobody_could_open(path: Path):
    """As in a container."""
    command = [sys.executable, "-m", "bot", "setup", "--listen", "0.0.0.0:0", "--url", "https://bot.example.org"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(line for line in process.stdout if "token=" in line)
        process.terminate()
        assert (address.split("?")[0].strip(), process.stdout.read().strip()) == ("https://bot.example.org/setup", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--url"),
        (["--url", "bot.example.org"], "http"),
        (["--url", "https://x", "--org", "a/b"], "no name of an organisation"),
        (["--url", "https://x", "--name", "x" * 35], "1 to 34"),
        (["--url", "https://x", "--listen", "8000"], "HOST:PORT"),
    ],
)
def test_wrong_usage(path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str):
    assert main(["setup", *options]) == 2
    assert said in capsys.readouterr().err


def test_nothing_is_offered_where_there_are_credentials(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BURN_TRIAGE_WEBHOOK_SECRET", "x")
    assert main(["setup", "--url", "https://x"]) == 2
    assert "BURN_TRIAGE_WEBHOOK_SECRET" in capsys.readouterr().err
    monkeypatch.delenv("BURN_TRIAGE_WEBHOOK_SECRET")
    create_kept(path, {"client_id": "x"})
    assert main(["setup", "--url", "https://x"]) == 2
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "serve", "work"])
def test_with_nothing_configured_the_servers_point_to_it(path: Path, capsys: pytest.CaptureFixture[str], command: str):
    assert main([command]) == 2
    assert "`burn-triage setup` makes the GitHub App" in capsys.readouterr().err
