"""Who said that an answer is wrong, and which one. The reason is kept redacted."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from bot.ports import Target
from bot.store.dialect import insert
from bot.store.schema import disputes
from bot.triage.snapshot import Dispute


def add(conn: Connection, delivery_id: int, target: Target, given: Sequence[Dispute]) -> None:
    """Store disputes whose reasons are redacted already. The same comment counts once, however often it is read."""
    for dispute in given:
        values = {
            "delivery_id": delivery_id,
            "repo_id": target.repo_id,
            "issue_id": target.issue_id,
            "login": dispute.login.lower()[:128],
            "at": dispute.at[:32],
            "by": dispute.by,
            "answer": dispute.answer,
            "reason": dispute.reason,
            "counted": dispute.counted,
        }
        keys = ["repo_id", "issue_id", "login", "at"]
        conn.execute(insert(conn, disputes).values(values).on_conflict_do_nothing(index_elements=keys))


def counts_since(conn: Connection, moment: str) -> dict[str, int]:
    """Disputes by login (lower case) since an ISO 8601 moment, over all issues."""
    rows = conn.execute(
        select(disputes.c.login, func.count()).where(disputes.c.at >= moment).group_by(disputes.c.login)
    )
    return {str(login): int(count) for login, count in rows}
