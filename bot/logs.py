"""Logs of our processes: one line a record, with the delivery and the job it is about, and nothing private in it."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from bot.clock import iso
from bot.errors import PermanentError
from bot.redact import redact

ABOUT = ("delivery", "job")
"""What a record may be about: the GUID of a delivery, the id of a job."""

_CANCELLED = ("DBOSAwaitedWorkflowCancelledError", "DBOSWorkflowCancelledError")
"""By name: whoever only logs need not wait for the engine to be imported."""

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)


_redacted = lru_cache(256)(redact)
"""Most messages come again word for word: which delivery they are about stands apart from them."""


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, and takes private things out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line to write."""
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line: at, level, logger, message, and where they are known delivery, job and trace."""

    def format(self, record: logging.LogRecord) -> str:
        """The line to write."""
        told = {
            "at": iso(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _redacted(record.getMessage()),
            **(_about.get() or {}),
        }
        if record.exc_info:
            told["trace"] = redact(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


@contextmanager
def about(**names: str) -> Iterator[None]:
    """Records of this thread are about these (`ABOUT`) while the block lasts."""
    before = _about.set({**(_about.get() or {}), **names})
    try:
        yield
    finally:
        _about.reset(before)


def is_news(record: logging.LogRecord) -> bool:
    """Whether a record says something new: the engine repeats, with its whole stack, what we did on purpose.

    That is a job that we parked, and one that was forgotten, and so cancelled, just when a worker took it.
    """
    error = record.exc_info[1] if record.exc_info else None
    if record.name != "dbos" or error is None:
        return True
    return not isinstance(error, PermanentError) and type(error).__name__ not in _CANCELLED


def set_up_logs(level: str, form: str = "auto") -> None:
    """Send the logs of this process to stderr. `level` and `form` as in the settings."""
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(form))
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


def _formatter(form: str) -> logging.Formatter:
    if form == "json" or (form == "auto" and not sys.stderr.isatty()):
        return JsonFormatter()
    return RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
