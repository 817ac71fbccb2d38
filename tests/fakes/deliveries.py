"""Deliveries as GitHub sends them: payload, headers, signature."""

from __future__ import annotations

import hmac
import itertools
import json
from typing import Any

SECRET = "a secret of the tests"
OLD_SECRET = "the one before"

_numbers = itertools.count(1)


def guid() -> str:
    return f"00000000-0000-4000-8000-{next(_numbers):012d}"


def payload(action: str = "opened", **changes: Any) -> dict[str, Any]:
    """An `issues` payload with the fields that the inbox reads."""
    found: dict[str, Any] = {
        "action": action,
        "issue": {"number": 7, "id": 70, "title": "It panics", "body": None, "created_at": "2026-11-30T10:00:00Z"},
        "repository": {"id": 5, "full_name": "tracel-ai/burn"},
        "installation": {"id": 11},
        "sender": {"login": "ann", "type": "User"},
    }
    return found | changes


def body_of(values: Any) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()


def signature(body: bytes, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, "sha256").hexdigest()


def headers(body: bytes, *, event: str = "issues", secret: str = SECRET, delivery: str | None = None) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery or guid(),
        "X-Hub-Signature-256": signature(body, secret),
    }
