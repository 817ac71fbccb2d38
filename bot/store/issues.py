"""What we remember of each issue between two jobs: one row for life."""

from __future__ import annotations

from sqlalchemy import Connection, select

from bot.errors import PermanentError
from bot.plain import memory_from_json, memory_to_json
from bot.ports import Target
from bot.store.dialect import seconds, upsert
from bot.store.schema import issues
from bot.triage.snapshot import IssueMemory


def read(conn: Connection, repo_id: int, issue_id: int) -> IssueMemory | None:
    """The memory of an issue, None for one we have never worked on.

    PermanentError (`memory_damaged`) where it cannot be read: without it we might contradict what we said.
    """
    mine = select(issues.c.memory).where(issues.c.repo_id == repo_id, issues.c.issue_id == issue_id)
    try:
        found = conn.execute(mine).first()
        return None if found is None else memory_from_json(dict(found.memory))
    except (ValueError, TypeError) as error:
        raise PermanentError(
            "memory_damaged",
            f"what is remembered of issue id {issue_id} of repository id {repo_id} cannot be read ({error}): "
            "`burn-triage forget OWNER/REPO#NUMBER` drops it, then retry the job",
        ) from error


def last_job(conn: Connection, repo_id: int, issue_id: int) -> float | None:
    """When the last job of an issue ended."""
    query = select(issues.c.updated_at).where(issues.c.repo_id == repo_id, issues.c.issue_id == issue_id)
    return seconds(conn.execute(query).scalar())


def write(conn: Connection, target: Target, memory: IssueMemory, now: float) -> None:
    """Remember this of an issue."""
    values = {
        "repo_id": target.repo_id,
        "issue_id": target.issue_id,
        "repo": target.repo,
        "number": target.number,
        "comment_id": memory.comment_id,
        "memory": memory_to_json(memory),
        "updated_at": now,
    }
    upsert(conn, issues, ["repo_id", "issue_id"], values)
