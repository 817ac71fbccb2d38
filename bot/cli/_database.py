"""The SQLite file of the settings, for commands that work on the file itself."""

from __future__ import annotations

from pathlib import Path

from bot.errors import UserError
from bot.settings import Settings


def sqlite_file(settings: Settings, instead: str) -> Path:
    """Where the database lies. UserError on PostgreSQL, with the command to use `instead`."""
    scheme, _, path = settings.database_url.partition(":///")
    if scheme != "sqlite":
        raise UserError("not_sqlite", f"the database is PostgreSQL, which has a tool of its own: {instead}")
    return Path(path)
