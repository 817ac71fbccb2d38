"""`run`, `serve` and `work` refuse to start half set up, and say everything that is missing at once."""

from __future__ import annotations

import pytest

from bot.cli import main
from tests.fakes.deliveries import SECRET

NEEDED = {
    "run": ["WEBHOOK_SECRET", "APP_ID", "PRIVATE_KEY"],
    "serve": ["WEBHOOK_SECRET"],
    "work": ["APP_ID", "PRIVATE_KEY"],
}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in ("WEBHOOK_SECRET", "APP_ID", "PRIVATE_KEY"):
        monkeypatch.delenv(f"BURN_TRIAGE_{name}", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.parametrize("command", NEEDED)
def test_what_is_missing_is_told_at_once(command: str, capsys: pytest.CaptureFixture[str]):
    status = main([command])
    told = capsys.readouterr().err
    assert (status, [name for name in NEEDED["run"] if f"BURN_TRIAGE_{name}" in told]) == (2, NEEDED[command])


@pytest.mark.parametrize("command", NEEDED)
def test_the_help_names_the_settings_that_are_needed(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = capsys.readouterr().out
    assert [name for name in NEEDED[command] if f"BURN_TRIAGE_{name}" not in told] == []


def test_a_database_that_is_away_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("BURN_TRIAGE_WEBHOOK_SECRET", SECRET)
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    status = main(["serve"])
    told = capsys.readouterr().err
    assert (status, "cannot reach the database" in told, "Traceback" in told) == (1, True, False)


def test_a_worker_names_its_knowledge_base_before_anything_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("BURN_TRIAGE_APP_ID", "1")
    monkeypatch.setenv("BURN_TRIAGE_PRIVATE_KEY", "-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----")
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    status = main(["work"])
    assert (status, capsys.readouterr().out.splitlines()[0].split(" ")[:2]) == (1, ["knowledge", "base"])
