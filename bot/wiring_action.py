"""Puts the Action together: GitHub with the runner's token, the knowledge base, no database."""

from __future__ import annotations

from bot.action.environment import Run
from bot.action.work import Work, pace
from bot.clock import SystemClock
from bot.github.auth import TokenCredentials
from bot.github.gateway import connect
from bot.opening import chosen_kb, open_knowledge
from bot.settings import read_settings


def make_work(run: Run) -> Work:
    """The real parts. Source that the index lacks is read with the runner's token: public repositories alone."""
    clock = SystemClock()
    hub = connect(
        TokenCredentials(run.token, run.login), base_url=run.api_url, before_write=pace(clock), renew_markers=True
    )
    return Work(hub, clock, open_knowledge(chosen_kb(read_settings()), hub.source(None)))
