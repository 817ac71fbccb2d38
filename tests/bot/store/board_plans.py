"""How the database means to find the rows of a query: nothing but indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

FEW = ("ix_deliveries_parked", "ix_deliveries_waiting", "ix_deliveries_found")
"""Indexes of few rows: walking one of these is no walk through its table."""


@contextmanager
def statements(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """Every SELECT that is sent meanwhile, with its parameters."""
    seen: list[tuple[str, Any]] = []

    def note(_conn: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            seen.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def whole_walks(engine: Engine, ask: Callable[[Connection], object], tables: tuple[str, ...]) -> list[str]:
    """Steps of the plans of everything that `ask` sends which read one of these tables from end to end."""
    with engine.connect() as conn, statements(engine) as seen:
        ask(conn)
        sent = list(seen)
    assert sent
    found = []
    with engine.connect() as conn:
        if conn.dialect.name == "postgresql":
            # A small table is read whole whatever indexes it has: ask what is done where that costs.
            conn.exec_driver_sql("SET enable_seqscan = off")
        for statement, parameters in sent:
            found += [step for step in _plan(conn, statement, parameters) if _is_walk(step, tables)]
    return found


def _plan(conn: Connection, statement: str, parameters: Any) -> list[str]:
    if conn.dialect.name == "sqlite":
        return [str(row[3]) for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    return [str(row[0]) for row in conn.exec_driver_sql(f"EXPLAIN {statement}", parameters)]


def _is_walk(step: str, tables: tuple[str, ...]) -> bool:
    words = step.replace("USING COVERING INDEX", "USING INDEX").split()
    if "SCAN" in words[:1] and "VIRTUAL" not in words:  # SQLite
        return words[1] in tables and words[-1] not in FEW
    return "Seq Scan on" in step and any(f"Seq Scan on {table}" in step for table in tables)
