"""What is looked up for each job or each minute walks through nothing that grows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection, Engine, event

from bot.store import deliveries

LOOKS: dict[str, Callable[[Connection], object]] = {
    "an installation's own events": lambda conn: deliveries.installation_waits(conn, 11),
    "an issue's later events": lambda conn: deliveries.waits(conn, 5, 70),
    "one delivery": lambda conn: deliveries.read(conn, 1),
    "raw payloads": lambda conn: deliveries.drop_payloads(conn, before=1.0),
    "what led to nothing": lambda conn: deliveries.drop_passing(conn, before=1.0, limit=10),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_it_walks_through_no_table(engine: Engine, look: Callable[[Connection], object]):
    with engine.begin() as conn:
        plans = [line for statement, values in asked(conn, look) for line in plan_of(conn, statement, values)]
    assert plans
    assert [line for line in plans if line.startswith("SCAN") or "Seq Scan" in line] == []


def asked(conn: Connection, look: Callable[[Connection], object]) -> list[tuple[str, object]]:
    """The statements that it sends, with their values."""
    found: list[tuple[str, object]] = []

    def note(_conn: object, _cursor: object, statement: str, values: object, *_: object) -> None:
        found.append((statement, values))

    event.listen(conn, "before_cursor_execute", note)
    look(conn)
    event.remove(conn, "before_cursor_execute", note)
    return found


def plan_of(conn: Connection, statement: str, values: object) -> list[str]:
    """How the database would run it; PostgreSQL is kept from walking through a table because it is small."""
    if conn.dialect.name == "sqlite":
        return [str(row[3]) for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    conn.exec_driver_sql("SET LOCAL enable_seqscan = off")
    return [str(row[0]) for row in conn.exec_driver_sql(f"EXPLAIN {statement}", values)]
