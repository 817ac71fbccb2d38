"""Who logs in: GitHub's OAuth of the App (docs.github.com, "Generating a user access token for a GitHub App").

The token that comes of it tells whose it is and which repositories of the App the account can reach, and is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode

from github import BadCredentialsException, Github, GithubException
from github.Auth import Token

from bot.errors import PermanentError
from bot.github import failures
from bot.github.auth import Clock
from bot.github.client import API, API_VERSION, TIMEOUT, Session
from bot.github.read import MAY_STEER

MOST_REACHED = 1_000
"""Repositories of one account that are looked at; the first ones that GitHub lists."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who logged in."""

    login: str
    id: int
    reach: frozenset[int]
    """Ids of the repositories that have the App and may be theirs to triage. It only narrows what the App asks about:
    what a person's token says is never taken for a permission."""


def authorize_address(github_url: str, *, client_id: str, redirect_uri: str, state: str, challenge: str) -> str:
    """Where a person is sent to say yes. `challenge` is the S256 one of RFC 7636. Asks for no scope."""
    query = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return f"{github_url}/login/oauth/authorize?{urlencode(query)}"


class OAuth:
    """The App as an OAuth client."""

    def __init__(
        self,
        client_id: str,
        client_secret: str,
        *,
        base_url: str = API,
        clock: Clock = time.time,
        timeout: int = TIMEOUT,
    ) -> None:
        """`base_url` is that of the REST API; the address of the exchange follows from it."""
        self._client = (client_id, client_secret)
        self._base_url = base_url
        self._clock = clock
        self._timeout = timeout

    def account(self, code: str, verifier: str) -> Account:
        """Whoever said yes.

        PermanentError(`code_refused`) for a code that is forged, used, too old or another's; else as every call.
        """
        token = self._token(code, verifier)
        session = Session(self._github(Token(token)), self._clock, lambda: False)
        try:
            data = session.get("/user")
            reach = frozenset(islice(_reached(session), MOST_REACHED))
        finally:
            session.close()
        return Account(str(data["login"]), int(data["id"]), reach)

    def _token(self, code: str, verifier: str) -> str:
        what = "POST /login/oauth/access_token"
        github = self._github(None)
        try:
            found = github.get_oauth_application(*self._client).get_access_token(code, code_verifier=verifier)
            return str(found.token)
        except BadCredentialsException as error:
            raise PermanentError("code_refused", f"{what}: GitHub does not accept the code") from error
        except GithubException as error:
            raise failures.of_answer(
                error.status, error.headers or {}, error.data, what=what, write=True, now=self._clock()
            ) from error
        except Exception as error:
            raise failures.of_exception(error, what=what, write=True) from error
        finally:
            github.close()

    def _github(self, auth: Token | None) -> Github:
        # No retries: a code works once, and the second answer to it would be a refusal.
        return Github(
            auth=auth,
            base_url=self._base_url,
            timeout=self._timeout,
            user_agent="burn-triage",
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
            api_version=API_VERSION,
        )


def _reached(session: Session) -> Iterator[int]:
    """Repositories with the App that the account has a right to, by GitHub's two lists for a user's token (docs: "List
    app installations accessible to the user access token", "List repositories accessible to …"). Those that it may
    only read are left out."""
    for installation in session.pages("/user/installations", key="installations"):
        for repo in session.pages(f"/user/installations/{int(installation['id'])}/repositories", key="repositories"):
            granted = repo.get("permissions")
            if not isinstance(granted, dict) or any(granted.get(role) is True for role in MAY_STEER):
                yield int(repo["id"])
