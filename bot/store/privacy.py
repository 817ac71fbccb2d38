"""Forgetting a person or an issue. What stands on GitHub is not touched: that is GitHub's to keep or to delete."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, cast, delete, func, select, tuple_, update

from bot.plain import memory_from_json, memory_to_json
from bot.store import leftovers
from bot.store.deliveries import DONE, IGNORED, PARKED, QUEUED, StoredDelivery, forget, read
from bot.store.dialect import chunks
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


def forget_issue(conn: Connection, repo: str, number: int, now: float) -> int:
    """Delete everything kept about `owner/repo#number`; its jobs become leftovers. How many deliveries there were."""
    mine = (func.lower(deliveries.c.repo) == repo.lower()) & (deliveries.c.issue == number)
    # Where verdicts, intents and disputes hang: they go with their delivery.
    count = forget(conn, mine, now)
    ids = select(issues.c.comment_id).where(func.lower(issues.c.repo) == repo.lower(), issues.c.number == number)
    conn.execute(delete(reactions).where(reactions.c.comment_id.in_(ids)))
    for table in (occurrences, answers, alarms, issues):
        conn.execute(delete(table).where(func.lower(table.c.repo) == repo.lower(), table.c.number == number))
    return count


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was found of a person."""

    count: int
    """Deliveries of theirs."""
    unfinished: Sequence[StoredDelivery]
    """Of those, the ones whose work was not done: the issues are still there and wait for an answer."""


def forget_person(conn: Connection, login: str, now: float) -> Forgotten:
    """Take a person out of everything kept: payloads and verdicts of their deliveries, disputes, memories, jobs.

    The rows of their deliveries stay, without payload and sender: they say that a GUID was seen.
    """
    theirs = func.lower(deliveries.c.sender) == login.lower()
    touched = _issues_touched(conn, login)
    unfinished = _unfinished(conn, theirs)
    count = forget(conn, deliveries.c.id.in_([stored.id for stored in unfinished]), now)
    for table in (verdicts, disputes):
        conn.execute(delete(table).where(table.c.delivery_id.in_(select(deliveries.c.id).where(theirs))))
    written = intents.c.delivery_id.in_(select(deliveries.c.id).where(theirs))
    conn.execute(update(intents).where(written).values(body=None))
    _leave_jobs(conn, touched, now)
    blank = update(deliveries).where(theirs).values(payload=None, body_hash="", sender="")
    count += len(conn.execute(blank.returning(deliveries.c.id)).all())
    _forget_in_payloads(conn, login)
    conn.execute(delete(disputes).where(disputes.c.login == login.lower()))
    switch = update(configurations).where(func.lower(configurations.c.switched_off_by) == login.lower())
    conn.execute(switch.values(switched_off_by=""))
    conn.execute(update(alarms).where(func.lower(alarms.c.dismissed_by) == login.lower()).values(dismissed_by=""))
    conn.execute(update(audit_log).where(func.lower(audit_log.c.login) == login.lower()).values(login=""))
    conn.execute(delete(sessions).where(func.lower(sessions.c.login) == login.lower()))
    _forget_in_memories(conn, login)
    return Forgotten(count, unfinished)


def _unfinished(conn: Connection, which: ColumnElement[bool]) -> list[StoredDelivery]:
    rows = select(deliveries.c.id).where(
        which, deliveries.c.state.in_((QUEUED, PARKED)), deliveries.c.issue.is_not(None)
    )
    found = (read(conn, row_id) for row_id in conn.execute(rows.order_by(deliveries.c.id)).scalars().all())
    return [stored for stored in found if stored is not None]


def _issues_touched(conn: Connection, login: str) -> set[tuple[int, int]]:
    """Where the records of jobs may name them: what they sent, disputed, or said is remembered there."""
    sent = select(deliveries.c.repo_id, deliveries.c.issue_id).where(func.lower(deliveries.c.sender) == login.lower())
    disputed = select(disputes.c.repo_id, disputes.c.issue_id).where(disputes.c.login == login.lower())
    named = cast(issues.c.memory, String).ilike(f"%{login}%")
    remembered = select(issues.c.repo_id, issues.c.issue_id).where(named)
    return {(row[0], row[1]) for query in (sent, disputed, remembered) for row in conn.execute(query)}


def _leave_jobs(conn: Connection, touched: Collection[tuple[int, int]], now: float) -> None:
    table = deliveries.c
    for some in chunks(sorted((repo, issue) for repo, issue in touched if repo and issue)):
        here = tuple_(table.repo_id, table.issue_id).in_(some)
        done = select(table.id, table.guid).where(here, table.state == DONE)
        leftovers.note(conn, [(int(i), str(guid)) for i, guid in conn.execute(done)], now)


def _forget_in_payloads(conn: Connection, login: str) -> None:
    """Other people's deliveries name them too. A job that needs its payload keeps it to its end."""
    table = deliveries.c
    unneeded = table.state.in_((DONE, IGNORED)) | table.event.in_(("issues", "issue_comment"))
    raw = table.payload.is_not(None) & unneeded
    name = re.compile(rb"(?<![A-Za-z0-9-])" + re.escape(login.encode()) + rb"(?![A-Za-z0-9-])", re.IGNORECASE)
    for row_id in conn.execute(select(table.id).where(raw)).scalars().all():
        found = conn.execute(select(table.payload).where(table.id == row_id)).scalar()
        # Nobody can tell whether the name stands in what cannot be read.
        if not isinstance(found, bytes) or name.search(found):
            conn.execute(update(deliveries).where(table.id == row_id).values(payload=None))


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
