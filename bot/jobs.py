"""The job queue: one job for each delivery that asks for work, one at a time per issue, in order of arrival.

The queue is DBOS Transact on our own database. Two of its constants must never drift: `VERSION` (a changed one strands
the jobs in flight) and the names of workflows and steps (a changed order needs `handle_v2` beside `handle_v1`, which
stays in `WORKFLOWS` until no job of its name waits or runs; retried jobs keep their name).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from dbos import DBOSClient, DBOSPortableJSONSerializer, EnqueueOptions, StepInfo, WorkflowStatus
from sqlalchemy import Connection, Engine

APPLICATION = "burn-triage"
VERSION = "1"
QUEUE = "issue"
WORKFLOWS = ("handle_v1",)
"""Every workflow that the store may hold jobs of, oldest first: methods of `bot.worker.Flow`. New jobs get the last."""

LAST_PRIORITY = 2**31 - 1

PARKED = ("ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "CANCELLED")
FINISHED = ("SUCCESS",)
RUNNING = "PENDING"
OPEN = ("ENQUEUED", RUNNING)
ENDED = ("SUCCESS", "ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
"""By themselves: nothing of them runs any more. Of a cancelled one the last step may."""

SERIALIZER = DBOSPortableJSONSerializer()
"""Jobs hold plain JSON. The engine's default is pickle, which no other version of the code may read safely."""


def job_id(row_id: int, guid: str) -> str:
    """The job of a delivery. Ids sort by arrival: SQLite may stamp two jobs with the same second."""
    return f"{row_id:016d}-{guid}"


def row_of(job: str) -> int | None:
    """The inbox row of a job id, None for something else."""
    digits = job.partition("-")[0]
    return int(digits) if len(digits) == 16 and digits.isdecimal() else None


def guid_of(job: str) -> str:
    """The delivery of a job id."""
    return job.partition("-")[2]


class JobQueue:
    """Puts jobs in and looks after them; runs none. One per process, made after the fork."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @cached_property
    def _client(self) -> DBOSClient:
        return DBOSClient(
            system_database_engine=self._engine,
            application_name=APPLICATION,
            serializer=SERIALIZER,
            lazy=True,
            retry_connection_errors=False,
        )

    def add(self, conn: Connection, *, row_id: int, guid: str, partition: str) -> None:
        """Enqueue the job of a delivery in the transaction that stores the delivery."""
        options: EnqueueOptions = {
            "workflow_name": WORKFLOWS[-1],
            "queue_name": QUEUE,
            "workflow_id": job_id(row_id, guid),
            "queue_partition_key": partition,
            # What comes first in an issue's order; the engine would go by its clock, which may be set back.
            "priority": min(row_id, LAST_PRIORITY),
        }
        self._client.enqueue_in_transaction(conn, options, row_id)

    def find(self, statuses: Sequence[str] | None = None, limit: int | None = 50) -> list[WorkflowStatus]:
        """Jobs, newest first, without what they were given and gave back."""
        return self._client.list_workflows(
            status=list(statuses) if statuses else None,
            limit=limit,
            sort_desc=True,
            load_input=False,
            load_output=True,
            name=list(WORKFLOWS),
        )

    def show(self, job: str) -> tuple[WorkflowStatus, list[StepInfo]] | None:
        """One job with its steps, None if there is none of this id."""
        found = self._client.list_workflows(workflow_ids=[job])
        return (found[0], self._client.list_workflow_steps(job)) if found else None

    def retry(self, status: WorkflowStatus) -> None:
        """Run a parked job again from its first step, under the same id and in its issue's order."""
        # `resume` passes over failed jobs without a word; `rewind` takes every job that has ended.
        self._client.rewind_workflow(
            status.workflow_id, queue_name=QUEUE, queue_partition_key=status.queue_partition_key
        )

    def states(self, jobs: Sequence[str]) -> dict[str, str]:
        """The engine's word for the state of each of these jobs, where there is such a job."""
        found = self._client.list_workflows(workflow_ids=list(jobs), load_input=False, load_output=False)
        return {status.workflow_id: status.status for status in found}

    def cancel(self, jobs: Sequence[str]) -> None:
        """End these jobs. A step that is under way goes on, and the next job of its issue may start beside it."""
        if jobs:
            self._client.cancel_workflows(list(jobs))

    def open_by_version(self) -> Counter[tuple[str, str]]:
        """How many jobs have not ended, by workflow and the program's version: ours where nobody took them yet."""
        found = self._client.list_workflows(status=list(OPEN), load_input=False, load_output=False)
        return Counter((status.name, status.app_version or VERSION) for status in found)

    def forget(self, jobs: Sequence[str]) -> None:
        """Delete jobs with everything the engine recorded of them. None may be under way: its record would stay."""
        if jobs:
            self._client.delete_workflows(list(jobs))
