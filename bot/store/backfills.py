"""How far the walk through a repository's issue history has come."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, func, select

from bot.store.dialect import upsert
from bot.store.schema import backfills


@dataclass(frozen=True, slots=True)
class Progress:
    """One walk. Times in seconds since 1970."""

    repo_id: int
    repo: str
    started_at: float
    page: int = 1
    """Page of the issue list, oldest first, on which the last issue stood."""
    number: int = 0
    """The last issue that was read; 0 for none."""
    issues: int = 0
    panics: int = 0
    finished_at: float | None = None


def read(conn: Connection, repo_id: int) -> Progress | None:
    """The last walk through this repository."""
    columns = [backfills.c[name] for name in Progress.__slots__]
    row = conn.execute(select(*columns).where(backfills.c.repo_id == repo_id)).first()
    return None if row is None else Progress(*row)


def find(conn: Connection, repo: str) -> Progress | None:
    """The same by name, whatever the spelling."""
    repo_id = conn.execute(select(backfills.c.repo_id).where(func.lower(backfills.c.repo) == repo.lower())).scalar()
    return None if repo_id is None else read(conn, repo_id)


def write(conn: Connection, progress: Progress) -> None:
    """Remember it."""
    upsert(conn, backfills, ["repo_id"], asdict(progress))
