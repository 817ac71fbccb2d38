"""The migrations make the tables that the code knows, on both databases, from nothing and again."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from bot.errors import UserError
from bot.store.engine import open_engine
from bot.store.migrate import migrate
from bot.store.schema import metadata


def test_the_migrated_tables_are_those_of_the_schema(engine: Engine):
    options = {"target_metadata": metadata, "include_name": _ours, "version_table": "schema_version"}
    with engine.connect() as conn:
        differences = compare_metadata(MigrationContext.configure(conn, opts=options), metadata)
    assert differences == []


def _ours(name: str | None, kind: str, parents: object) -> bool:
    return kind != "table" or name in metadata.tables


def test_migrating_again_changes_nothing(engine: Engine):
    before = inspect(engine).get_table_names()
    migrate(engine)
    assert inspect(engine).get_table_names() == before


def test_a_database_of_a_newer_version_is_refused(engine: Engine):
    with engine.begin() as conn:
        conn.execute(text("UPDATE schema_version SET version_num = '9999'"))
    with pytest.raises(UserError, match="9999, written by a newer burn-triage"):
        migrate(engine)


def test_an_empty_postgresql_database_is_migrated_by_two_at_once(postgres):
    from concurrent.futures import ThreadPoolExecutor

    url = postgres.make_empty()
    engines = [open_engine(url) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(migrate, engines))
    tables = inspect(engines[0]).get_table_names()
    for engine in engines:
        engine.dispose()
    assert set(metadata.tables) <= set(tables)


def test_the_sqlite_file_and_its_folder_are_private(tmp_path: Path):
    path = tmp_path / "state" / "burn-triage.db"
    open_engine(f"sqlite:///{path}").dispose()
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent)]
    assert modes == [0o600, 0o700]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Set BURN_TRIAGE_DATABASE_URL to another place"):
        open_engine(f"sqlite:///{tmp_path}/file/burn-triage.db")


def test_sqlite_is_durable_and_waits_for_other_writers(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path}/x.db")
    with engine.connect() as conn:
        pragmas = [
            conn.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        ]
        fraction = conn.exec_driver_sql("SELECT typeof(unixepoch('subsec'))").scalar()
    engine.dispose()
    assert (pragmas, fraction) == (["wal", 2, 30_000, 1], "real")


def test_a_sqlite_that_is_too_old_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr("sqlite3.sqlite_version", "3.34.1")
    with pytest.raises(UserError, match=r"has SQLite 3\.34\.1, and 3\.35\.0 is the oldest"):
        open_engine(f"sqlite:///{tmp_path}/x.db")


def test_a_sqlite_without_the_clock_that_the_engine_asks_for_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """On Python 3.12 and later the engine stamps its rows with it, and does not start without."""
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 40, 1))
    engine = open_engine(f"sqlite:///{tmp_path}/x.db")
    with engine.connect() as conn:
        found = [conn.exec_driver_sql(f"SELECT typeof(unixepoch({how}))").scalar() for how in ("", "'subsec'")]
    engine.dispose()
    assert found == ["integer", "real"]
