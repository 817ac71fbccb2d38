"""The dashboard behind a real login: OAuth and permissions are asked of the stand-in GitHub over HTTP."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import requests
from flask.testing import FlaskClient
from sqlalchemy import Engine

from bot.github.auth import AppCredentials
from bot.github.client import Clients
from bot.github.members import Members
from bot.github.oauth import OAuth, authorize_address
from bot.web import csrf
from bot.web.board import Board
from bot.web.login import LoginDoor, OAuthClient
from bot.web.public import create_public
from bot.web.rights import Rights
from tests.bot.github.stage import private_key
from tests.bot.web import board_world, world
from tests.fakes.clock import FakeClock
from tests.fakes.github import FakeGitHub

ROLES = {"ann": "admin", "tri": "triage", "rea": "read"}
OTHER = "someone/else"


class LoginWorld:
    """One repository of ours with people in every role, another tenant's beside it."""

    def __init__(
        self, github: FakeGitHub, engine: Engine, clock: FakeClock, public_url: str = "https://triage.example"
    ) -> None:
        self.github, self.engine, self.clock = github, engine, clock
        self.app = github.create_app(private_key=private_key())
        self.repo = github.create_repo("tracel-ai/burn", roles=ROLES)
        self.other = github.create_repo(OTHER, roles={"owen": "admin"})
        for repo in (self.repo, self.other):
            installation = github.install(self.app, [repo])
            board_world.install(engine, repo.id, repo.full_name, installation.id)
        self.door = self.make_door(public_url)
        self.board = Board(engine, clock, self.door, github.url)

    def make_door(self, public_url: str) -> LoginDoor:
        clients = Clients(
            AppCredentials(str(self.app.id), self.app.private_key),
            base_url=self.github.url,
            clock=self.clock.now,
            timeout=2,
            retries=0,
        )
        oauth = OAuth(self.app.client_id, self.app.client_secret, base_url=self.github.url, timeout=2)
        self.members = Members(clients)

        def authorize(redirect_uri: str, state: str, challenge: str) -> str:
            return authorize_address(
                self.github.url, client_id=self.app.client_id, redirect_uri=redirect_uri, state=state,
                challenge=challenge,
            )  # fmt: skip

        rights = Rights(self.engine, self.clock, self.members.role)
        return LoginDoor(self.engine, self.clock, rights, OAuthClient(authorize, oauth.account), public_url)

    def browser(self) -> FlaskClient:
        """A browser that has never been here."""
        return create_public(world.desk(clock=self.clock, board=self.board)).test_client()

    def at_github(self, browser: FlaskClient, login: str, to: str = "/board") -> str:
        """Begin a login and say yes at GitHub; the address that GitHub sends the browser back to."""
        self.github.signed_in = login
        begun = self.get(browser, f"/login/github?to={to}")
        answer = requests.get(begun.headers["Location"], allow_redirects=False, timeout=5)
        back = urlsplit(answer.headers["Location"])
        return f"{back.path}?{back.query}"

    def log_in(self, login: str) -> FlaskClient:
        """A browser in which this person is logged in."""
        browser = self.browser()
        answer = self.get(browser, self.at_github(browser, login))
        assert answer.status_code == 303, answer.text
        return browser

    def get(self, browser: FlaskClient, address: str, **more: Any) -> Any:
        return browser.get(address, base_url=self.door.public_url, **more)

    def session(self, browser: FlaskClient) -> str:
        """The session's cookie, "" where there is none."""
        found = browser.get_cookie(self.door.cookie, domain=urlsplit(self.door.public_url).hostname or "")
        return found.value if found else ""

    def post(self, browser: FlaskClient, address: str, *, token: str | None = None, **more: Any) -> Any:
        """Send a form of the dashboard, with the session's own token unless another is given."""
        token = csrf.token(self.session(browser)) if token is None else token
        values = more.pop("data", {}) | {csrf.FIELD: token}
        return browser.post(address, data=values, base_url=self.door.public_url, **more)


def query(address: str) -> dict[str, str]:
    """The query of an address."""
    return dict(parse_qsl(urlsplit(address).query))
