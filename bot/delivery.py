"""A webhook POST as a value: is the signature right, what does it say, is it for us? Pure: no clock, no database."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs

from bot.errors import UserError

MAX_BYTES = 25 * 1024 * 1024
"""GitHub caps payloads at 25 MB (docs: Webhook events and payloads)."""

HANDLED: Mapping[str, frozenset[str]] = {
    "issues": frozenset({"opened", "edited", "reopened", "closed", "transferred", "deleted"}),
    "issue_comment": frozenset({"created", "edited", "deleted"}),
    "installation": frozenset({"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"}),
    "installation_repositories": frozenset({"added", "removed"}),
}
"""Events and actions that become jobs. Everything else is recorded as ignored with a reason."""

RECONCILED = "reconciled"
"""The action of a delivery that GitHub never sent, and the way it came."""

_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
_WORD = re.compile(r"[a-z0-9_]{1,64}")
_REPO = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")
_SIGNATURE = re.compile(r"sha256=([0-9a-fA-F]{64})")
_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Delivery:
    """What the inbox keeps of a delivery beside its payload. Every text is short and plain ASCII."""

    guid: str
    body_hash: str
    event: str
    action: str
    installation_id: int | None = None
    repo: str | None = None
    repo_id: int | None = None
    issue: int | None = None
    issue_id: int | None = None
    issue_created_at: str | None = None
    comment_id: int | None = None
    sender: str = ""
    sender_is_bot: bool = False
    via: str = "webhook"
    """How it came: webhook, swept (found in GitHub's delivery log), reconciled (made of a change that nobody told us
    of), board (asked for on the dashboard)."""
    ignored: str = ""
    """Why it does not become a job; "" for one that does."""

    @property
    def partition(self) -> str:
        """Deliveries with the same key are worked on one at a time, in order."""
        if self.repo and self.issue:
            return f"{self.repo.lower()}#{self.issue}"
        return f"installation/{self.installation_id}"


class BadRequestError(UserError):
    """The request is no delivery of GitHub's: answered with 400, nothing is stored."""


class SignatureError(UserError):
    """The signature is missing or wrong: answered with 401, nothing is stored."""


def check_signature(body: bytes, header: str | None, secrets: Sequence[str]) -> None:
    """Is `header` (X-Hub-Signature-256) the HMAC-SHA256 of the raw `body` under one of the `secrets`?

    SignatureError when it is missing or wrong, BadRequestError when it is no signature at all. Every secret is tried
    in constant time, so the answer does not tell which one is near.
    """
    if not header:
        raise SignatureError("signature_missing", "the header X-Hub-Signature-256 is missing")
    match = _SIGNATURE.fullmatch(header.strip())
    if match is None:
        raise BadRequestError("signature_garbled", "X-Hub-Signature-256 must be sha256= and 64 hex digits")
    given = match[1].lower()
    right = [hmac.compare_digest(sign(body, secret), given) for secret in secrets]
    if not any(right):
        raise SignatureError("signature_wrong", "the signature does not belong to this body")


def sign(body: bytes, secret: str) -> str:
    """The hex HMAC-SHA256 of `body`, as GitHub computes it."""
    return hmac.digest(secret.encode(), body, "sha256").hex()


def read_delivery(
    body: bytes, event: str | None, guid: str | None, content_type: str, bot_login: str | None
) -> Delivery:
    """Headers and raw body -> Delivery. BadRequestError where a header is missing or the body is no JSON object.

    `bot_login` is our own login: what we did ourselves is no job. A payload of a handled event that lacks a field we
    need is ignored (`payload_incomplete`), never an error: GitHub would see a failure that no redelivery mends.
    """
    if not guid or not _GUID.fullmatch(guid):
        raise BadRequestError("guid_missing", "the header X-GitHub-Delivery must hold the delivery's GUID")
    if not event or not _WORD.fullmatch(event):
        raise BadRequestError("event_missing", "the header X-GitHub-Event must name the event")
    payload = parse_payload(body, content_type)
    return describe(payload, event=event, guid=guid, body_hash=hashlib.sha256(body).hexdigest(), bot_login=bot_login)


def parse_payload(body: bytes, content_type: str = "application/json") -> dict[str, Any]:
    """The JSON object in `body`; also where GitHub was told to send a form. BadRequestError for anything else."""
    try:
        text = body.decode("utf-8")
        if content_type.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
            text = parse_qs(text, strict_parsing=True)["payload"][0]
        payload = json.loads(text)
    except (ValueError, KeyError, RecursionError):
        raise BadRequestError("payload_unreadable", "the body is not JSON") from None
    if not isinstance(payload, dict):
        raise BadRequestError("payload_unreadable", "the body is JSON, but not an object")
    return payload


def describe(payload: Mapping[str, Any], *, event: str, guid: str, body_hash: str, bot_login: str | None) -> Delivery:
    """What a payload says, as far as the inbox needs it. Odd or missing fields become None."""
    issue, repo = _part(payload, "issue"), _part(payload, "repository")
    sender = _part(payload, "sender")
    found = Delivery(
        guid=guid,
        body_hash=body_hash,
        event=event,
        action=_text(payload, "action", _WORD) or "",
        installation_id=_id(_part(payload, "installation"), "id"),
        repo=_text(repo, "full_name", _REPO),
        repo_id=_id(repo, "id"),
        issue=_id(issue, "number"),
        issue_id=_id(issue, "id"),
        issue_created_at=_text(issue, "created_at", _MOMENT),
        comment_id=_id(_part(payload, "comment"), "id"),
        sender=_text(sender, "login", _LOGIN) or "",
        sender_is_bot=sender.get("type") == "Bot",
    )
    reason = _ignored(found, bot_login)
    return replace(found, ignored=reason) if reason else found


def reconciled(guid: str, body_hash: str, **about: Any) -> Delivery:
    """A delivery that GitHub never sent, to look at an issue as it stands now: nobody's, and without a comment.

    `guid` one of our own; `about` the fields of `Delivery` that say which issue: `installation_id`, `repo`, `repo_id`,
    `issue`, `issue_id`, `issue_created_at`. TypeError for a name that is none of them.
    """
    return Delivery(guid=guid, body_hash=body_hash, event="issues", action=RECONCILED, via=RECONCILED, **about)


def _ignored(delivery: Delivery, bot_login: str | None) -> str:
    """Why this delivery is none of ours, or ""."""
    if delivery.event not in HANDLED:
        return "ping" if delivery.event == "ping" else "event_not_handled"
    if delivery.action not in HANDLED[delivery.event]:
        return "action_not_handled"
    if bot_login and delivery.sender.lower() == bot_login.lower():
        return "own_event"
    if delivery.event.startswith("installation"):
        needed: tuple[object, ...] = (delivery.installation_id,)
    else:
        needed = (delivery.repo, delivery.repo_id, delivery.issue, delivery.issue_id)
    return "payload_incomplete" if None in needed else ""


def _part(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _text(part: Mapping[str, Any], name: str, shape: re.Pattern[str]) -> str | None:
    value = part.get(name)
    return value if isinstance(value, str) and shape.fullmatch(value) else None


def _id(part: Mapping[str, Any], name: str) -> int | None:
    value = part.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_ID else None
