"""Forgetting a person or an issue. What stands on GitHub is not touched: that is GitHub's to keep or to delete."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from bot.plain import memory_from_json, memory_to_json
from bot.store.schema import (
    alarms,
    answers,
    audit_log,
    configurations,
    deliveries,
    disputes,
    intents,
    issues,
    occurrences,
    reactions,
    sessions,
    verdicts,
)
from bot.triage.snapshot import IssueMemory


def forget_issue(conn: Connection, repo: str, number: int) -> list[int]:
    """Delete everything kept about `owner/repo#number`. The rows of its deliveries, so that their jobs can go too."""
    mine = (func.lower(deliveries.c.repo) == repo.lower()) & (deliveries.c.issue == number)
    rows = [int(row[0]) for row in conn.execute(select(deliveries.c.id).where(mine))]
    # Verdicts, intents and disputes go with their delivery.
    conn.execute(delete(deliveries).where(mine))
    ids = select(issues.c.comment_id).where(func.lower(issues.c.repo) == repo.lower(), issues.c.number == number)
    conn.execute(delete(reactions).where(reactions.c.comment_id.in_(ids)))
    for table in (occurrences, answers, alarms, issues):
        conn.execute(delete(table).where(func.lower(table.c.repo) == repo.lower(), table.c.number == number))
    return rows


def forget_person(conn: Connection, login: str) -> list[int]:
    """Take a person out of everything kept: payloads and verdicts of their deliveries, disputes, memories.

    The rows of their deliveries stay, without payload and sender: they say that a GUID was seen.
    """
    theirs = func.lower(deliveries.c.sender) == login.lower()
    rows = [int(row[0]) for row in conn.execute(select(deliveries.c.id).where(theirs))]
    for table in (verdicts, disputes):
        conn.execute(delete(table).where(table.c.delivery_id.in_(select(deliveries.c.id).where(theirs))))
    written = intents.c.delivery_id.in_(select(deliveries.c.id).where(theirs))
    conn.execute(update(intents).where(written).values(body=None))
    conn.execute(update(deliveries).where(theirs).values(payload=None, sender=""))
    conn.execute(delete(disputes).where(disputes.c.login == login.lower()))
    switch = update(configurations).where(func.lower(configurations.c.switched_off_by) == login.lower())
    conn.execute(switch.values(switched_off_by=""))
    conn.execute(update(alarms).where(func.lower(alarms.c.dismissed_by) == login.lower()).values(dismissed_by=""))
    conn.execute(update(audit_log).where(func.lower(audit_log.c.login) == login.lower()).values(login=""))
    conn.execute(delete(sessions).where(func.lower(sessions.c.login) == login.lower()))
    _forget_in_memories(conn, login)
    return rows


def _forget_in_memories(conn: Connection, login: str) -> None:
    for row_id in conn.execute(select(issues.c.id)).scalars().all():
        try:
            values = conn.execute(select(issues.c.memory).where(issues.c.id == row_id)).scalar_one()
            kept = _without(values, login)
        except (ValueError, TypeError):
            # Nobody can tell whether the name stands in what cannot be read.
            values, kept = None, memory_to_json(IssueMemory())
        if kept != values:
            conn.execute(update(issues).where(issues.c.id == row_id).values(memory=kept))


def _without(values: dict[str, Any], login: str) -> dict[str, Any]:
    memory = memory_to_json(memory_from_json(values))
    return values | {"wrong_by": [name for name in memory["wrong_by"] if name.lower() != login.lower()]}
