"""Put a backup back in place of the SQLite database. Stop the workers first.

What came after the backup is found again: deliveries of the last three days in GitHub's own log, older changes by the
walk through the issue lists. Comments that were posted meanwhile are recognised by their marker, so nothing is posted
twice. Refused while a worker is alive, and, without --force, where the present database holds newer deliveries than the
backup. A PostgreSQL database comes back by `pg_restore --clean --if-exists --dbname="$BURN_TRIAGE_DATABASE_URL" FILE`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.errors import UserError
from bot.settings import Settings, read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `restore`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="what `burn-triage backup` wrote")
    parser.add_argument("--force", action="store_true", help="also over a database with newer deliveries")


def run(args: argparse.Namespace) -> int:
    """Check, put back, bring up to date."""
    from bot.cli._database import sqlite_file
    from bot.clock import iso
    from bot.store.backup import bring_back, contents
    from bot.wiring import open_database

    settings = read_settings()
    dump = 'pg_restore --clean --if-exists --dbname="$BURN_TRIAGE_DATABASE_URL" FILE'
    database = sqlite_file(settings, dump)
    file = args.file.expanduser()
    found = contents(file)
    _refuse_if_unknown(found.revision)
    if database.exists() and file.samefile(database):
        raise UserError("same_file", f"{file} is the database itself; give a backup")
    if database.exists() and database.stat().st_size:
        _make_room(settings, database, found.newest or 0.0, force=args.force)
    open_database(settings).dispose()
    bring_back(file, database)
    open_database(settings).dispose()
    until = iso(found.newest) if found.newest else "the beginning"
    print(f"{database}: {found.deliveries} deliveries, the newest of {until}; start burn-triage again")
    return 0


def _refuse_if_unknown(revision: str) -> None:
    from bot.store.migrate import alembic_config, known_revisions

    if revision not in known_revisions(alembic_config()):
        raise UserError(
            "backup_newer", f"the backup is at revision {revision}, of a newer burn-triage: install that one"
        )


def _make_room(settings: Settings, database: Path, newest: float, *, force: bool) -> None:
    from bot.store.backup import contents, set_aside

    try:
        present = contents(database)
    except UserError:
        print(f"the present database cannot be read: it is {set_aside(database)} now")
        return
    _refuse_if_at_work(settings)
    if (present.newest or 0.0) > newest and not force:
        raise UserError(
            "database_newer",
            f"{database} holds deliveries that are newer than the backup; back it up first, then give --force",
        )


def _refuse_if_at_work(settings: Settings) -> None:
    from bot.clock import SystemClock
    from bot.lease import is_dead
    from bot.store import executors
    from bot.wiring import open_database

    engine, now = open_database(settings), SystemClock().now()
    with engine.connect() as conn:
        held = [one.id for one in executors.leases(conn) if one.expires_at > now and not is_dead(one)]
    engine.dispose()
    if held:
        names = ", ".join(held)
        raise UserError("workers_alive", f"{names} at work on this database: stop `burn-triage work` or `run` first")
