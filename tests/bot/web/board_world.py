"""The dashboard over a database, for tests: a local visitor by default."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import Engine

from bot.store import installations
from bot.web import csrf
from bot.web.board import Board, Door
from bot.web.local import LocalDoor
from bot.web.public import create_public
from tests.bot.web import world
from tests.fakes.clock import FakeClock

REPO_ID = 501
REPO = "tracel-ai/burn"


def install(engine: Engine, repo_id: int = REPO_ID, repo: str = REPO, installation_id: int = 71) -> None:
    """The App is in this repository."""
    with engine.begin() as conn:
        installations.add(conn, installation_id, repo.split("/")[0], "2026-01-01T00:00:00Z")
        installations.add_repository(conn, repo_id, repo, installation_id, "2026-01-01T00:00:00Z")


def client(engine: Engine, clock: FakeClock, door: Door | None = None, **more: Any) -> FlaskClient:
    """A browser at this machine on the dashboard over this database."""
    board = Board(engine, clock, door or LocalDoor(engine), **more)
    return create_public(world.desk(clock=clock, board=board)).test_client()


def post(browser: FlaskClient, address: str, **values: str) -> Any:
    """Send one of the dashboard's forms, as a page of this browser's session would."""
    cookie = browser.get_cookie("burn-triage-local")
    if cookie is None:
        browser.get("/board")
        cookie = browser.get_cookie("burn-triage-local")
    assert cookie is not None
    return browser.post(address, data=values | {csrf.FIELD: csrf.token(cookie.value)})
