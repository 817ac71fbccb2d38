"""Fixtures that many tests share: a clock of our own, and both databases, migrated, one for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.store.engine import open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.databases import PostgresServer, SqliteFiles, postgres_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that start processes or a browser come first: they wait for much, and the last to end would end alone."""
    long = {item.path for item in items if any(item.iter_markers("e2e"))}
    long |= {item.path for item in items if any(item.iter_markers("page"))}
    long |= {item.path for item in items if item.path.parent == Path(__file__).parent}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def sqlite_files(tmp_path_factory: pytest.TempPathFactory) -> SqliteFiles:
    return SqliteFiles(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of this test process; BURN_TRIAGE_TEST_POSTGRES_URL names another."""
    given = os.environ.get("BURN_TRIAGE_TEST_POSTGRES_URL")
    prefix = "test_" + os.environ.get("PYTEST_XDIST_WORKER", "main")
    with postgres_server(given, prefix) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A migrated database of its own for each test, once on either engine."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_files").make(tmp_path))
    # It is not dropped: that costs a checkpoint, and the server ends with the tests.
    return str(request.getfixturevalue("postgres").make())


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    yield engine
    engine.dispose()
