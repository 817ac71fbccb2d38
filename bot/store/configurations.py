"""What each repository chose, as it was last read; what is in force; and the maintainers' own switch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row, String, select, type_coerce, update

from bot.clock import iso
from bot.store.dialect import seconds, upsert
from bot.store.schema import configurations
from bot.triage.policy import Mode


@dataclass(frozen=True, slots=True)
class StoredConfiguration:
    """One repository's row. Times in seconds since 1970, `on_since` in ISO 8601."""

    repo_id: int
    repo: str
    good: dict[str, Any] | None
    """The last configuration that could be used, as plain JSON; None where there is none."""
    etag: str
    error: str
    """Why the newest file cannot be used, "" where it can."""
    checked_at: float
    in_force: str
    """on, shadow or off: file, default and switch together."""
    on_since: str = ""
    """Since when answers are on, where they were not always."""
    switched_off_by: str = ""
    """Login of the maintainer who switched the bot off, or to another mode, for the whole repository."""
    switched_off_at: float | None = None
    switched_to: str = ""
    """on or shadow where a maintainer chose that, whatever the file says; "" where the file decides, or it is off."""


_RAW = type_coerce(configurations.c.good, String).label("good")
_COLUMNS = tuple(_RAW if name == "good" else configurations.c[name] for name in StoredConfiguration.__slots__)


def read(conn: Connection, repo_id: int) -> StoredConfiguration | None:
    """One repository's, None where it was never looked at."""
    row = conn.execute(select(*_COLUMNS).where(configurations.c.repo_id == repo_id)).first()
    return None if row is None else _stored(row)


def find(conn: Connection, repo: str) -> StoredConfiguration | None:
    """By name, whatever the spelling."""
    return next((found for found in every(conn) if found.repo.casefold() == repo.casefold()), None)


def every(conn: Connection) -> Sequence[StoredConfiguration]:
    """All repositories that were looked at, by name."""
    return [_stored(row) for row in conn.execute(select(*_COLUMNS).order_by(configurations.c.repo))]


def write(conn: Connection, stored: StoredConfiguration) -> None:
    """Keep what was read. The maintainers' switch is theirs: it is never changed by this."""
    values = asdict(stored)
    switch = {"switched_off_by", "switched_off_at", "switched_to"}
    upsert(conn, configurations, ["repo_id"], {key: value for key, value in values.items() if key not in switch})


def switch_off(conn: Connection, repo_id: int, repo: str, *, by: str, now: float) -> None:
    """Switch the bot off for the whole repository, whatever its file says."""
    switch(conn, repo_id, repo, Mode.OFF, by=by, now=now)


def switch(conn: Connection, repo_id: int, repo: str, mode: Mode, *, by: str, now: float) -> None:
    """A mode for the whole repository, whatever its file says. What was opened before it went on is backlog."""
    known = read(conn, repo_id)
    if known is None:
        write(conn, StoredConfiguration(repo_id, repo, None, "", "", 0.0, str(mode)))
    off = mode is Mode.OFF
    values = {"switched_off_by": by[:128], "switched_off_at": now if off else None, "in_force": str(mode)}
    if mode is Mode.ON and (known is None or known.in_force != Mode.ON):
        values["on_since"] = iso(now)
    change = update(configurations).where(configurations.c.repo_id == repo_id)
    conn.execute(change.values(switched_to="" if off else str(mode), **values))


def switch_back(conn: Connection, repo_id: int, *, now: float) -> None:
    """Take the switch back: the file holds again from the next look on. Issues of the time in between are backlog."""
    known = read(conn, repo_id)
    since = {} if known and known.in_force == Mode.ON else {"on_since": iso(now)}
    change = update(configurations).where(configurations.c.repo_id == repo_id)
    conn.execute(change.values(switched_off_by="", switched_off_at=None, switched_to="", **since))


def _stored(row: Row[Any]) -> StoredConfiguration:
    """A row whose configuration cannot be read is as good as none, and old: the file is read again. Its mode holds."""
    values = dict(row._mapping)
    try:
        # SQLite gives the text, PostgreSQL what is in it.
        good = json.loads(values["good"]) if isinstance(values["good"], str) else values["good"]
        readable = good is None or isinstance(good, dict)
    except ValueError:
        readable = False
    changes = {"good": good} if readable else {"good": None, "etag": "", "checked_at": 0.0}
    times = {"checked_at": seconds(values["checked_at"]) or 0.0, "switched_off_at": seconds(values["switched_off_at"])}
    if values["switched_to"] not in ("", "on", "shadow"):
        values["switched_to"] = ""
    return StoredConfiguration(**values | times | changes)
