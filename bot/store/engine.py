"""Opening the database: SQLite in a file, or PostgreSQL. Nothing else in the code differs between the two."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import (
    DBAPIError,
    DisconnectionError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,
)

from bot.errors import UserError
from bot.store.turns import connector

BUSY_SECONDS = 30.0
"""How long a SQLite connection waits for another writer."""

RECEIVER_BUSY_SECONDS = 8.0
"""GitHub gives up after ten seconds; the receiver must have said 503 by then."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a database cannot be used: a reason code, and words for /readyz."""

    reason: str
    words: str


AWAY = Trouble("database_away", "the database is away")
BUSY = Trouble("database_busy", "the database is busy")
FULL = Trouble("disk_full", "the disk is full")
FAILING = Trouble("disk_failing", "the disk does not take what is written")
READ_ONLY = Trouble("database_read_only", "the database cannot be written")
DAMAGED = Trouble("database_damaged", "the database is damaged")

TROUBLES = frozenset(trouble.reason for trouble in (AWAY, BUSY, FULL, FAILING, READ_ONLY, DAMAGED))

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: FAILING,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: AWAY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}

DEADLOCK = "40P01"

_BY_SQLSTATE = {
    "53100": FULL,
    "25006": READ_ONLY,
    "58030": FAILING,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    # Two waited for each other and this one was ended, as forgetting and a job may be.
    DEADLOCK: BUSY,
}
"""PostgreSQL's own codes (docs: Appendix A)."""

LEAST_SQLITE = (3, 35, 0)
"""RETURNING came with it, which ours and the job engine's statements need."""

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
        hide_parameters=True,
        connect_args={"connect_timeout": 5},
    )


def _open_sqlite(url: URL, busy_seconds: float, pool_size: int) -> Engine:
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        raise UserError(
            "sqlite_too_old",
            f"this Python has SQLite {sqlite3.sqlite_version}, and {'.'.join(map(str, LEAST_SQLITE))} is the oldest "
            "that works: take a newer Python or system, or set BURN_TRIAGE_DATABASE_URL to a PostgreSQL database.",
        )
    path = Path(url.database or "")
    create_private_file(path)
    factory: Any = connector(busy_seconds)

    def connect() -> sqlite3.Connection:
        # Without leave to create: a file that has vanished must not come back empty.
        address = f"file:{quote(str(path))}?mode=rw"
        made: sqlite3.Connection = sqlite3.connect(
            address, uri=True, timeout=busy_seconds, check_same_thread=False, factory=factory
        )
        return made

    engine = create_engine(
        url,
        creator=connect,
        pool_size=pool_size,
        max_overflow=pool_size * 4,
        pool_timeout=busy_seconds,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: Any) -> None:
        record.info["file"] = _identity(path)
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

    @event.listens_for(engine, "checkout")
    def is_in_place(_connection: sqlite3.Connection, record: Any, _proxy: Any) -> None:
        # SQLite writes on into a file that was moved or deleted, where nobody would find it.
        if record.info["file"] != _identity(path):
            raise DisconnectionError(f"{path} is another file by now")

    @event.listens_for(engine, "handle_error")
    def passes(context: ExceptionContext) -> None:
        # The job engine waits and tries again when a connection is lost, and gives the job up at any other error.
        if _sqlite_trouble(context.original_exception) not in (None, BUSY):
            _let_go(context)
            context.is_disconnect = True

    return engine


def _let_go(context: ExceptionContext) -> None:
    """Give the write lock back: a connection that is closed with a statement open holds it on as long as that lives."""
    with suppress(sqlite3.Error):
        if context.execution_context is not None:
            context.execution_context.cursor.close()
        if context.connection is not None and context.connection.connection.dbapi_connection is not None:
            context.connection.connection.dbapi_connection.rollback()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sqlite_trouble(error: BaseException | None) -> Trouble | None:
    # The low byte of an extended code is the plain one.
    return _BY_SQLITE_CODE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


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


def file_of(url: str) -> str | None:
    """The path of an embedded database, None for a server."""
    parsed = make_url(url)
    return parsed.database if parsed.get_backend_name() == "sqlite" else None


def is_sqlite(engine: Engine) -> bool:
    """Is it the embedded database?"""
    return engine.dialect.name == "sqlite"


def trouble(error: SQLAlchemyError) -> Trouble | None:
    """What ails the database itself, None when it refused what it was told. Then a later try may succeed."""
    if isinstance(error, DBAPIError):
        known = _sqlite_trouble(error.orig) or _BY_SQLSTATE.get(getattr(error.orig, "sqlstate", None) or "")
        if known:
            return known
    return AWAY if isinstance(error, OperationalError | InterfaceError | TimeoutError | DisconnectionError) else None
