"""`burn-triage ready` tells a container's health check what /readyz says."""

from __future__ import annotations

import pytest
from flask import Flask

from bot.cli import main
from tests.fakes.serving import served


@pytest.mark.parametrize(("answer", "status"), [(("ready", 200), 0), (("not ready: no worker is alive", 503), 1)])
def test_it_says_what_the_receiver_says(
    answer: tuple[str, int], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    app = Flask("x")
    app.add_url_rule("/readyz", view_func=lambda: answer)
    with served(app) as url:
        monkeypatch.setenv("BURN_TRIAGE_LISTEN", f"0.0.0.0:{url.rsplit(':', 1)[1]}")
        assert (main(["ready"]), capsys.readouterr().out.strip()) == (status, answer[0])


def test_nobody_there_is_not_ready(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("BURN_TRIAGE_LISTEN", "127.0.0.1:1")
    assert (main(["ready"]), "no answer from 127.0.0.1:1" in capsys.readouterr().out) == (1, True)
