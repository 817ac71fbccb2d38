"""Opening the database: SQLite in a file, or PostgreSQL. Nothing else in the code differs between the two."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError, TimeoutError

from bot.errors import UserError

BUSY_SECONDS = 30.0
"""How long a SQLite connection waits for another writer."""

RECEIVER_BUSY_SECONDS = 8.0
"""GitHub gives up after ten seconds; the receiver must have said 503 by then."""

_UNIXEPOCH_SINCE = (3, 42, 0)
"""`unixepoch('subsec')`, which the job engine stamps rows with, came with SQLite 3.42."""


def open_engine(url: str, *, busy_seconds: float = BUSY_SECONDS, pool_size: int = 10) -> Engine:
    """An engine for our tables and the job engine's alike (they share transactions, so they share the database).

    `url` as `bot.settings` checked it. Opens no connection yet: make it after the fork. A SQLite file is created with
    mode 0600, its folder with 0700. UserError where the file cannot be made.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _open_sqlite(parsed, busy_seconds, pool_size)
    return create_engine(
        parsed,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=busy_seconds,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5},
    )


def _open_sqlite(url: URL, busy_seconds: float, pool_size: int) -> Engine:
    create_private_file(Path(url.database or ""))
    engine = create_engine(url, pool_size=pool_size, max_overflow=pool_size * 4, pool_timeout=busy_seconds)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        # Deferred transactions that turn into writers fail at once when somebody else writes; IMMEDIATE ones queue.
        connection.isolation_level = "IMMEDIATE"
        connection.execute(f"PRAGMA busy_timeout={int(busy_seconds * 1000)}")
        connection.execute("PRAGMA journal_mode=WAL")
        # A 202 promises that the delivery is on the disk, power cut or not.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        # Four times the default: the same few index pages are written by every delivery, and go home less often.
        connection.execute("PRAGMA wal_autocheckpoint=4000")
        if sqlite3.sqlite_version_info < _UNIXEPOCH_SINCE:
            connection.create_function("unixepoch", -1, _unixepoch)

    return engine


def _unixepoch(*args: str) -> float | int | None:
    """SQLite 3.42's `unixepoch()` for the two calls that the job engine makes: now, with or without fractions."""
    if args == ("subsec",):
        return time.time()
    return int(time.time()) if not args else None


def create_private_file(path: Path) -> None:
    """Make the database's folder (0700) and file (0600) where they are missing. UserError with the remedy if not."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise UserError(
            "database_file",
            f"cannot open the database file {path}: {error.strerror}. Set BURN_TRIAGE_DATABASE_URL to another place.",
        ) from error


def is_sqlite(engine: Engine) -> bool:
    """Is it the embedded database?"""
    return engine.dialect.name == "sqlite"


def is_away(error: SQLAlchemyError) -> bool:
    """Does the database not answer (rather than refuse what it was told)? Then a later try may succeed."""
    return isinstance(error, OperationalError | InterfaceError | TimeoutError)
