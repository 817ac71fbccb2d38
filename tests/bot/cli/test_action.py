"""`burn-triage action` outside of a runner says what it lacks."""

from __future__ import annotations

import pytest

from bot.cli import main


def test_without_a_runner_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    status = main(["action"])
    told = capsys.readouterr().err
    assert (status, "run this inside GitHub Actions" in told, "Traceback" in told) == (2, True, False)
