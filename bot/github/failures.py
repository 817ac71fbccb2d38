"""Every way in which a call to GitHub fails, as one of our errors with a reason code. Pure.

Sources: docs.github.com "Rate limits for the REST API", "Troubleshooting the REST API"; the exceptions of requests.

| reason | kind | what happened |
|---|---|---|
| `rate_primary` | transient | the hour's quota is used up; retry_after reaches to its reset |
| `rate_secondary` | transient | secondary or abuse limit; Retry-After, else 60 s |
| `server_error` | transient | 5xx; a write may have been stored all the same |
| `timeout`, `connection` | transient | no answer; a write may have been stored all the same |
| `bad_answer` | transient | an answer that is no JSON, or not of the promised shape |
| `unauthorized` | permanent | 401 with a fresh token: wrong key, wrong App id, clock off, token revoked |
| `suspended` | permanent | the installation is suspended |
| `forbidden` | permanent | 403: a permission is missing, or the account is blocked |
| `locked` | permanent | the conversation is locked |
| `not_found`, `gone` | permanent | 404, 410 |
| `repository_not_found` | permanent | the repository is deleted, private, or the App was uninstalled |
| `moved` | permanent | a redirect that leads nowhere or to another host |
| `invalid`, `too_long` | permanent | 422; a body over GitHub's limit |
| `refused` | permanent | any other 4xx |
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import requests

from bot.errors import PermanentError, TransientError, TriageError

SECONDARY_WAIT = 60.0
"""Seconds after a secondary limit without Retry-After (GitHub: "wait for at least one minute")."""

UNCERTAIN_WAIT = 10.0
"""Seconds before a write of unknown fate is looked up again: GitHub's lists lag behind its writes."""

UNCERTAIN = frozenset({"server_error", "timeout", "connection", "bad_answer"})
"""Reasons after which a write may or may not have been stored."""

_LIMIT_WORDS = ("secondary rate limit", "abuse detection", "submitted too quickly", "temporarily blocked from content")
_PERMANENT = {404: "not_found", 410: "gone", 422: "invalid", 451: "gone"}


def of_answer(status: int, headers: Mapping[str, str], data: Any, *, what: str, write: bool, now: float) -> TriageError:
    """The error for an answer of status 300 or more.

    `headers` in lower case; `data` the parsed body; `what` names the call (`GET /repos/o/r`); `now` in epoch seconds.
    """
    said = _message(data)
    text = f"{what}: GitHub answered {status}" + (f" ({said})" if said else "")
    limit = _rate_limit(status, headers, said.lower(), now)
    if limit:
        return TransientError(limit[0], text, limit[1])
    if status >= 500:
        return TransientError("server_error", text, _server_wait(headers, now, write))
    return PermanentError(_reason(status, said.lower()), text)


def of_exception(error: Exception, *, what: str, write: bool) -> TriageError:
    """The error for a call that brought no usable answer."""
    text = f"{what}: {type(error).__name__}: {error}"
    wait = UNCERTAIN_WAIT if write else None
    if isinstance(error, requests.exceptions.Timeout):
        return TransientError("timeout", text, wait)
    if isinstance(error, requests.exceptions.RequestException):
        return TransientError("connection", text, wait)
    if isinstance(error, RuntimeError | AssertionError):
        # PyGithub refuses redirects to another host, scheme or to itself by RuntimeError, foreign URLs by assert.
        return PermanentError("moved", text)
    return TransientError("bad_answer", text, wait)


def of_graphql(errors: list[Any], *, what: str, now: float, headers: Mapping[str, str]) -> TriageError:
    """The error for a GraphQL answer, which fails with status 200 and an `errors` list."""
    first = errors[0] if errors and isinstance(errors[0], dict) else {}
    kind, said = str(first.get("type", "")), str(first.get("message", ""))
    text = f"{what}: GitHub answered {kind or 'an error'} ({said})"
    if kind == "RATE_LIMITED":
        return TransientError("rate_primary", text, _until_reset(headers, now))
    if any(words in said.lower() for words in _LIMIT_WORDS):
        return TransientError("rate_secondary", text, SECONDARY_WAIT)
    if kind == "NOT_FOUND":
        return PermanentError("not_found", text)
    if kind in {"FORBIDDEN", "INSUFFICIENT_SCOPES"}:
        return PermanentError("locked" if "locked" in said.lower() else "forbidden", text)
    if "something went wrong" in said.lower() or kind in {"SERVICE_UNAVAILABLE", "TIMEOUT"}:
        return TransientError("server_error", text, UNCERTAIN_WAIT)
    return PermanentError("invalid", text)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the Retry-After header asks for (a number or an HTTP date), None without a readable one."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.fromtimestamp(now, UTC)).total_seconds())


def _rate_limit(status: int, headers: Mapping[str, str], said: str, now: float) -> tuple[str, float] | None:
    """Reason and seconds to wait where this answer is a rate limit; quota left does not mean allowed to write."""
    abuse = any(words in said for words in _LIMIT_WORDS)
    if status not in {403, 429} and not (status == 422 and abuse):
        return None
    asked = retry_after(headers, now)
    if asked is not None:
        return "rate_secondary", asked
    if headers.get("x-ratelimit-remaining") == "0" or said.startswith("api rate limit exceeded"):
        return "rate_primary", _until_reset(headers, now)
    return ("rate_secondary", SECONDARY_WAIT) if abuse or status == 429 or "rate limit" in said else None


def _until_reset(headers: Mapping[str, str], now: float) -> float:
    """Seconds to the reset, plus one: the header does not say when within its second."""
    reset = headers.get("x-ratelimit-reset", "")
    return max(1.0, float(reset) - now + 1.0) if reset.isdecimal() else SECONDARY_WAIT


def _server_wait(headers: Mapping[str, str], now: float, write: bool) -> float | None:
    asked = retry_after(headers, now)
    return max(asked or 0.0, UNCERTAIN_WAIT) if write else asked


def _reason(status: int, said: str) -> str:
    if status < 400:
        return "moved"
    if status == 401:
        return "unauthorized"
    if status == 403:
        return next(
            (code for word, code in (("suspended", "suspended"), ("locked", "locked")) if word in said), "forbidden"
        )
    if status == 422 and "too long" in said:
        return "too_long"
    return _PERMANENT.get(status, "refused")


def _message(data: Any) -> str:
    """GitHub's words: `message`, and the messages of `errors`; of a page that is no JSON the first 200 characters."""
    if not isinstance(data, dict):
        return str(data or "")[:200]
    details = data.get("errors")
    parts = [str(data.get("message", ""))]
    for item in details if isinstance(details, list) else []:
        parts.append(str(item.get("message") or item.get("code") or "") if isinstance(item, dict) else str(item))
    return "; ".join(part for part in parts if part)[:500]
