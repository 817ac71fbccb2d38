"""Nobody but their owner can read the files that hold secrets."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from bot.doctor.examine import Fault, Patient
from bot.store.engine import file_of

NEEDS: frozenset[str] = frozenset()
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check(patient: Patient) -> Iterator[Fault]:
    """Credentials, key files, and the database: it holds payloads."""
    database = file_of(patient.settings.database_url)
    for file in (*patient.secret_files, *((Path(database),) if database else ())):
        if file.exists() and (mode := stat.S_IMODE(file.stat().st_mode)) & OTHERS:
            yield f"{file} has mode {mode:04o}: others can get at it", f"chmod 600 {file}"
