"""Which issue shows which panic: one row an issue, so that repeats are found and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, case, delete, func, or_, select, update

from bot.ports import Target
from bot.store.dialect import upsert
from bot.store.schema import occurrences

OPEN = "open"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A panic as an issue shows it now. Holds no word of the report."""

    outcome: str
    entry: str | None
    fingerprint: str
    site: str | None
    """`bot.triage.repeats.site_id`, None where the place is not known."""
    state: str
    """open or closed."""
    opened_at: str
    """ISO 8601."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A panic that several issues show."""

    fingerprint: str
    entry: str | None
    issues: int
    open: int
    first: int
    """Number of the oldest issue."""
    last_opened_at: str


def write(conn: Connection, target: Target, found: Occurrence, now: float) -> None:
    """What this issue shows now; the former is overwritten."""
    values = {"repo_id": target.repo_id, "issue_id": target.issue_id, "repo": target.repo, "number": target.number}
    shown = {name: getattr(found, name) for name in Occurrence.__slots__}
    upsert(conn, occurrences, ["repo_id", "issue_id"], values | shown | {"seen_at": now})


def note_state(conn: Connection, target: Target, state: str) -> None:
    """The issue was opened again or closed."""
    change = update(occurrences).where(_is(target))
    conn.execute(change.values(state=state, repo=target.repo, number=target.number))


def is_known(conn: Connection, target: Target) -> bool:
    """Whether this issue shows a panic."""
    return conn.execute(select(occurrences.c.id).where(_is(target))).first() is not None


def forget(conn: Connection, target: Target) -> None:
    """The issue is gone, or shows no panic any more."""
    conn.execute(delete(occurrences).where(_is(target)))


def same_panic(
    conn: Connection, target: Target, *, fingerprint: str | None, site: str | None, limit: int = 3
) -> list[int]:
    """Numbers of other issues of the repository with this fingerprint or site: open ones first, each group oldest
    first."""
    table = occurrences.c
    same = [column == value for column, value in ((table.fingerprint, fingerprint), (table.site, site)) if value]
    if not same:
        return []
    others = (table.repo_id == target.repo_id) & (table.issue_id != target.issue_id)
    closed_last = case((table.state == OPEN, 0), else_=1)
    query = select(table.number).where(others, or_(*same)).order_by(closed_last, table.opened_at, table.number)
    return [int(row[0]) for row in conn.execute(query.limit(limit))]


def repeated(conn: Connection, repo: str | None = None, *, since: str = "", limit: int = 50) -> Sequence[Repeated]:
    """Panics of more than one issue, those of most issues first. `repo`: `owner/name`, None for all; `since`: only
    issues opened then or later, ISO 8601."""
    table = occurrences.c
    count = func.count().label("issues")
    query = select(
        table.fingerprint,
        func.max(table.entry),
        count,
        func.sum(case((table.state == OPEN, 1), else_=0)),
        func.min(table.number),
        func.max(table.opened_at).label("last"),
    ).where(table.opened_at >= since)
    if repo is not None:
        query = query.where(func.lower(table.repo) == repo.lower())
    query = query.group_by(table.repo_id, table.fingerprint).having(count > 1)
    rows = conn.execute(query.order_by(count.desc(), func.max(table.opened_at).desc()).limit(limit))
    return [Repeated(str(f), entry, int(n), int(o), int(first), str(last)) for f, entry, n, o, first, last in rows]


def _is(target: Target) -> ColumnElement[bool]:
    return (occurrences.c.repo_id == target.repo_id) & (occurrences.c.issue_id == target.issue_id)
