"""A copy of a SQLite database while it is in use, and back.

Both our tables and the job engine's are in the one file, and SQLite's online backup copies it as it stood at one moment
(sqlite.org/backup.html).

A copy holds no raw payload of a delivery whose work is done: those are kept for hours, a backup for longer.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import UserError

BUSY_SECONDS = 30.0
SKIPPED_ROWS = 1_000_000
"""Row numbers of deliveries that a restored database leaves out: those given after the backup stand in comments."""

_NEEDED = {"schema_version", "deliveries", "issues", "intents", "workflow_status"}


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database file holds, in short."""

    revision: str
    """Of our tables."""
    deliveries: int
    newest: float | None
    """When the newest delivery came, seconds since 1970."""


def back_up(database: Path, destination: Path) -> Contents:
    """Copy the database to `destination` (mode 0600), which is there whole or not at all.

    UserError where one of them cannot be used.
    """
    if not database.is_file():
        raise UserError("no_database", f"there is no database at {database}: has burn-triage run on this machine?")
    partial = destination.with_name(f"{destination.name}.partial")
    with _readable_errors(destination):
        with suppress(FileNotFoundError):
            partial.unlink()
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            with closing(_open(database)) as source, closing(_open(partial)) as copy:
                source.backup(copy)
                _make_portable(copy)
            found = contents(partial)
            _sync(partial)
            partial.replace(destination)
            _sync(destination.parent)
        finally:
            partial.unlink(missing_ok=True)
    return found


def contents(file: Path) -> Contents:
    """What a file holds. UserError where it is no whole database of ours."""
    remedy = "give a file that `burn-triage backup` wrote"
    if not file.is_file():
        raise UserError("no_backup", f"there is no file {file}; {remedy}")
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as conn:
            sound = conn.execute("PRAGMA integrity_check").fetchone()[0]
            if sound != "ok" or not _tables(conn) >= _NEEDED:
                raise UserError("not_a_backup", f"{file} is no whole database of burn-triage; {remedy}")
            revision = str(conn.execute("SELECT version_num FROM schema_version").fetchone()[0])
            count, newest = conn.execute("SELECT count(*), max(received_at) FROM deliveries").fetchone()
    except sqlite3.DatabaseError as error:
        raise UserError("not_a_backup", f"{file} is no whole database of burn-triage ({error}); {remedy}") from None
    return Contents(revision, int(count), newest)


def bring_back(file: Path, database: Path) -> None:
    """Make the database what `file` holds, in place: a receiver that has it open goes on with the new content.

    `file` is taken for checked (`contents`). UserError where the database cannot be written.
    """
    with _readable_errors(database), closing(_open(file)) as source, closing(_open(database)) as target:
        source.backup(target)
        _skip_rows(target)
        # Whoever held a name then is gone; the jobs of that name are taken up by the next worker that looks.
        target.execute("UPDATE executors SET expires_at = 0")
        # Who signed out since then stays signed out.
        if "sessions" in _tables(target):
            target.execute("DELETE FROM sessions")
        target.commit()
        target.execute("PRAGMA journal_mode=WAL")


def set_aside(database: Path) -> Path:
    """Rename a database that cannot be read, with the files beside it. Where it is now."""
    spoilt = database.with_name(f"{database.name}.spoilt")
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            database.with_name(database.name + suffix).replace(spoilt.with_name(spoilt.name + suffix))
    return spoilt


def _tables(conn: sqlite3.Connection) -> set[str]:
    return {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _skip_rows(conn: sqlite3.Connection) -> None:
    change = "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'deliveries'"
    if not conn.execute(change, (SKIPPED_ROWS,)).rowcount:
        conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('deliveries', ?)", (SKIPPED_ROWS,))


def _make_portable(copy: sqlite3.Connection) -> None:
    """One file instead of three, without the raw payloads that no job needs any more, and without their traces."""
    copy.execute("PRAGMA journal_mode=DELETE")
    copy.execute("UPDATE deliveries SET payload = NULL WHERE settled_at IS NOT NULL AND payload IS NOT NULL")
    copy.commit()
    copy.execute("VACUUM")


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=BUSY_SECONDS)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError("backup_failed", f"cannot write {path}: {error.strerror}; give another place") from None
    except sqlite3.Error as error:
        raise UserError("backup_failed", f"SQLite cannot write {path}: {error}") from None
