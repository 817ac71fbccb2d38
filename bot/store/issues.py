"""What we remember of each issue between two jobs: one row for life."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, select

from bot.ports import Target
from bot.store.dialect import upsert
from bot.store.schema import issues
from bot.triage.snapshot import IssueMemory

_SETS = ("commands_run", "wrong_by")


def read(conn: Connection, repo_id: int, issue_id: int) -> IssueMemory | None:
    """The memory of an issue, None for one we have never worked on."""
    found = conn.execute(
        select(issues.c.memory).where(issues.c.repo_id == repo_id, issues.c.issue_id == issue_id)
    ).scalar()
    return None if found is None else from_json(found)


def write(conn: Connection, target: Target, memory: IssueMemory, now: float) -> None:
    """Remember this of an issue."""
    values = {
        "repo_id": target.repo_id,
        "issue_id": target.issue_id,
        "repo": target.repo,
        "number": target.number,
        "comment_id": memory.comment_id,
        "memory": to_json(memory),
        "updated_at": now,
    }
    upsert(conn, issues, ["repo_id", "issue_id"], values)


def forget(conn: Connection, repo_id: int) -> None:
    """Forget every issue of a repository."""
    conn.execute(delete(issues).where(issues.c.repo_id == repo_id))


def to_json(memory: IssueMemory) -> dict[str, Any]:
    """A memory as plain JSON."""
    values = {name: getattr(memory, name) for name in IssueMemory.__slots__}
    return values | {"asked": list(memory.asked)} | {name: sorted(values[name]) for name in _SETS}


def from_json(values: Mapping[str, Any]) -> IssueMemory:
    """A memory from JSON. Fields that an older or newer version wrote and this one does not know are passed over."""
    known = {name: values[name] for name in IssueMemory.__slots__ if name in values}
    known |= {name: frozenset(known[name]) for name in _SETS if name in known}
    if "asked" in known:
        known["asked"] = tuple(known["asked"])
    return IssueMemory(**known)
