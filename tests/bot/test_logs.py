"""Logs: nothing private, and nothing twice."""

from __future__ import annotations

import logging

from bot.errors import PermanentError
from bot.logs import RedactingFormatter, is_news


def record(name: str = "bot", error: Exception | None = None, text: str = "at /home/ann/x.rs") -> logging.LogRecord:
    info = (type(error), error, None) if error is not None else None
    return logging.LogRecord(name, logging.ERROR, "f", 1, text, (), info)


def test_messages_and_tracebacks_are_redacted():
    line = RedactingFormatter("%(message)s").format(record(error=ValueError("mail ann@mail.de")))
    assert line == "at [home]/x.rs\nValueError: mail [email]"


def test_the_engine_does_not_repeat_what_we_parked():
    parked = PermanentError("forbidden", "403")
    records = [record("dbos", parked), record("dbos", ValueError("x")), record("dbos"), record("bot", parked)]
    assert [is_news(one) for one in records] == [False, True, True, True]
