"""Threads of one process take turns at writing to a SQLite file.

SQLite lets one connection write at a time, and the others ask again and again, with longer and longer pauses: of many
threads some then wait for seconds while the file stands idle. A lock wakes the next one at once. Between processes
SQLite's own waiting remains.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, Self

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
"""Before these the driver begins a transaction by itself (docs: sqlite3, isolation_level)."""


class WritingInTurns(sqlite3.Connection):
    """A connection that waits for its turn before it begins to write, and ends it with its transaction."""

    turn: threading.Lock
    patience: float
    """Seconds to wait for the turn."""
    mine: bool = False

    def cursor(self, factory: Any = None) -> Any:
        """A cursor that asks for the turn."""
        return super().cursor(factory or _Cursor)

    def take_turn(self, sql: str) -> None:
        """Wait for the turn if this statement begins a transaction. OperationalError as when SQLite itself gives up."""
        if self.mine or self.in_transaction or not sql.lstrip()[:7].upper().startswith(_WRITES):
            return
        if not self.turn.acquire(timeout=self.patience):
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_BUSY, "SQLITE_BUSY"
            raise error
        self.mine = True

    def end_turn(self) -> None:
        """Let the next one write, unless a transaction of ours is open."""
        if self.mine and not self._is_writing():
            self.mine = False
            self.turn.release()

    def commit(self) -> None:
        """Commit, and end the turn."""
        try:
            super().commit()
        finally:
            self.end_turn()

    def rollback(self) -> None:
        """Roll back, and end the turn."""
        try:
            super().rollback()
        finally:
            self.end_turn()

    def close(self) -> None:
        """Close, and end the turn."""
        try:
            super().close()
        finally:
            self.end_turn()

    def _is_writing(self) -> bool:
        try:
            return self.in_transaction
        except sqlite3.ProgrammingError:  # closed
            return False


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, parameters: Any = ()) -> Self:
        connection: Any = self.connection
        connection.take_turn(sql)
        try:
            return super().execute(sql, parameters)
        finally:
            connection.end_turn()

    def executemany(self, sql: str, parameters: Any) -> Self:
        connection: Any = self.connection
        connection.take_turn(sql)
        try:
            return super().executemany(sql, parameters)
        finally:
            connection.end_turn()


def connector(patience: float) -> Callable[..., WritingInTurns]:
    """A `factory` for `sqlite3.connect`, whose connections share one turn."""
    turn = threading.Lock()

    def make(*args: Any, **settings: Any) -> WritingInTurns:
        connection = WritingInTurns(*args, **settings)
        connection.turn, connection.patience = turn, patience
        return connection

    return make
