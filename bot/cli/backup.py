"""Copy the SQLite database to a file while everything runs: whole, checked, readable by you alone.

The copy holds no raw payload of a delivery whose work is done. A PostgreSQL database is backed up by its own tool:
`pg_dump --format=custom --file=burn-triage.dump "$BURN_TRIAGE_DATABASE_URL"`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.errors import UserError
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `backup`."""
    parser.add_argument("destination", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(args: argparse.Namespace) -> int:
    """Copy, check, say what is in it."""
    from bot.cli._database import sqlite_file
    from bot.store.backup import back_up

    dump = 'pg_dump --format=custom --file=burn-triage.dump "$BURN_TRIAGE_DATABASE_URL"'
    database = sqlite_file(read_settings(), dump)
    destination = args.destination.expanduser()
    if destination.is_dir():
        raise UserError("destination", f"{destination} is a folder; give the name of a file in it")
    if destination.exists() and (destination.samefile(database) or not args.force):
        raise UserError("destination", f"{destination} is there already; give another name, or --force to replace it")
    found = back_up(database, destination)
    print(
        f"{destination}: {found.deliveries} deliveries, revision {found.revision}, {destination.stat().st_size} bytes"
    )
    return 0
