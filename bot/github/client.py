"""Clients: one PyGithub client per thread and installation, and every outcome of a call as a value or as our error.

PyGithub's requester keeps the request under way in attributes, so a client shared by threads sends one thread's comment
for another (PyGithub issue 1257). Its own retries repeat POSTs at once (a 502 or a timeout after GitHub stored the
comment becomes a second comment) and sleep for rate limits inside the call. So: a client per thread, retries for GET
and HEAD only and never for limits, no throttle of its own (the engine holds the budget for all workers together).
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from github import Github
from github.Auth import Auth, Token
from requests.utils import parse_header_links
from urllib3 import Retry

from bot.errors import PermanentError, TransientError, TriageError
from bot.github import failures
from bot.github.auth import AppAuth, AppCredentials, Clock, Credentials, InstallationAuth, InstallationTokens

API = "https://api.github.com"
API_VERSION = "2022-11-28"
TIMEOUT = 15
"""Seconds to connect and to read (PyGithub takes whole seconds)."""
PER_PAGE = 100
CLIENTS_PER_THREAD = 64
SAFE = frozenset({"GET", "HEAD"})
_PERSON = re.compile(r"(/(?:collaborators|users)/)[^/]+")


@dataclass(frozen=True, slots=True)
class Answer:
    """A good answer: status below 300, or 304 for a conditional request whose answer the caller has already. Header
    names in lower case, parsed JSON (None for an empty body)."""

    status: int
    headers: Mapping[str, str]
    data: Any


class Session:
    """One thread's client for one identity. All calls of this package go through `call`."""

    def __init__(self, github: Github, clock: Clock, refused: Callable[[], bool]) -> None:
        """`refused` is told of a 401; it returns True where another try with a new token makes sense."""
        self._github = github
        self._clock = clock
        self._refused = refused

    def call(
        self, verb: str, path: str, *, params: Mapping[str, Any] | None = None, body: Any = None, etag: str = ""
    ) -> Answer:
        """One request. Raises TransientError or PermanentError for anything but a status below 300.

        With `etag` the answer has status 304 and no data where nothing changed since.
        """
        try:
            return self._once(verb, path, params, body, etag)
        except TriageError as error:
            # A 401 means that nothing was done: safe to send again, also a POST.
            if error.reason != "unauthorized" or not self._refused():
                raise
        return self._once(verb, path, params, body, etag)

    def get(self, path: str, /, **params: Any) -> Any:
        """The JSON of a GET."""
        return self.call("GET", path, params=params).data

    def pages(self, path: str, /, **params: Any) -> Iterator[Any]:
        """All items of a list (or of its `key` member with `key=`), page after page as the Link header leads."""
        for _, items in self.numbered_pages(path, **params):
            yield from items

    def numbered_pages(self, path: str, /, *, page: int = 1, **params: Any) -> Iterator[tuple[int, list[Any]]]:
        """The same page by page, each with its number, from `page` on."""
        key = params.pop("key", None)
        start = {"page": page} if page > 1 else {}
        query: Mapping[str, Any] | None = {"per_page": PER_PAGE, **params, **start}
        url: str | None = path
        while url is not None:
            answer = self.call("GET", url, params=query)
            items = answer.data[key] if key else answer.data
            if not isinstance(items, list):
                raise TransientError("bad_answer", f"GET {path}: GitHub did not answer with a list")
            yield page, items
            url, query, page = _next_page(answer.headers), None, page + 1

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """`data` of a GraphQL answer."""
        what = "POST /graphql"
        body = {"query": query, "variables": dict(variables)}
        answer = self.call("POST", self._github.requester.graphql_url, body=body)
        if not isinstance(answer.data, dict) or answer.data.get("errors"):
            errors = answer.data.get("errors") if isinstance(answer.data, dict) else []
            raise failures.of_graphql(errors or [], what=what, now=self._clock(), headers=answer.headers)
        return dict(answer.data["data"])

    def close(self) -> None:
        """Give the connections back."""
        self._github.close()

    def _once(self, verb: str, path: str, params: Mapping[str, Any] | None, body: Any, etag: str) -> Answer:
        what, write = f"{verb} {_shown(path)}", verb not in SAFE
        status, headers, text = self._send(verb, path, params, body, what, etag)
        if status in {307, 308} and headers.get("location"):
            # PyGithub follows 301 only; GitHub redirects writes to a renamed repository with 307.
            status, headers, text = self._send(verb, headers["location"], None, body, what)
        if status == 304 and etag:
            return Answer(status, headers, None)
        data = _parse(text)
        if status >= 300:
            said = text if data is _NO_JSON else data
            raise failures.of_answer(status, headers, said, what=what, write=write, now=self._clock())
        if data is _NO_JSON:
            wait = failures.UNCERTAIN_WAIT if write else None
            raise TransientError("bad_answer", f"{what}: GitHub answered {status} with something that is no JSON", wait)
        return Answer(status, headers, data)

    def _send(
        self, verb: str, path: str, params: Mapping[str, Any] | None, body: Any, what: str, etag: str = ""
    ) -> tuple[int, Mapping[str, str], str]:
        headers = {"If-None-Match": etag} if etag else None
        try:
            return self._github.requester.requestJson(
                verb, path, parameters=dict(params or {}), headers=headers, input=body
            )
        except TriageError:
            raise  # the token request inside the call failed: already mapped
        except Exception as error:
            raise failures.of_exception(error, what=what, write=verb not in SAFE) from error


