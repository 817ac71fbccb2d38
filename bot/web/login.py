"""Logging in with GitHub: a session for whoever has triage permission or more somewhere the App is installed."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from flask import Request
from sqlalchemy import Engine
from werkzeug.exceptions import BadRequest, Forbidden, ServiceUnavailable

from bot.clock import Clock
from bot.errors import PermanentError, TransientError
from bot.store import sessions
from bot.web.board import Passage
from bot.web.door import SignedOut
from bot.web.rights import Rights
from bot.web.visitor import Visitor

LOGIN_SECONDS = 600.0
"""How long a login may stay at GitHub."""
IDLE_SECONDS = 12 * 3600.0
WHOLE_SECONDS = 7 * 86_400.0
TOUCH_SECONDS = 60.0
"""How exactly the last use of a session is known."""
BACK = "/login/callback"

_BACK_TO = re.compile(r"/board(/[A-Za-z0-9_./-]*)?(\?[A-Za-z0-9_.=&%+:-]*)?")
NOT_BEGUN = (
    "This login was not begun in this browser, was used already, or took longer than ten minutes. "
    "Begin it again at /login."
)


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """The App as GitHub's login sees it."""

    authorize: Callable[[str, str, str], str]
    """Redirect address, state, challenge: where the person is sent."""
    account: Callable[[str, str], Account]
    """Code, verifier: who it is; see `bot.github.oauth`."""


class Account(Protocol):
    """Who logged in, as `bot.github.oauth` tells."""

    @property
    def login(self) -> str:
        """On GitHub."""
        ...

    @property
    def id(self) -> int:
        """GitHub's; a login can change hands."""
        ...

    @property
    def reach(self) -> frozenset[int]:
        """Ids of the repositories that may be theirs: only about these is GitHub asked."""
        ...


@dataclass(frozen=True, slots=True)
class Welcome:
    """A finished login."""

    cookie: str
    back_to: str


@dataclass(frozen=True)
class LoginDoor:
    """Lets in people with an account on GitHub; see `bot.web.board.Door`."""

    engine: Engine
    clock: Clock
    rights: Rights
    client: OAuthClient
    public_url: str
    """Where this server is seen: GitHub sends people back there."""

    @property
    def secure(self) -> bool:
        """Whether cookies go over https only."""
        return self.public_url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The session's. `__Host-`: no other host of the domain can set it."""
        return f"{'__Host-' if self.secure else ''}burn-triage-session"

    @property
    def login_cookie(self) -> str:
        """Binds a login to the browser that began it."""
        return f"{'__Host-' if self.secure else ''}burn-triage-login"

    def origin(self, request: Request) -> str:
        """From the settings, whatever the request claims."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}"

    def admit(self, request: Request, *, fresh: bool) -> Passage:
        """The account of the session, with the repositories that GitHub says it may triage."""
        cookie = request.cookies.get(self.cookie, "")
        session = self._session(cookie) if cookie else None
        if session is None:
            raise SignedOut
        repos = self.rights.repos(session.login, session.user_id, fresh=fresh, reach=session.reach)
        if not repos:
            self.end(cookie)
            raise Forbidden(_nothing(session.login))
        return Passage(Visitor(session.login, repos), cookie)

    def begin(self, back_to: str) -> tuple[str, str]:
        """A login: where to send the person, and the value of the login cookie."""
        state, browser = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        safe = back_to if _BACK_TO.fullmatch(back_to) else "/board"
        now = self.clock.now()
        with self.engine.begin() as conn:
            ends = now + LOGIN_SECONDS
            sessions.begin_login(conn, state=state, browser=browser, back_to=safe, now=now, expires_at=ends)
        challenge = _base64(hashlib.sha256(verifier(browser, state).encode()).digest())
        return self.client.authorize(f"{self.public_url}{BACK}", state, challenge), browser

    def finish(self, *, state: str, code: str, browser: str, former: str) -> Welcome:
        """GitHub sent the person back: a new session, whose cookie nobody knew before; `former` ends.

        BadRequest for a forged, used, late or foreign login, Forbidden for an account that may triage nowhere.
        """
        now = self.clock.now()
        with self.engine.begin() as conn:
            back_to = sessions.take_login(conn, state=state, browser=browser, now=now)
        if back_to is None or not browser or not code:
            raise BadRequest(NOT_BEGUN)
        account = self._account(code, verifier(browser, state))
        if not self.rights.repos(account.login, account.id, fresh=True, reach=account.reach):
            self.end(former)  # Whoever is refused here must not go on as somebody else.
            raise Forbidden(_nothing(account.login))
        cookie = secrets.token_urlsafe(32)
        with self.engine.begin() as conn:
            sessions.sweep(conn, seen_before=now - IDLE_SECONDS, began_before=now - WHOLE_SECONDS)
            sessions.end(conn, former)
            login, user_id, reach = account.login, account.id, account.reach
            sessions.begin(conn, cookie=cookie, login=login, user_id=user_id, now=now, reach=reach)
        return Welcome(cookie, back_to)

    def end(self, cookie: str) -> None:
        """Log out."""
        with self.engine.begin() as conn:
            sessions.end(conn, cookie)

    def _account(self, code: str, proof: str) -> Account:
        try:
            return self.client.account(code, proof)
        except PermanentError as error:
            raise BadRequest("GitHub did not accept this login. Begin it again at /login.") from error
        except TransientError as error:
            raise ServiceUnavailable("GitHub does not answer. Try to log in again in a minute.") from error

    def _session(self, cookie: str) -> sessions.Session | None:
        now = self.clock.now()
        with self.engine.connect() as conn:
            found = sessions.find(conn, cookie)
        if found is None:
            return None
        if now - found.seen_at >= IDLE_SECONDS or now - found.began_at >= WHOLE_SECONDS:
            self.end(cookie)
            return None
        if now - found.seen_at >= TOUCH_SECONDS:
            with self.engine.begin() as conn:
                sessions.touch(conn, cookie, now)
        return found


def verifier(browser: str, state: str) -> str:
    """PKCE's (RFC 7636), from what only this browser holds: the database could not finish a login."""
    return _base64(hashlib.sha256(f"{browser}\0{state}".encode()).digest())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _nothing(login: str) -> str:
    return (
        f"{login} has triage permission on no repository in which this App is installed, so there is nothing to show. "
        "You are logged out. Ask an owner of the repository for the triage role, then log in again."
    )
