"""Any value of any row may be garbage: what reads it goes on, and a job ends with a reason that says so."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine
from werkzeug.test import Client

from bot import forgetting
from bot.choices import Choices
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.metrics import metrics_app
from bot.pace import Pace
from bot.ports import ConfigurationFile
from bot.status import read_status
from bot.steps import Steps
from bot.store import (
    alarms,
    chores,
    configurations,
    deliveries,
    executors,
    installations,
    occurrences,
    privacy,
    reactions,
)
from bot.store.budget import Limits
from bot.store.engine import open_engine
from bot.store.schema import metadata
from bot.triage.policy import Mode
from bot.worker import guarded
from tests.bench.bench_jobs import Instant
from tests.bot.store.upgrading import PLAIN, fill, tables_at
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.deliveries import body_of, guid, payload

GARBAGE = ("'garbage{'", "-1e300", "'[1, 2]'")
"""PostgreSQL refuses most of it; SQLite takes anything into any column."""

CELLS = [
    (table.name, column.name)
    for table in metadata.sorted_tables
    for column in table.columns
    if not column.primary_key and not column.foreign_keys
]


class Github(Instant):
    def read_configuration(self, repo: str, **_: Any) -> ConfigurationFile | None:
        return ConfigurationFile(None, "", "")


@pytest.fixture(scope="module")
def sound(sqlite_files: SqliteFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a row in every table."""
    url = sqlite_files.make(tmp_path_factory.mktemp("sound"))
    engine = open_engine(url)
    fill(engine, tables_at(engine))
    with engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return Path(url.removeprefix("sqlite:///"))


@contextmanager
def damaged(sound: Path, folder: Path, table: str, column: str, garbage: str) -> Iterator[Engine | None]:
    """A copy with garbage in that column; None where the database refuses it."""
    file = folder / f"{table}-{column}.db"
    shutil.copy(sound, file)
    with sqlite3.connect(file, isolation_level=None) as raw:
        try:
            raw.execute(f"UPDATE {table} SET {column} = {garbage}")
        except sqlite3.IntegrityError:
            yield None
            return
    engine = open_engine(f"sqlite:///{file}")
    yield engine
    engine.dispose()


def readers(clock: FakeClock) -> list[Callable[[Connection], object]]:
    """What runs by itself, or says how it stands."""
    return [
        lambda conn: read_status(conn, clock.now()),
        lambda conn: deliveries.recent(conn),
        lambda conn: alarms.standing(conn),
        lambda conn: occurrences.repeated(conn),
        lambda conn: reactions.due(conn, before=1e12, limit=9),
        lambda conn: configurations.every(conn),
        lambda conn: installations.repositories_in_use(conn),
        lambda conn: chores.all_chores(conn),
        lambda conn: executors.leases(conn),
        lambda conn: privacy.forget_person(conn, "nobody", clock.now()),
        lambda conn: installations.drop_late(conn, clock.now()),
        lambda conn: deliveries.drop_payloads(conn, before=clock.now()),
    ]


def job(engine: Engine, clock: FakeClock) -> list[str]:
    """Run one on the issue of the rows; the reasons for which a step did not succeed."""
    github: Any = Github()
    pace = Pace(engine, clock, Limits(0, 100, 1000), lambda: True)
    rules = Choices(engine, clock, github, Mode.ON, 300.0, clock.now()).rules
    steps = Steps(engine, clock, github, github, github, lambda _: None, pace, rules=rules)  # type: ignore[arg-type, return-value]
    issue = {"number": 7, "id": PLAIN["issue_id"], "created_at": "2026-11-30T10:00:00Z"}
    repository = {"id": PLAIN["repo_id"], "full_name": "tracel-ai/burn"}
    values = payload(issue=issue, repository=repository, installation={"id": 1})
    delivery = describe(values, event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, JobQueue(engine), clock).accept(delivery, body_of(values))
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert stored is not None
    plan = guarded(steps.decide, 0, 8, stored.id)
    ended = [plan]
    if "value" in plan:
        for n, action in enumerate(plan["value"]["actions"]):
            ended.append(guarded(steps.publish, 0, 8, stored.id, n, plan["value"]["target"], action))
        ended.append(guarded(steps.finish, 0, 8, stored.id, plan["value"], [], 0))
    return [outcome["reason"] for outcome in ended if "value" not in outcome]


def faults(engine: Engine, clock: FakeClock) -> Iterator[str]:
    for number, read in enumerate(readers(clock)):
        try:
            with engine.connect() as conn:
                read(conn)
        except Exception as error:  # noqa: BLE001 -- that is the question
            yield f"reader {number}: {error!r}"
    forgetting.clear(engine, JobQueue(engine), clock)
    if "database_up 1.0" not in Client(metrics_app(engine, clock)).get("/metrics").text:
        yield "/metrics"
    yield from (reason for reason in job(engine, clock) if reason != "memory_damaged")


def test_garbage_in_any_cell_stops_nothing_that_runs_by_itself(sound: Path, tmp_path: Path, clock: FakeClock):
    """Each cell with one kind of garbage, each kind in a third of the cells: the product takes a minute."""
    found = []
    for (table, column), garbage in zip(CELLS, itertools.cycle(GARBAGE), strict=False):
        with damaged(sound, tmp_path, table, column, garbage) as engine:
            found += [(table, column, fault) for fault in faults(engine, clock)] if engine else []
    assert found == []
