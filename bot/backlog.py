"""Jobs as a person sees them: each with its delivery, its steps and its writes; and the way back for a parked one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dbos import StepInfo, WorkflowStatus
from sqlalchemy import Connection, Engine

from bot.clock import iso
from bot.errors import UserError
from bot.jobs import PARKED, JobQueue, job_id, row_of
from bot.redact import redact
from bot.store import deliveries, intents
from bot.store.deliveries import StoredDelivery
from bot.store.intents import StoredIntent

WORDS = {
    "ENQUEUED": "waiting",
    "DELAYED": "waiting",
    "PENDING": "running",
    "SUCCESS": "done",
    "ERROR": "parked",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "parked",
    "CANCELLED": "parked",
}
"""The engine's states in our words."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job and the delivery that asked for it."""

    status: WorkflowStatus
    stored: StoredDelivery | None

    @property
    def state(self) -> str:
        """waiting, running, done or parked."""
        return WORDS[self.status.status]

    def line(self) -> str:
        """Everything that matters in one line: state, when, what, where, why; of a forgotten delivery the state."""
        when = what = where = reason = "-"
        if self.stored:
            delivery = self.stored.delivery
            when, what, where = iso(self.stored.received_at), f"{delivery.event}.{delivery.action}", delivery.partition
            reason = self.stored.reason or "-"
        return f"{self.state:8} {when:20} {what:24} {where:32} {reason:24} {self.status.workflow_id}"


class Backlog:
    """Reads and repairs the queue of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue = JobQueue(engine)

    def jobs(self, states: Sequence[str] | None = None, limit: int = 30) -> list[Job]:
        """Jobs, newest first; of the engine's `states`, or all."""
        return [self._with_delivery(status) for status in self._queue.find(states, limit)]

    def describe(self, name: str) -> Iterator[str]:
        """Lines about one job. UserError where there is none of that name."""
        status, steps = self._found(name)
        job = self._with_delivery(status)
        yield job.line()
        if status.error is not None:
            yield f"error    {redact(str(status.error))}"
        yield from (_step_line(step) for step in steps)
        yield from (_intent_line(intent) for intent in self._intents(status))

    def retry(self, name: str, note: Callable[[Connection], None] = lambda _conn: None) -> str:
        """Run a parked job again from its first step; returns its id. UserError where it is not parked.

        `note` is called in the transaction that reopens the delivery, for what has to be written down with it.
        """
        status, _ = self._found(name)
        if status.status not in PARKED:
            raise UserError(
                "not_parked", f"job {status.workflow_id} is {WORDS[status.status]}: only parked jobs run again"
            )
        row_id = row_of(status.workflow_id)
        if row_id is not None:
            # First the row, then the job: a row that still says "parked" would hide a job that runs.
            with self._engine.begin() as conn:
                deliveries.reopen(conn, row_id)
                note(conn)
        self._queue.retry(status)
        return status.workflow_id

    def parked(self) -> list[str]:
        """Ids of all parked jobs, oldest first."""
        return [status.workflow_id for status in reversed(self._queue.find(PARKED, None))]

    def _found(self, name: str) -> tuple[WorkflowStatus, list[StepInfo]]:
        found = self._queue.show(self._job_id(name))
        if found is None:
            raise UserError("no_such_job", f"there is no job {name}; `burn-triage jobs list` shows those there are")
        return found

    def _job_id(self, name: str) -> str:
        with self._engine.connect() as conn:
            number = int(name) if name.isascii() and name.isdecimal() and len(name) < 16 else None
            stored = deliveries.read(conn, number) if number is not None else deliveries.find(conn, name)
        return name if stored is None else job_id(stored.id, stored.delivery.guid)

    def _with_delivery(self, status: WorkflowStatus) -> Job:
        row_id = row_of(status.workflow_id)
        with self._engine.connect() as conn:
            return Job(status, deliveries.read(conn, row_id) if row_id is not None else None)

    def _intents(self, status: WorkflowStatus) -> Sequence[StoredIntent]:
        row_id = row_of(status.workflow_id)
        with self._engine.connect() as conn:
            return intents.of_delivery(conn, row_id) if row_id is not None else []


def _step_line(step: StepInfo) -> str:
    output = step["output"]
    told = ""
    if isinstance(output, dict) and "reason" in output and "value" not in output:
        wait = f", again in {output['retry']:.0f} s" if "retry" in output else ""
        told = f"{output['reason']}{wait}: {output.get('message', '')}"
    return f"step     {step['function_id']:3} {step['function_name']:10} {redact(told)}".rstrip()


def _intent_line(intent: StoredIntent) -> str:
    when = iso(intent.done_at) if intent.done_at is not None else "-"
    comment = f"comment {intent.comment_id}" if intent.comment_id else ""
    outcome = f"{intent.state:8} {intent.did:10} {when} {comment} {intent.reason}"
    return f"write    {intent.id:8} {intent.action:16} {outcome}".rstrip()
