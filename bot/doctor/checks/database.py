"""The database answers, has the shape that this version needs, and room to grow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from bot.doctor.examine import DATABASE, Fault, Patient
from bot.health import free_bytes
from bot.store.engine import AWAY, BUSY, DAMAGED, FAILING, FULL, READ_ONLY, file_of, trouble
from bot.store.migrate import state_of

NEEDS: frozenset[str] = frozenset()
LEAST_FREE = 100 << 20
"""Bytes: some days of deliveries, so that there is time to make room."""

REMEDIES = {
    AWAY: "start it, or mend BURN_TRIAGE_DATABASE_URL",
    BUSY: "find out who holds it: a copy or a tool that was left open; `burn-triage backup` holds nobody up",
    FULL: "make room; nothing has to be started anew",
    FAILING: "move to another disk, then `burn-triage restore` the newest backup",
    READ_ONLY: "give the file and its folder to the user that the service runs as",
    DAMAGED: "stop the workers, then `burn-triage restore` the newest backup",
}


def check(patient: Patient) -> Iterator[Fault]:
    """Open it without changing anything."""
    file = file_of(patient.settings.database_url)
    if file is not None and not Path(file).exists():
        yield f"there is no database yet at {file}", "start `burn-triage run`, which makes it"
        return
    try:
        state = state_of(patient.engine())
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", error)).strip().split("\n")[0]
        yield f"the database does not answer: {why}", REMEDIES[trouble(error) or AWAY]
        return
    if file is not None and (free := free_bytes(file)) < LEAST_FREE:
        yield f"the disk of {file} has room for {free / (1 << 20):.0f} MiB only", REMEDIES[FULL]
    if state == "newer":
        yield "the database was written by a newer version", "install that version of burn-triage again"
    elif state != "current":
        yield (
            "the database has the shape of an older version",
            "start `burn-triage run` (or `serve`): it brings it up to date",
        )
    else:
        patient.reachable.add(DATABASE)
