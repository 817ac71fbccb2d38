"""Logs of our processes: one line a record, and nothing private in it."""

from __future__ import annotations

import logging

from bot.errors import PermanentError
from bot.redact import redact


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, and takes private things out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line to write."""
        return redact(super().format(record))


def is_news(record: logging.LogRecord) -> bool:
    """Whether a record says something new: the engine repeats, with its whole stack, what we parked on purpose."""
    return not (record.name == "dbos" and record.exc_info and isinstance(record.exc_info[1], PermanentError))


def set_up_logs(level: str) -> None:
    """Send the logs of this process to stderr. `level` as in the settings."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(is_news)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for chatty in ("alembic", "urllib3", "github"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    engine = logging.getLogger("dbos")
    engine.handlers[:] = [handler]
    engine.propagate = False
    engine.setLevel(logging.WARNING)
