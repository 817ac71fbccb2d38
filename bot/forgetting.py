"""Forgetting to the end: what the job engine recorded of jobs whose deliveries were forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Engine

from bot.clock import Clock
from bot.delivery import reconciled
from bot.jobs import ENDED, RUNNING, JobQueue, job_id
from bot.store import deliveries, leftovers, privacy
from bot.store.deliveries import StoredDelivery
from bot.store.dialect import chunks
from bot.store.leftovers import Leftover

STEP_SECONDS = 600.0
"""Longer than any step of a job: one that began before the forgetting has written its record by then."""


def forget_issue(engine: Engine, queue: JobQueue, clock: Clock, repo: str, number: int) -> int:
    """Forget everything about an issue. How many deliveries there were."""
    with engine.begin() as conn:
        count = privacy.forget_issue(conn, repo, number, clock.now())
    clear(engine, queue, clock)
    return count


def forget_person(engine: Engine, queue: JobQueue, clock: Clock, login: str) -> int:
    """Forget a person. Where work on an issue was not done, it is begun anew without them. How many deliveries."""
    with engine.begin() as conn:
        found = privacy.forget_person(conn, login, clock.now())
        for stored in {stored.delivery.partition: stored for stored in found.unfinished}.values():
            _begin_anew(conn, queue, stored, clock.now())
    clear(engine, queue, clock)
    return found.count


def clear(engine: Engine, queue: JobQueue, clock: Clock) -> int:
    """Delete the jobs that are left over: those that ended at once, the others when their last step is surely over. How
    many went.

    What waits is cancelled. What runs ends by itself, since every step looks first whether it is forgotten; a cancelled
    one would let the next job of its issue write while it writes itself.
    """
    with engine.connect() as conn:
        left = leftovers.every(conn)
    return sum(_clear(engine, queue, some, clock.now()) for some in chunks(left))


def _clear(engine: Engine, queue: JobQueue, some: Sequence[Leftover], now: float) -> int:
    by_job = {job_id(one.delivery_id, one.guid): one for one in some}
    # A moment that lies ahead was noted before the clock was set back.
    fresh = {job for job, one in by_job.items() if now - STEP_SECONDS < one.since <= now}
    states = queue.states(list(by_job))
    unended = {job for job, state in states.items() if state not in ENDED}
    # After that time what has not ended only sleeps.
    queue.cancel(sorted(job for job in unended if states[job] != RUNNING or job not in fresh))
    over = sorted(by_job.keys() - (unended & fresh))
    queue.forget(over)
    with engine.begin() as conn:
        leftovers.drop(conn, [by_job[job].delivery_id for job in over])
    return len(over)


def _begin_anew(conn: Connection, queue: JobQueue, stored: StoredDelivery, now: float) -> None:
    was = stored.delivery
    delivery = reconciled(
        f"anew-{stored.id}",
        "",
        installation_id=was.installation_id,
        repo=was.repo,
        repo_id=was.repo_id,
        issue=was.issue,
        issue_id=was.issue_id,
        issue_created_at=was.issue_created_at,
    )
    row_id = deliveries.add(conn, delivery, b"{}", now)
    assert row_id is not None
    queue.add(conn, row_id=row_id, guid=delivery.guid, partition=delivery.partition)
