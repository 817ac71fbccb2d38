"""What a maintainer asks for on the dashboard, as a delivery: inbox, job and slash command follow as for a comment.

    Placed (who, which command, on which issue) -> Delivery and payload -> … -> Order, which `bot.handle` carries out

The permission is read from GitHub again when the job runs, and the same order given twice is one delivery.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from bot.clock import iso
from bot.delivery import Delivery
from bot.errors import UserError
from bot.ports import Target
from bot.store.deliveries import StoredDelivery
from bot.triage.snapshot import Order

DASHBOARD = "dashboard"
"""The event of such a delivery. GitHub has none of this name, and a webhook that claims it is ignored."""

NAMES = ("again", "hide", "show", "unmute", "wrong", "entry")
"""Slash commands that the dashboard offers."""

LONGEST_REASON = 300
_ENTRY = re.compile(r"KB-\d{4,12}|none", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placed:
    """One order as it was given."""

    login: str
    name: str
    argument: str
    token: str
    """Names the form that it was sent with: sent twice, it is the same order."""
    target: Target


def placed(login: str, name: str, argument: str, token: str, target: Target) -> Placed:
    """Check an order. UserError with the remedy where it is none."""
    # What does not print has no place in a record for people, and PostgreSQL takes no NUL.
    argument = "".join(letter for letter in " ".join(argument.split()) if letter.isprintable())[:LONGEST_REASON]
    if name not in NAMES:
        raise UserError("no_such_order", f"“{name[:40]}” is nothing that can be asked for here.")
    if name == "entry" and not _ENTRY.fullmatch(argument):
        raise UserError("no_such_entry", f"“{argument[:40]}” names no entry. Write its id like KB-0003, or none.")
    if name not in ("entry", "wrong"):
        argument = ""
    return Placed(login, name, argument, token, target)


def as_delivery(order: Placed) -> tuple[Delivery, bytes]:
    """The delivery that stands for an order, and its payload."""
    named = (order.login.lower(), order.target.repo_id, order.target.issue_id, order.name, order.token)
    payload = json.dumps({"name": order.name, "argument": order.argument}).encode()
    delivery = Delivery(
        guid="board-" + hashlib.sha256("\0".join(map(str, named)).encode()).hexdigest()[:40],
        body_hash=hashlib.sha256(payload).hexdigest(),
        event=DASHBOARD,
        action=order.name,
        installation_id=order.target.installation_id,
        repo=order.target.repo,
        repo_id=order.target.repo_id,
        issue=order.target.number,
        issue_id=order.target.issue_id,
        sender=order.login,
        via="board",
    )
    return delivery, payload


def order_of(stored: StoredDelivery, payload: bytes | None) -> Order | None:
    """The order in a delivery; None where its time is over and the payload was forgotten."""
    if payload is None:
        return None
    values = json.loads(payload)
    return Order(values["name"], values["argument"], f"board:{stored.delivery.guid}", iso(stored.received_at))