class Clients:
    """Hands out sessions: `app()` as the App itself, `installation(id)` as one installation (None: the plain token)."""

    def __init__(
        self,
        credentials: Credentials,
        *,
        base_url: str = API,
        clock: Clock = time.time,
        timeout: int = TIMEOUT,
        retries: int = 2,
        backoff: float = 0.5,
    ) -> None:
        """`retries` and `backoff` (seconds, doubling) are for GET and HEAD. Raises UserError for an unusable key."""
        self._credentials = credentials
        self._base_url = base_url
        self._clock = clock
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._local = threading.local()
        self._tokens = InstallationTokens(self._request_token, clock)
        self._app_auth = AppAuth(credentials, clock) if isinstance(credentials, AppCredentials) else None

    @property
    def credentials(self) -> Credentials:
        """What these clients were made with."""
        return self._credentials

    def app(self) -> Session:
        """This thread's session as the App. Raises TypeError with a plain token: a caller's mistake."""
        if self._app_auth is None:
            raise TypeError("a plain token is no App")
        return self._session(0, self._app_auth, lambda: False)

    def installation(self, installation_id: int | None) -> Session:
        """This thread's session for an installation; with a plain token there is only one, whatever the id.

        Raises PermanentError where an App is asked without one: the webhook is set up in a repository, not in the App.
        """
        if not isinstance(self._credentials, AppCredentials):
            return self._session(0, Token(self._credentials.token), lambda: False)
        if installation_id is None:
            raise PermanentError(
                "installation_missing",
                "the delivery names no installation; set the webhook up in the GitHub App, not in the repository",
            )

        def refused() -> bool:
            self._tokens.forget(installation_id)
            return True

        return self._session(installation_id, InstallationAuth(self._tokens, installation_id), refused)

    def _session(self, key: int, auth: Auth, refused: Callable[[], bool]) -> Session:
        sessions: OrderedDict[int, Session] = self._local.__dict__.setdefault("sessions", OrderedDict())
        if key not in sessions:
            sessions[key] = Session(self._github(auth), self._clock, refused)
            if len(sessions) > CLIENTS_PER_THREAD:
                sessions.popitem(last=False)[1].close()
        sessions.move_to_end(key)
        return sessions[key]

    def _github(self, auth: Auth) -> Github:
        return Github(
            auth=auth,
            base_url=self._base_url,
            timeout=self._timeout,
            per_page=PER_PAGE,
            user_agent="burn-triage",
            retry=_retry(self._retries, self._backoff),
            seconds_between_requests=None,
            seconds_between_writes=None,
            api_version=API_VERSION,
        )

    def _request_token(self, installation_id: int) -> dict[str, str]:
        data = self.app().call("POST", f"/app/installations/{installation_id}/access_tokens").data
        if not isinstance(data, dict) or not {"token", "expires_at"} <= data.keys():
            raise TransientError("bad_answer", f"installation {installation_id}: GitHub answered without a token")
        return data


_NO_JSON = object()


def _retry(total: int, backoff: float) -> Retry:
    """urllib3's own class, not PyGithub's: that one adds 403 to the list by itself and sleeps until a limit's reset,
    while a job that has to wait gives its place back and waits in the database."""
    return Retry(
        total=total,
        backoff_factor=backoff,
        allowed_methods=SAFE,
        status_forcelist=(500, 502, 503, 504),
        respect_retry_after_header=False,
        raise_on_status=False,
        redirect=False,
    )


def _parse(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return _NO_JSON


def _next_page(headers: Mapping[str, str]) -> str | None:
    links = parse_header_links(headers.get("link", ""))
    return next((link["url"] for link in links if link.get("rel") == "next"), None)


def _shown(path: str) -> str:
    """The path for a message, without host, query and the login of a person: messages are logged and kept."""
    return _PERSON.sub(r"\1…", urlsplit(path).path)
