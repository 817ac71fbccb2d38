"""Every answer that is no success, as one of our errors."""

from __future__ import annotations

from typing import Any

import pytest
import requests

from bot.errors import PermanentError, TransientError
from bot.github import failures

NOW = 1_796_000_000.0
SECONDARY = {"message": "You have exceeded a secondary rate limit and have been temporarily blocked."}
PRIMARY = {"message": "API rate limit exceeded for installation ID 1."}
CASES: list[tuple[int, dict[str, str], Any, type, str, float | None]] = [
    (400, {}, {"message": "Problems parsing JSON"}, PermanentError, "refused", None),
    (401, {}, {"message": "Bad credentials"}, PermanentError, "unauthorized", None),
    (403, {}, {"message": "Resource not accessible by integration"}, PermanentError, "forbidden", None),
    (403, {}, {"message": "This installation has been suspended"}, PermanentError, "suspended", None),
    (403, {}, {"message": "Unable to create comment because issue is locked."}, PermanentError, "locked", None),
    (403, {}, SECONDARY, TransientError, "rate_secondary", 60.0),
    (403, {"retry-after": "7"}, SECONDARY, TransientError, "rate_secondary", 7.0),
    (403, {"retry-after": "7"}, {"message": "Forbidden"}, TransientError, "rate_secondary", 7.0),
    (403, {"retry-after": "soon"}, SECONDARY, TransientError, "rate_secondary", 60.0),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW) + 90)}, PRIMARY, TransientError,
     "rate_primary", 91.0),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW) - 90)}, PRIMARY, TransientError,
     "rate_primary", 1.0),
    (403, {}, PRIMARY, TransientError, "rate_primary", 60.0),
    (403, {"x-ratelimit-remaining": "4771"}, SECONDARY, TransientError, "rate_secondary", 60.0),
    (404, {}, {"message": "Not Found"}, PermanentError, "not_found", None),
    (410, {}, {"message": "This issue was deleted"}, PermanentError, "gone", None),
    (422, {}, {"message": "Validation Failed"}, PermanentError, "invalid", None),
    (422, {}, {"message": "Validation Failed", "errors": [{"message": "Body is too long (maximum 65536)"}]},
     PermanentError, "too_long", None),
    (422, {}, {"message": "Validation Failed", "errors": [{"message": "was submitted too quickly"}]}, TransientError,
     "rate_secondary", 60.0),
    (429, {}, {"message": "Too many requests"}, TransientError, "rate_secondary", 60.0),
    (429, {"retry-after": "Thu, 30 Nov 2000 00:00:00 GMT"}, {}, TransientError, "rate_secondary", 0.0),
    (451, {}, {"message": "Repository access blocked"}, PermanentError, "gone", None),
    (301, {}, {"message": "Moved Permanently"}, PermanentError, "moved", None),
    (500, {}, {"message": "Server Error"}, TransientError, "server_error", 10.0),
    (502, {}, "<html>Unicorn!</html>", TransientError, "server_error", 10.0),
    (503, {"retry-after": "30"}, None, TransientError, "server_error", 30.0),
]  # fmt: skip


@pytest.mark.parametrize(("status", "headers", "data", "kind", "reason", "wait"), CASES)
def test_answers_to_writes(
    status: int, headers: dict[str, str], data: Any, kind: type, reason: str, wait: float | None
) -> None:
    error = failures.of_answer(status, headers, data, what="POST /x", write=True, now=NOW)
    assert (type(error), error.reason, getattr(error, "retry_after", None)) == (kind, reason, wait)
    assert str(error).startswith(f"POST /x: GitHub answered {status}")


def test_a_failed_read_may_be_tried_at_once() -> None:
    error = failures.of_answer(502, {}, {}, what="GET /x", write=False, now=NOW)
    assert isinstance(error, TransientError)
    assert error.retry_after is None


@pytest.mark.parametrize(
    ("exception", "reason"),
    [
        (requests.exceptions.ReadTimeout("slow"), "timeout"),
        (requests.exceptions.ConnectTimeout("slow"), "timeout"),
        (requests.exceptions.ConnectionError("refused"), "connection"),
        (requests.exceptions.ChunkedEncodingError("cut"), "connection"),
        (ValueError("odd"), "bad_answer"),
    ],
)
def test_no_answer(exception: Exception, reason: str) -> None:
    error = failures.of_exception(exception, what="POST /x", write=True)
    assert isinstance(error, TransientError)
    assert (error.reason, error.retry_after) == (reason, failures.UNCERTAIN_WAIT)
    assert error.reason in failures.UNCERTAIN


def test_a_redirect_that_the_client_refuses() -> None:
    error = failures.of_exception(RuntimeError("redirected to another host"), what="GET /x", write=False)
    assert (type(error), error.reason) == (PermanentError, "moved")


@pytest.mark.parametrize(
    ("first", "kind", "reason"),
    [
        ({"type": "NOT_FOUND", "message": "Could not resolve to a node"}, PermanentError, "not_found"),
        ({"type": "FORBIDDEN", "message": "Resource not accessible by integration"}, PermanentError, "forbidden"),
        ({"type": "RATE_LIMITED", "message": "API rate limit exceeded"}, TransientError, "rate_primary"),
        ({"message": "You have exceeded a secondary rate limit"}, TransientError, "rate_secondary"),
        ({"message": "Something went wrong while executing your query."}, TransientError, "server_error"),
        ({"message": "Parse error"}, PermanentError, "invalid"),
        ("words", PermanentError, "invalid"),
    ],
)
def test_graphql_errors(first: Any, kind: type, reason: str) -> None:
    error = failures.of_graphql([first], what="POST /graphql", now=NOW, headers={})
    assert (type(error), error.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5.0),
        (" 5 ", 5.0),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
    ],
)
def test_retry_after_as_number_and_as_date(header: str, seconds: float | None) -> None:
    now = 1_796_040_000.0  # 2026-11-30 12:00 UTC
    assert failures.retry_after({"retry-after": header}, now) == seconds
