"""Comments of outsiders that maintainers should look at. Neither their words nor their links are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, update

from bot.ports import Target
from bot.store.dialect import insert
from bot.store.schema import alarms


@dataclass(frozen=True, slots=True)
class Alarm:
    """One such comment."""

    comment_id: int
    repo: str
    number: int
    kind: str
    """archive or shortened."""
    raised_at: float

    @property
    def page(self) -> str:
        """Where the comment stands, below GitHub's address."""
        return f"{self.repo}/issues/{self.number}#issuecomment-{self.comment_id}"


def put(conn: Connection, target: Target, found: Iterable[tuple[int, str]], now: float) -> None:
    """Raise an alarm for each comment (id, kind), once; those of comments that are gone or harmless now are dropped."""
    kinds = dict(found)
    here = (alarms.c.repo_id == target.repo_id) & (alarms.c.issue_id == target.issue_id)
    conn.execute(delete(alarms).where(here, alarms.c.comment_id.not_in(kinds)))
    for comment_id, kind in kinds.items():
        values = {"comment_id": comment_id, "repo_id": target.repo_id, "issue_id": target.issue_id, "kind": kind}
        values |= {"repo": target.repo, "number": target.number, "raised_at": now}
        conn.execute(insert(conn, alarms).values(values).on_conflict_do_nothing(index_elements=["comment_id"]))


def standing(conn: Connection, limit: int = 50) -> Sequence[Alarm]:
    """Alarms that nobody has dismissed, newest first."""
    columns = [alarms.c[name] for name in Alarm.__slots__]
    query = select(*columns).where(alarms.c.dismissed_at.is_(None)).order_by(alarms.c.raised_at.desc()).limit(limit)
    return [Alarm(*row) for row in conn.execute(query)]


def dismiss(conn: Connection, comment_id: int, *, by: str, now: float) -> None:
    """A maintainer has looked at it: it is not raised again."""
    change = update(alarms).where(alarms.c.comment_id == comment_id)
    conn.execute(change.values(dismissed_by=by[:128], dismissed_at=now))
