"""What people think of our comments: the reactions on each, as last counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select

from bot.store.dialect import upsert
from bot.store.schema import issues, reactions, repositories

UP = ("+1", "heart", "hooray", "rocket")
DOWN = ("-1", "confused")


@dataclass(frozen=True, slots=True)
class CommentDue:
    """A comment of ours whose reactions should be counted again."""

    comment_id: int
    repo: str
    repo_id: int
    issue_id: int
    installation_id: int


def due(conn: Connection, *, before: float, limit: int) -> Sequence[CommentDue]:
    """Comments last counted before this moment, or never: those that wait longest first."""
    joined = issues.join(repositories, repositories.c.repo_id == issues.c.repo_id).outerjoin(
        reactions, reactions.c.comment_id == issues.c.comment_id
    )
    waits = or_(reactions.c.comment_id.is_(None), and_(reactions.c.gone.is_(False), reactions.c.checked_at < before))
    columns = (issues.c.comment_id, issues.c.repo, issues.c.repo_id, issues.c.issue_id, repositories.c.installation_id)
    ours = issues.c.comment_id.is_not(None) & repositories.c.installation_id.is_not(None)
    query = select(*columns).select_from(joined).where(ours, waits)
    # Never counted ones first: NULLs sort differently in the two databases.
    query = query.order_by(func.coalesce(reactions.c.checked_at, 0.0), issues.c.comment_id).limit(limit)
    return [CommentDue(*row) for row in conn.execute(query)]


def write(conn: Connection, comment: CommentDue, counts: Mapping[str, int] | None, now: float) -> None:
    """Keep the counts; None says that the comment is gone, its last counts stay."""
    values: dict[str, Any] = {"comment_id": comment.comment_id, "repo_id": comment.repo_id}
    values |= {"issue_id": comment.issue_id, "gone": counts is None, "checked_at": now}
    if counts is None:
        before = read(conn, comment.comment_id)
        counts = before or {}
    values |= {"counts": dict(counts), "up": _sum(counts, UP), "down": _sum(counts, DOWN)}
    upsert(conn, reactions, ["comment_id"], values)


def read(conn: Connection, comment_id: int) -> dict[str, int] | None:
    """The counts of one comment by GitHub's names; None where they were never read."""
    found = conn.execute(select(reactions.c.counts).where(reactions.c.comment_id == comment_id)).scalar()
    return None if found is None else {str(name): int(count) for name, count in found.items()}


def totals(conn: Connection) -> tuple[int, int]:
    """Approving and disapproving reactions on all comments."""
    up, down = conn.execute(select(func.sum(reactions.c.up), func.sum(reactions.c.down))).one()
    return int(up or 0), int(down or 0)


def _sum(counts: Mapping[str, int], contents: tuple[str, ...]) -> int:
    return sum(counts.get(content, 0) for content in contents)
