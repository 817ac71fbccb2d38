"""The database answers, and has the shape that this version needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from bot.doctor.examine import DATABASE, Fault, Patient
from bot.store.engine import file_of
from bot.store.migrate import state_of

NEEDS: frozenset[str] = frozenset()


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
        yield f"the database does not answer: {why}", "start it, or mend BURN_TRIAGE_DATABASE_URL"
        return
    if state == "newer":
        yield "the database was written by a newer version", "install that version of burn-triage again"
    elif state != "current":
        yield (
            "the database has the shape of an older version",
            "start `burn-triage run` (or `serve`): it brings it up to date",
        )
    else:
        patient.reachable.add(DATABASE)
