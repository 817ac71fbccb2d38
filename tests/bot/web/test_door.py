"""The door of the dashboard in local mode: who comes in, what a change needs, what is kept nowhere."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from tests.bot.web import board_world
from tests.fakes.clock import FakeClock


@pytest.fixture
def browser(engine: Engine, clock: FakeClock) -> FlaskClient:
    board_world.install(engine)
    return board_world.client(engine, clock)


def test_this_machine_comes_in(browser: FlaskClient):
    answer = browser.get("/board")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "local mode" in answer.text


def test_without_a_dashboard_there_is_nothing(client: FlaskClient):
    assert client.get("/board").status_code == 404
