"""The App itself as GitHub registered it: made from a manifest, its permissions and events, its webhook.

Source: docs.github.com, "REST API endpoints for GitHub Apps" and "... for GitHub App webhooks".
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import requests
from github import Github

from bot.errors import PermanentError, TransientError
from bot.github import failures
from bot.github.client import API_VERSION, TIMEOUT, Clients, Session

_CODE = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True, slots=True)
class Registered:
    """A new App with its keys."""

    app_id: int
    slug: str
    page: str
    """Its address on GitHub, for people."""
    owner: str
    client_id: str
    private_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    """"" where GitHub made none: an App without a webhook."""
    client_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AppFacts:
    """The App as it stands on GitHub."""

    app_id: int
    slug: str
    page: str
    permissions: Mapping[str, str]
    events: frozenset[str]


@dataclass(frozen=True, slots=True)
class HookFacts:
    """The App's webhook. `has_secret`: GitHub shows stars where there is one, never the secret."""

    url: str
    content_type: str
    verifies_tls: bool
    has_secret: bool


@dataclass(frozen=True, slots=True)
class Granted:
    """What an installation's owner has agreed to."""

    installation_id: int
    account: str
    page: str
    suspended: bool
    permissions: Mapping[str, str]


class Registration:
    """Reads the App's registration and changes its webhook's secret. Needs App credentials."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def read(self) -> AppFacts:
        """The App that our key belongs to."""
        raw = self._clients.app().get("/app")
        permissions = {str(name): str(level) for name, level in dict(raw["permissions"]).items()}
        return AppFacts(int(raw["id"]), str(raw["slug"]), str(raw["html_url"]), permissions, frozenset(raw["events"]))

    def granted(self) -> Iterator[Granted]:
        """Every installation with what was granted there."""
        for raw in self._clients.app().pages("/app/installations"):
            account = (raw.get("account") or {}).get("login") or ""
            permissions = {str(name): str(level) for name, level in dict(raw["permissions"]).items()}
            suspended = raw.get("suspended_at") is not None
            yield Granted(int(raw["id"]), str(account), str(raw.get("html_url") or ""), suspended, permissions)

    def read_hook(self) -> HookFacts | None:
        """The webhook, None where the App has none."""
        try:
            raw = self._clients.app().get("/app/hook/config")
        except PermanentError as error:
            if error.reason != "not_found":
                raise
            return None
        secure = str(raw.get("insecure_ssl", "0")) == "0"
        url, kind = str(raw.get("url") or ""), str(raw.get("content_type") or "form")
        return HookFacts(url, kind, secure, bool(raw.get("secret"))) if url else None

    def set_secret(self, secret: str) -> None:
        """Have GitHub sign deliveries with this secret from now on. May be repeated."""
        self._clients.app().call("PATCH", "/app/hook/config", body={"secret": secret, "content_type": "json"})


def convert_manifest(code: str, api_url: str) -> Registered:
    """Trade the code that GitHub sent back for the App. The code works once and for an hour.

    PermanentError(`not_found`) for a code that GitHub does not know (any more).
    """
    if not _CODE.fullmatch(code):
        raise PermanentError("not_found", "what came back from GitHub is no code")
    # No retries: the second answer to a code that was traded would be a refusal.
    github = Github(
        base_url=api_url,
        timeout=TIMEOUT,
        user_agent="burn-triage",
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
        api_version=API_VERSION,
    )
    session = Session(github, time.time, lambda: False)
    try:
        return _registered(session.call("POST", f"/app-manifests/{code}/conversions").data)
    finally:
        session.close()


def server_time(api_url: str) -> float:
    """GitHub's clock, in seconds since 1970, by the Date header of whatever it answers. TransientError where there is
    none."""
    what = "GET /rate_limit"
    try:
        answer = requests.get(f"{api_url}/rate_limit", timeout=TIMEOUT, headers={"User-Agent": "burn-triage"})
        moment: datetime = parsedate_to_datetime(answer.headers.get("Date", ""))
    except requests.RequestException as error:
        raise failures.of_exception(error, what=what, write=False) from error
    except ValueError:
        raise TransientError("bad_answer", f"{what}: GitHub's answer has no date") from None
    return moment.timestamp()


def _registered(raw: Any) -> Registered:
    try:
        return Registered(
            app_id=int(raw["id"]),
            slug=str(raw["slug"]),
            page=str(raw["html_url"]),
            owner=str((raw.get("owner") or {}).get("login") or ""),
            client_id=str(raw["client_id"]),
            private_key=str(raw["pem"]),
            webhook_secret=str(raw.get("webhook_secret") or ""),
            client_secret=str(raw["client_secret"]),
        )
    except (KeyError, TypeError, ValueError):
        raise PermanentError("bad_answer", "GitHub's answer does not describe an App") from None
