"""What maintainers changed in the dashboard: who, when, what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from bot.store.schema import audit_log


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `at` in seconds since 1970."""

    id: int
    at: float
    login: str
    """"" where the person asked to be forgotten."""
    action: str
    repo_id: int
    repo: str
    subject: str
    detail: str


def write(
    conn: Connection, *, login: str, action: str, repo_id: int, repo: str, subject: str, detail: str, now: float
) -> None:
    """Note a change, in the transaction that makes it."""
    values = {"at": now, "login": login[:128], "action": action[:32], "repo_id": repo_id, "repo": repo[:256]}
    conn.execute(audit_log.insert().values(values | {"subject": subject[:128], "detail": detail[:512]}))


def newest(conn: Connection, repo_ids: Sequence[int], limit: int = 50) -> Sequence[Change]:
    """The last changes in these repositories, newest first."""
    columns = [audit_log.c[name] for name in Change.__slots__]
    query = select(*columns).where(audit_log.c.repo_id.in_(repo_ids))
    rows = conn.execute(query.order_by(audit_log.c.at.desc(), audit_log.c.id.desc()).limit(limit))
    return [Change(*row) for row in rows]
