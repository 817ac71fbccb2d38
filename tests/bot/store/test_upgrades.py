"""From every release on: a database of it is brought up to date with all its rows, and the product works on it; code of
that release, still running beside, loses nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, insert, update
from werkzeug.test import Client

from bot.clock import SystemClock
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.metrics import metrics_app
from bot.status import read_status
from bot.store import deliveries, issues
from bot.store.engine import open_engine
from bot.store.migrate import migrate
from tests.bench.bench_jobs import accept
from tests.bot.store.upgrading import (
    PLAIN,
    VERSIONS,
    fill,
    revisions,
    rows_of,
    shrinking,
    tables_at,
    upgrade_to,
)

EARLIER = revisions()[:-1]
LANDED = {
    "m0001_first.py": "c2ffd01c58bcc6de587a67832d60485869239f95afd982c1a764a250ccf558cb",
    "m0002_feedback.py": "65e3ca657f1cf7c2c4f0d97c24ea6b24aa1afe5bbdad2fb58ac240207afcf3d1",
    "m0003_alarms.py": "c66a7ce8fdbbdaafabbdcc7e9c6f9fd282efe98008b6f4510f2a21b16213b45d",
    "m0004_dashboard.py": "b2da187066f327c80c1f37953fb3d72a97423b85d946418167573aa4ff29e7fa",
    "m0005_dashboard_indexes.py": "8273be6ad016a595f770768651257566f791105b2ceefda7f8e2a41a157714fa",
    "m0006_board_lists.py": "e03cf51737591951ffa19c8575bf615a8537b5cfddcebb823a4c537017148ab4",
}
"""SHA-256 of migrations that databases out there have run: to change one changes nothing in them."""


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path) -> Iterator[Engine]:
    sqlite = request.param == "sqlite"
    engine = open_engine(f"sqlite:///{tmp_path}/old.db" if sqlite else request.getfixturevalue("postgres").make_empty())
    yield engine
    engine.dispose()


@pytest.mark.parametrize("revision", EARLIER)
def test_every_row_of_an_earlier_release_is_there_after_the_upgrade(empty: Engine, revision: str):
    upgrade_to(empty, revision)
    tables = tables_at(empty)
    fill(empty, tables)
    before = rows_of(empty, tables)
    assert [name for name, rows in before.items() if len(rows) != 1] == []
    migrate(empty)
    assert rows_of(empty, tables) == before


@pytest.mark.parametrize("revision", EARLIER)
def test_the_product_works_on_an_upgraded_database(empty: Engine, revision: str):
    """What was there is read as it was meant, and the next delivery goes in."""
    upgrade_to(empty, revision)
    fill(empty, tables_at(empty))
    migrate(empty)
    accept(Inbox(empty, JobQueue(empty), SystemClock()), 8)
    with empty.connect() as conn:
        memory = issues.read(conn, PLAIN["repo_id"], PLAIN["issue_id"])
        states = sorted(row.state for row in deliveries.recent(conn))
        waiting = read_status(conn, SystemClock().now()).waiting
    text = Client(metrics_app(empty, SystemClock())).get("/metrics").text
    assert memory is not None
    assert (memory.state, memory.comment_id, memory.answer) == ("answer", 900, "matched|KB-0001|x")
    assert (states, waiting, "burn_triage_database_up 1.0" in text) == (["done", "queued"], 1, True)


@pytest.mark.parametrize("revision", EARLIER)
def test_code_of_an_earlier_release_goes_on_beside_the_new_one(empty: Engine, revision: str):
    """It knows the tables as they were; what it writes into the new ones, the new code takes up."""
    upgrade_to(empty, revision)
    old = tables_at(empty)
    migrate(empty)
    fill(empty, old)
    table = old.tables["deliveries"]
    with empty.begin() as conn:
        second = {**dict(rows_of(empty, old)["deliveries"][0]), "id": 2, "guid": "second", "state": "queued"}
        conn.execute(insert(table).values({**second, "settled_at": None}))
        conn.execute(update(old.tables["issues"]).values(memory={**PLAIN["memory"], "muted": True}))
    with empty.connect() as conn:
        found = {row.delivery.guid: row.state for row in deliveries.recent(conn)}
        memory = issues.read(conn, PLAIN["repo_id"], PLAIN["issue_id"])
    assert (found, memory and memory.muted) == ({PLAIN["guid"]: "done", "second": "queued"}, True)


def test_migrations_only_add():
    found = {path.name: list(shrinking(path.read_text("utf-8"))) for path in sorted(VERSIONS.glob("m*.py"))}
    assert len(found) == len(revisions())
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        'op.drop_table("issues")',
        'op.drop_column("issues", "memory")',
        'op.alter_column("issues", "memory", new_column_name="state")',
        'op.add_column("issues", sa.Column("x", sa.Integer(), nullable=False))',
        'op.create_index("ix", "issues", ["x"], unique=True)',
        'op.execute("DELETE FROM issues")',
        'op.execute(sa.text("alter table issues drop x"))',
        'with op.batch_alter_table("issues") as batch:\n    pass',
    ],
)
def test_what_old_code_could_trip_over_is_found(line: str):
    assert len(list(shrinking(line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        'op.add_column("issues", sa.Column("x", sa.Integer(), nullable=True))',
        'op.add_column("issues", sa.Column("x", sa.Integer(), server_default="0", nullable=False))',
        'op.drop_index("ix", "issues")',
        'op.create_index("ix", "issues", ["x"], unique=False)',
    ],
)
def test_what_old_code_does_not_notice_is_let_pass(line: str):
    assert list(shrinking(line)) == []


@pytest.mark.parametrize("name", LANDED)
def test_a_migration_that_landed_stays_as_it_is(name: str):
    assert hashlib.sha256((VERSIONS / name).read_bytes()).hexdigest() == LANDED[name]
