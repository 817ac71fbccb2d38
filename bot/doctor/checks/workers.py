"""Somebody works: a worker is alive, nothing waits for long, chores succeed, no job was given up."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.examine import DATABASE, Fault, Patient
from bot.status import LATE_SECONDS, read_status

NEEDS = frozenset({DATABASE})


def check(patient: Patient) -> Iterator[Fault]:
    """As the inbox stands."""
    with patient.engine().connect() as conn:
        status = read_status(conn, patient.clock.now())
    if not status.workers:
        yield "no worker is alive", "start `burn-triage run`, or `burn-triage work` beside `serve`"
    late = 0.0 if status.oldest_waiting is None else status.now - status.oldest_waiting
    if late > LATE_SECONDS:
        yield (
            f"a delivery waits since {late / 60:.0f} minutes",
            "see the worker's log; start more workers if it does not keep up",
        )
    if status.parked:
        yield (
            f"{status.parked} jobs were given up",
            "`burn-triage jobs list` shows why, `burn-triage jobs retry` tries again",
        )
    for chore in status.chores:
        if chore.reason:
            yield f"{chore.name} failed last time: {chore.reason}", "see the worker's log; it is tried again by itself"
