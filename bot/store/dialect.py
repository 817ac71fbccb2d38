"""What both databases have, each in its own way: INSERT … ON CONFLICT, and whole numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Executable, Integer, Table, cast, func
from sqlalchemy.dialects import postgresql, sqlite

Item = TypeVar("Item")

CHUNK = 500
"""Values named in one statement: far below what either database takes."""


def insert(conn: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT of this connection's dialect.

    Ask `RETURNING` whether a row was written: `rowcount` is -1 on PostgreSQL for new and repeated rows alike.
    """
    return insert_for(conn.dialect.name, table)


def insert_for(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """The same for a dialect by name."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


def upsert(conn: Connection, table: Table, keys: list[str], values: dict[str, Any]) -> None:
    """Insert, or overwrite what is not a key. A field whose value is None is overwritten too."""
    conn.execute(_upsertion(conn.dialect.name, table, tuple(keys), tuple(values)), values)


@cache
def _upsertion(dialect: str, table: Table, keys: tuple[str, ...], names: tuple[str, ...]) -> Executable:
    """Built once: to build it costs more than to run it."""
    statement = insert_for(dialect, table)
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


def whole(conn: Connection, number: ColumnElement[Any]) -> ColumnElement[int]:
    """The whole part of a number that is not negative. SQLite's CAST cuts, PostgreSQL's rounds."""
    return cast(number if conn.dialect.name == "sqlite" else func.floor(number), Integer)


def chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items in lists of `CHUNK` at most."""
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]


def seconds(value: object) -> float | None:
    """A moment as a row holds it; None for none, and for garbage, which SQLite takes into any column."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
