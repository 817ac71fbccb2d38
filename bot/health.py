"""Is anybody working, and can deliveries be stored? What /readyz says."""

from __future__ import annotations

import os

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.inbox import LastFailure
from bot.store import executors
from bot.store.engine import AWAY, FULL, is_sqlite, trouble

REMEMBERED_SECONDS = 60.0
"""So long a delivery that could not be stored is told of, unless one could be stored since."""

LEAST_FREE_BYTES = 1 << 20
"""A delivery takes some hundred kilobytes at most, and its way through the write-ahead log as much again."""


def why_not_ready(engine: Engine, clock: Clock, last_failure: LastFailure | None = None) -> str | None:
    """The reason why deliveries would not be stored and worked on now, or None."""
    try:
        with engine.connect() as conn:
            workers = executors.alive(conn, clock.now())
    except SQLAlchemyError as error:
        return (trouble(error) or AWAY).words
    if is_sqlite(engine) and free_bytes(engine.url.database or ".") < LEAST_FREE_BYTES:
        return FULL.words
    if last_failure and last_failure.words and 0 <= clock.now() - last_failure.at < REMEMBERED_SECONDS:
        return last_failure.words
    return None if workers else "no worker is alive"


def free_bytes(path: str) -> float:
    """Bytes that may still be written where this file lies; infinity where that cannot be told."""
    try:
        found = os.statvfs(path)
    except OSError:
        return float("inf")
    return found.f_bavail * found.f_frsize
