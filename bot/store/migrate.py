"""Bringing a database to the shape this version needs: our tables with Alembic, then the job engine's own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from dbos import DBOS
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from bot.errors import UserError
from bot.store.engine import DEADLOCK, is_sqlite

_LOCK = 0x6275726E  # one number for all our processes: who migrates on PostgreSQL
TRIES = 5
"""To migrate beside workers of the release before, each after a deadlock with one of them."""


def migrate(engine: Engine) -> None:
    """Bring the database up to date. Safe to call from several processes at once, and when there is nothing to do.

    UserError when the database was written by a newer version.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            _upgrade(engine)
            break
        except OperationalError as error:
            # Of two that waited for each other PostgreSQL ended one: nothing of it was done, and the other goes on.
            if not tries_left or getattr(error.orig, "sqlstate", None) != DEADLOCK:
                raise
    logging.getLogger("dbos").setLevel(logging.WARNING)
    DBOS.migrate(engine.url.render_as_string(hide_password=False))


def _upgrade(engine: Engine) -> None:
    with _alone(engine) as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        refuse_newer(connection, config)
        command.upgrade(config, "head")


def alembic_config() -> Config:
    """Alembic pointed at the migrations inside the package; no ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def known_revisions(config: Config) -> set[str]:
    """Every revision of our tables that this version can bring up to date."""
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def refuse_newer(connection: Connection, config: Config) -> None:
    """UserError when the database holds a revision that this version does not know."""
    present = MigrationContext.configure(connection, opts={"version_table": "schema_version"}).get_current_revision()
    if present is not None and present not in known_revisions(config):
        raise UserError(
            "database_newer",
            f"the database is at revision {present}, written by a newer burn-triage: install that version again",
        )


def state_of(engine: Engine) -> str:
    """ "current", "older" (an empty database too) or "newer" than this version. Changes nothing.

    SQLAlchemyError where it does not answer.
    """
    scripts = ScriptDirectory.from_config(alembic_config())
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "schema_version"})
        present = context.get_current_revision()
    if present == scripts.get_current_head():
        return "current"
    return "older" if present in {None, *(s.revision for s in scripts.walk_revisions())} else "newer"


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """A transaction that no other migrating process shares."""
    with engine.connect() as connection:
        if is_sqlite(engine):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        yield connection
        connection.commit()
