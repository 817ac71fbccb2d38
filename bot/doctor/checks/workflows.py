"""No job waits that was begun by another version of the program."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.examine import DATABASE, Fault, Patient
from bot.jobs import VERSION, WORKFLOWS, JobQueue

NEEDS = frozenset({DATABASE})


def check(patient: Patient) -> Iterator[Fault]:
    """Jobs that are not ended, by workflow and version."""
    for (name, version), count in sorted(JobQueue(patient.engine()).open_by_version().items()):
        if name not in WORKFLOWS or version != VERSION:
            remedy = "start the version of burn-triage that began them beside this one until they are done"
            yield f"{count} jobs of {name}, version {version}, which this program cannot run", remedy
        elif name != WORKFLOWS[-1]:
            remedy = "let a worker run until they are done before you install a version without this workflow"
            yield f"{count} jobs of the older workflow {name} are still to drain", remedy
