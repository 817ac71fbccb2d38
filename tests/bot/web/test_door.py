"""The door of the dashboard in local mode: who comes in, what a change needs, what is kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from bot.loopback import is_loopback
from bot.store.engine import open_engine
from bot.web import csrf
from bot.web.local import FORWARDED
from tests.bot.web import board_world
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles


@pytest.fixture
def database(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(sqlite_files.make(tmp_path))
    board_world.install(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def browser(database: Engine, clock: FakeClock) -> FlaskClient:
    return board_world.client(database, clock)


def test_this_machine_comes_in(browser: FlaskClient):
    answer = browser.get("/board")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    cookie = answer.headers["Set-Cookie"]
    assert [word in cookie for word in ("HttpOnly", "SameSite=Lax", "Path=/")] == [True] * 3
    assert "local mode" in answer.text
    assert "Set-Cookie" not in browser.get("/board").headers


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "127.9.9.9"])
def test_by_any_name_of_loopback(browser: FlaskClient, host: str):
    assert browser.get("/board", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.7:8000",
        "user@evil.example",
        "0.0.0.0",
    ],
)
def test_a_name_that_resolves_to_this_machine_is_refused(browser: FlaskClient, host: str):
    """DNS rebinding: the page of another site lets its own name lead here."""
    assert browser.get("/board", headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize("peer", ["203.0.113.7", "10.0.0.7", "::ffff:10.0.0.7", "", "unix:"])
def test_another_machine_is_refused(browser: FlaskClient, peer: str):
    answer = browser.get("/board", environ_base={"REMOTE_ADDR": peer})
    assert (answer.status_code, "only on this machine" in answer.text) == (403, True)


@pytest.mark.parametrize("name", FORWARDED)
def test_what_came_through_a_proxy_is_refused(browser: FlaskClient, name: str):
    assert browser.get("/board", headers={name: "127.0.0.1"}).status_code == 403


def test_refused_for_reading_is_refused_for_changing(browser: FlaskClient, database: Engine):
    browser.get("/board")
    cookie = browser.get_cookie("burn-triage-local")
    assert cookie is not None
    form = {csrf.FIELD: csrf.token(cookie.value), "mode": "off"}
    address = f"/board/settings/{board_world.REPO_ID}/switch"
    assert browser.post(address, data=form, headers={"X-Forwarded-For": "1.2.3.4"}).status_code == 403
    assert browser.post(address, data={}).status_code == 403
    assert browser.post(address, data=form, headers={"Origin": "http://evil.example"}).status_code == 403
    assert browser.post(address, data=form, headers={"Origin": "http://localhost"}).status_code == 303


def test_there_is_nothing_to_log_in_to(browser: FlaskClient):
    assert browser.get("/login").headers["Location"] == "/board"
    assert [browser.get("/login/github").status_code, browser.get("/login/callback").status_code] == [404, 404]
    assert browser.post("/logout").status_code == 404


@pytest.mark.parametrize(
    "address", ["/board", "/board/settings", "/board/panics/x", "/login", "/login/github", "/login/callback"]
)
def test_without_a_dashboard_there_is_nothing(client: FlaskClient, address: str):
    assert client.get(address).status_code == 404


def test_public_pages_beside_a_dashboard_stay_public(browser: FlaskClient):
    answer = browser.get("/errors")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "Set-Cookie" not in answer.headers
    assert 'href="/board">For maintainers' in answer.text


def test_a_database_that_is_away_is_said_so(database: Engine, browser: FlaskClient, tmp_path: Path):
    browser.get("/board")
    with database.begin() as conn:
        conn.exec_driver_sql("DROP TABLE repositories")
    assert browser.get("/board").status_code == 503


@pytest.mark.parametrize(
    ("host", "is_it"),
    [
        ("127.0.0.1", True), ("::1", True), ("[::1]", True), ("LOCALHOST", True), ("127.1", False),
        ("0.0.0.0", False), ("::", False), ("", False), ("example.org", False),
    ],
)  # fmt: skip
def test_what_loopback_is(host: str, is_it: bool):
    assert is_loopback(host) is is_it
