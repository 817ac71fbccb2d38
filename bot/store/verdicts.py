"""What was decided about an issue, why, and with which revision of the knowledge base. Redacted throughout."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from bot.ports import Target
from bot.store.dialect import upsert
from bot.store.schema import verdicts


def write(
    conn: Connection, *, delivery_id: int, target: Target, verdict: dict[str, Any], reason: str, now: float
) -> None:
    """Keep a verdict (a `Verdict` as redacted JSON). A second run of the same delivery overwrites the first."""
    values = {
        "delivery_id": delivery_id,
        "repo_id": target.repo_id,
        "issue_id": target.issue_id,
        "repo": target.repo,
        "number": target.number,
        "outcome": verdict["outcome"],
        "entry": verdict["entry"],
        "fingerprint": verdict["fingerprint"],
        "catalog": verdict["catalog"][:128],
        "reason": reason[:64],
        "verdict": verdict,
        "created_at": now,
    }
    upsert(conn, verdicts, ["delivery_id"], values)


def count_by_outcome(conn: Connection) -> dict[str, int]:
    """How many verdicts of each outcome were given."""
    rows = conn.execute(select(verdicts.c.outcome, func.count()).group_by(verdicts.c.outcome))
    return {str(outcome): int(count) for outcome, count in rows}
