"""Migrations on PostgreSQL while workers of the release before write: neither ends the other for good."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest
from sqlalchemy import Connection, Engine, text

from bot.store.engine import open_engine
from bot.store.migrate import migrate
from tests.bot.store.upgrading import fill, tables_at, upgrade_to

WAITING = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND database = "
               "(SELECT oid FROM pg_database WHERE datname = current_database())")  # fmt: skip
PATIENT = text("SET LOCAL deadlock_timeout = '1h'")
"""Who is patient does not look whether others wait for it: PostgreSQL ends one who looks."""


@pytest.fixture
def old(postgres) -> Iterator[Engine]:
    engine = open_engine(postgres.make_empty())
    upgrade_to(engine, "0007")
    fill(engine, tables_at(engine))
    yield engine
    engine.dispose()


def wait_for_a_lock(engine: Engine) -> None:
    with engine.connect() as conn:
        assert any(conn.execute(WAITING).scalar() for _ in repeat(None, 20_000))


def counted(engine: Engine) -> list[tuple[bool, bool]]:
    with engine.connect() as conn:
        rows = conn.execute(text("SELECT answered, panic FROM first_looks ORDER BY issue_id"))
        return [(row.answered, row.panic) for row in rows]


def test_a_job_that_ends_meanwhile_goes_on(old: Engine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.store.migrate.TRIES", 1)
    with ThreadPoolExecutor(1) as pool:
        with old.begin() as job:
            job.execute(text("UPDATE answers SET decided = 'set'"))
            migrating = pool.submit(migrate, old)
            wait_for_a_lock(old)
            write_verdict(job)
        migrating.result()
    assert counted(old) == [(False, True), (False, False)]


def test_a_migration_that_was_ended_for_a_deadlock_begins_again(old: Engine):
    with ThreadPoolExecutor(1) as pool:
        with old.begin() as other:
            other.execute(PATIENT)
            write_verdict(other)
            migrating = pool.submit(migrate, old)
            wait_for_a_lock(old)
            other.execute(text("DELETE FROM answers"))
        migrating.result()
    assert counted(old) == [(False, True), (False, False)]


def write_verdict(conn: Connection) -> None:
    """One of another issue; its delivery is there already, and its lock is of no matter."""
    conn.execute(
        text(
            "INSERT INTO deliveries (guid, body_hash, event, action, sender_is_bot, received_at, state) "
            "VALUES ('second', '', 'issues', 'edited', false, 1, 'queued')"
        )
    )
    conn.execute(
        text(
            "INSERT INTO verdicts (delivery_id, repo_id, issue_id, repo, number, outcome, catalog, reason, verdict, "
            "created_at) SELECT max(id), 5, 71, 'o/r', 8, 'unknown', '', '', '{}', 2 FROM deliveries"
        )
    )
