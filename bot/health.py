"""Is anybody working, and is the database there? What /readyz says."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.store import executors


def why_not_ready(engine: Engine, clock: Clock) -> str | None:
    """The reason why deliveries would not be worked on now, or None."""
    try:
        with engine.connect() as conn:
            workers = executors.alive(conn, clock.now())
    except SQLAlchemyError:
        return "the database is away"
    return None if workers else "no worker is alive"
