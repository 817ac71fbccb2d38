"""`burn-triage doctor` on the command line."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from bot.cli import main
from bot.credentials import create_kept
from bot.doctor.examine import all_checks
from bot.settings import read_settings
from bot.store import executors
from bot.store.engine import open_engine
from tests.bot.github.stage import REPO, private_key
from tests.fakes.databases import SqliteFiles
from tests.fakes.github import FakeGitHub


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("BURN_TRIAGE_GITHUB_API_URL", "http://127.0.0.1:9")


def findings(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    told = json.loads(capsys.readouterr().out)
    assert told["checks"] == ["settings", *all_checks()]
    return {finding["check"]: f"{finding['fault']} | {finding['remedy']}" for finding in told["findings"]}


def test_where_nothing_is_set_up_it_points_to_the_set_up_and_makes_nothing(capsys, tmp_path: Path):
    assert main(["doctor", "--json"]) == 1
    told = findings(capsys)
    assert list(told) == ["credentials", "database", "clock"]
    assert "run `burn-triage setup`" in told["credentials"]
    assert "could not be looked at" in told["clock"]
    assert "see that this machine reaches BURN_TRIAGE_GITHUB_API_URL" in told["clock"]
    assert list(tmp_path.iterdir()) == []


def test_settings_that_do_not_hold_are_a_finding(capsys, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BURN_TRIAGE_LISTEN", "8000")
    assert main(["doctor"]) == 1
    assert "settings: The settings do not hold together" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 1
    assert "HOST:PORT" in findings(capsys)["settings"]


def test_after_the_set_up_all_is_well(capsys, tmp_path: Path, sqlite_files: SqliteFiles, monkeypatch):
    with FakeGitHub() as github:
        app = github.create_app(private_key=private_key(), events=("issues", "issue_comment"))
        github.create_repo(REPO)
        github.install(app, [REPO])
        app.webhook_url = "https://bot.example.org/webhook"
        monkeypatch.setenv("BURN_TRIAGE_GITHUB_API_URL", github.url)
        kept = {"app_id": str(app.id), "private_key": app.private_key, "webhook_secret": "secret"}
        create_kept(read_settings().credentials, kept)
        sqlite_files.make(tmp_path / "burn-triage")
        (tmp_path / "burn-triage" / "burn-triage.db").chmod(0o600)
        engine = open_engine(read_settings().database_url)
        with engine.begin() as conn:
            executors.acquire(conn, holder="x", place="", pid=1, now=time.time(), seconds=30, dead=lambda _lease: False)
        engine.dispose()
        assert main(["doctor"]) == 0
        assert capsys.readouterr().out == f"no fault found, {len(all_checks()) + 1} checks\n"
        assert github.violations == []
