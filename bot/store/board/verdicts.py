"""The list of verdicts, and everything that belongs to one: its revisions, what was posted, what people did to it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select, tuple_

from bot.plain import memory_from_json
from bot.ports import Target
from bot.store.deliveries import IGNORED
from bot.store.schema import answers, deliveries, disputes, intents, issues, reactions, repositories, verdicts
from bot.triage.snapshot import IssueMemory

MOST_REVISIONS = 50
MOST_TEXTS = 50


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is asked for; "" and None for all. Moments in seconds since 1970."""

    outcome: str = ""
    entry: str = ""
    since: float | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One verdict without its contents."""

    id: int
    delivery_id: int
    repo_id: int
    issue_id: int
    repo: str
    number: int
    outcome: str
    entry: str | None
    fingerprint: str | None
    catalog: str
    reason: str
    created_at: float

    @property
    def key(self) -> tuple[float, int]:
        """Its place in the list, which is newest first."""
        return self.created_at, self.id


_COLUMNS = tuple(verdicts.c[name] for name in Row.__slots__)


def page(
    conn: Connection, repo_ids: Sequence[int], filters: Filters, *, before: tuple[float, int] | None, limit: int
) -> list[Row]:
    """The newest verdicts of these repositories, older than the key `before`. One walk down an index for each."""
    walks = [_walk(conn, repo_id, filters, before, limit) for repo_id in repo_ids]
    merged = heapq.merge(*walks, key=lambda row: row.key, reverse=True)
    return [row for row, _ in zip(merged, range(limit), strict=False)]


def _walk(
    conn: Connection, repo_id: int, filters: Filters, before: tuple[float, int] | None, limit: int
) -> Iterator[Row]:
    table = verdicts.c
    mine = [table.repo_id == repo_id]
    mine += [table.outcome == filters.outcome] if filters.outcome else []
    mine += [table.entry == filters.entry] if filters.entry else []
    mine += [table.created_at >= filters.since] if filters.since is not None else []
    mine += [table.created_at < filters.until] if filters.until is not None else []
    if before is not None:
        mine.append(tuple_(table.created_at, table.id) < tuple_(*before))
    query = select(*_COLUMNS).where(*mine).order_by(table.created_at.desc(), table.id.desc()).limit(limit)
    return (Row(*row) for row in conn.execute(query))


def counts(conn: Connection, repo_ids: Sequence[int], outcomes: Sequence[str], since: float) -> dict[str, int]:
    """Verdicts given since then, by outcome."""
    table = verdicts.c
    query = select(func.count()).where(table.repo_id.in_(repo_ids), table.created_at >= since)
    return {name: int(conn.execute(query.where(table.outcome == name)).scalar_one()) for name in outcomes}


def contents(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The verdicts themselves as redacted JSON, by their numbers."""
    rows = conn.execute(select(verdicts.c.id, verdicts.c.verdict).where(verdicts.c.id.in_(ids)))
    return {int(number): verdict for number, verdict in rows}


def one(conn: Connection, repo_ids: Sequence[int], number: int) -> Row | None:
    """One verdict; None where there is none, or it is of another repository."""
    if not 0 < number < 2**63:
        return None
    row = conn.execute(select(*_COLUMNS).where(verdicts.c.id == number)).first()
    return Row(*row) if row is not None and row.repo_id in repo_ids else None


def revisions(conn: Connection, row: Row) -> list[Row]:
    """All verdicts on the same issue, oldest first; of very many the newest."""
    table = verdicts.c
    query = select(*_COLUMNS).where(table.repo_id == row.repo_id, table.issue_id == row.issue_id)
    rows = conn.execute(query.order_by(table.created_at.desc(), table.id.desc()).limit(MOST_REVISIONS))
    return [Row(*found) for found in rows][::-1]


@dataclass(frozen=True, slots=True)
class Write:
    """What was done on GitHub. `body`: the comment's text, redacted; None where none was written or kept."""

    delivery_id: int
    action: str
    state: str
    did: str
    reason: str
    comment_id: int | None
    body: str | None
    planned_at: float


def writes(conn: Connection, row: Row) -> list[Write]:
    """Everything done on the issue, oldest first."""
    columns = [intents.c[name] for name in Write.__slots__]
    query = select(*columns).where(intents.c.repo_id == row.repo_id, intents.c.issue_id == row.issue_id)
    rows = conn.execute(query.order_by(intents.c.planned_at.desc()).limit(MOST_TEXTS))
    return [Write(*found) for found in rows][::-1]


@dataclass(frozen=True, slots=True)
class Event:
    """A delivery about the issue. `payload` is raw, and None where its time is over: redact what is shown of it."""

    id: int
    event: str
    action: str
    sender: str
    via: str
    state: str
    reason: str
    received_at: float
    payload: bytes | None


def events(conn: Connection, row: Row) -> list[Event]:
    """What came in about the issue and was looked at, oldest first; of very many the newest."""
    columns = [deliveries.c[name] for name in Event.__slots__]
    table = deliveries.c
    query = select(*columns).where(table.repo_id == row.repo_id, table.issue_id == row.issue_id, table.state != IGNORED)
    rows = conn.execute(query.order_by(table.id.desc()).limit(MOST_TEXTS))
    return [Event(*found) for found in rows][::-1]


def memory(conn: Connection, row: Row) -> IssueMemory:
    """What stands on the issue now, as we remember it."""
    query = select(issues.c.memory).where(issues.c.repo_id == row.repo_id, issues.c.issue_id == row.issue_id)
    found = conn.execute(query).scalar()
    return IssueMemory() if found is None else memory_from_json(found)


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody called an answer wrong; the reason is redacted."""

    login: str
    at: str
    by: str
    reason: str
    counted: bool


def said(conn: Connection, row: Row) -> list[Said]:
    """Who called the issue's answers wrong, oldest first."""
    columns = [disputes.c[name] for name in Said.__slots__]
    query = select(*columns).where(disputes.c.repo_id == row.repo_id, disputes.c.issue_id == row.issue_id)
    return [Said(*found) for found in conn.execute(query.order_by(disputes.c.at).limit(MOST_TEXTS))]


def decided(conn: Connection, row: Row) -> str:
    """What a maintainer decided of the answer that this delivery first gave: right, wrong, set; "" for nothing."""
    mine = (answers.c.repo_id == row.repo_id) & (answers.c.issue_id == row.issue_id)
    query = select(answers.c.decided).where(mine, answers.c.delivery_id == row.delivery_id)
    return str(conn.execute(query).scalar() or "")


def thumbs(conn: Connection, row: Row) -> tuple[int, int]:
    """Approving and disapproving reactions on our comments there, as last counted."""
    mine = (reactions.c.repo_id == row.repo_id) & (reactions.c.issue_id == row.issue_id)
    rows = conn.execute(select(reactions.c.up, reactions.c.down).where(mine)).all()
    return sum(int(up) for up, _ in rows), sum(int(down) for _, down in rows)


def target(conn: Connection, row: Row) -> Target | None:
    """The issue for a job; None where the App is not in the repository any more."""
    query = select(repositories.c.repo, repositories.c.installation_id).where(repositories.c.repo_id == row.repo_id)
    found = conn.execute(query).first()
    if found is None:
        return None
    return Target(str(found[0]), row.repo_id, row.number, row.issue_id, found[1])
