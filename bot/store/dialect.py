"""INSERT … ON CONFLICT, which both databases have, each under its own name in SQLAlchemy."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


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
    statement = insert(conn, table).values(values)
    changed = {name: statement.excluded[name] for name in values if name not in keys}
    conn.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))
