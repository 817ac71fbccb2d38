"""What we mean to write on GitHub, stored before each write; afterwards, what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, func, select, update

from bot.ports import Target
from bot.store.dialect import insert_for
from bot.store.schema import intents

PLANNED = "planned"
DONE = "done"
UNKNOWN = "unknown"
"""The request went out and no answer came: it may have been carried out."""


@dataclass(frozen=True, slots=True)
class Intent:
    """One planned write of a delivery."""

    id: str
    delivery_id: int
    action: str
    """Class name of the action."""
    body_hash: str | None = None
    """Of the comment that will stand there, for an action that writes one."""
    body: str | None = None
    """Its text, redacted."""

    @staticmethod
    def id_of(delivery_id: int, position: int) -> str:
        """The id of a delivery's n-th write: the same at every try."""
        return f"{delivery_id}.{position}"


@dataclass(frozen=True, slots=True)
class StoredIntent:
    """An intent and what came of it."""

    id: str
    action: str
    state: str
    did: str
    reason: str
    comment_id: int | None
    done_at: float | None


def plan(conn: Connection, intent: Intent, target: Target, now: float) -> None:
    """Store the intent. A second try of the same write keeps what is known of the first."""
    values = {
        "id": intent.id,
        "delivery_id": intent.delivery_id,
        "repo_id": target.repo_id,
        "issue_id": target.issue_id,
        "action": intent.action,
        "body_hash": intent.body_hash,
        "body": intent.body,
        "state": PLANNED,
        "planned_at": now,
    }
    # A retry may want to write another body; the first one may stand on GitHub all the same, so it stays on record
    # under an id of its own.
    if conn.execute(_insertion(conn.dialect.name), values).first() is None:
        _plan_again(conn, intent, values)


@cache
def _insertion(dialect: str) -> Executable:
    """Built once: to build it costs more than to run it."""
    return insert_for(dialect, intents).on_conflict_do_nothing(index_elements=["id"]).returning(intents.c.id)


def _plan_again(conn: Connection, intent: Intent, values: dict[str, Any]) -> None:
    first = conn.execute(select(intents.c.body_hash).where(intents.c.id == intent.id)).scalar()
    if first == intent.body_hash or intent.body_hash is None:
        return
    variant = f"{intent.id}.{intent.body_hash[:16]}"
    conn.execute(_insertion(conn.dialect.name), values | {"id": variant})


def settle(conn: Connection, intent_id: str, outcome: Mapping[str, Any], now: float) -> None:
    """Record what the publisher did (its answer as `bot.ports.Publisher` describes it)."""
    conn.execute(
        update(intents)
        .where(intents.c.id == intent_id)
        .values(
            state=DONE,
            did=str(outcome.get("did") or ""),
            reason=str(outcome.get("reason") or "")[:64],
            comment_id=outcome.get("comment_id"),
            done_at=now,
        )
    )


def doubt(conn: Connection, intent_id: str, reason: str) -> None:
    """Record that a write's fate is unknown, or that it failed for `reason`."""
    conn.execute(update(intents).where(intents.c.id == intent_id).values(state=UNKNOWN, reason=reason[:64]))


def of_delivery(conn: Connection, delivery_id: int) -> Sequence[StoredIntent]:
    """The writes that a delivery led to, in order."""
    columns = [intents.c[name] for name in StoredIntent.__slots__]
    rows = conn.execute(select(*columns).where(intents.c.delivery_id == delivery_id).order_by(intents.c.planned_at))
    return [StoredIntent(*row) for row in rows]


def body_hashes(conn: Connection, repo_id: int, issue_id: int) -> frozenset[str]:
    """Hashes of every comment body that we wrote or meant to write on an issue."""
    rows = conn.execute(
        select(intents.c.body_hash).where(
            intents.c.repo_id == repo_id, intents.c.issue_id == issue_id, intents.c.body_hash.is_not(None)
        )
    )
    return frozenset(row[0] for row in rows)


def count_by_state(conn: Connection) -> dict[str, int]:
    """How many intents are planned, done, unknown."""
    rows = conn.execute(select(intents.c.state, func.count()).group_by(intents.c.state))
    return {str(state): int(count) for state, count in rows}
