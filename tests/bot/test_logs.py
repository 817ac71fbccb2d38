"""Logs: nothing private, and nothing twice."""

from __future__ import annotations

import json
import logging

from dbos import error

from bot.errors import PermanentError
from bot.logs import JsonFormatter, RedactingFormatter, about, is_news


def record(name: str = "bot", error: BaseException | None = None, text: str = "at /home/ann/x.rs") -> logging.LogRecord:
    info = (type(error), error, None) if error is not None else None
    return logging.LogRecord(name, logging.ERROR, "f", 1, text, (), info)


def test_messages_and_tracebacks_are_redacted():
    line = RedactingFormatter("%(message)s").format(record(error=ValueError("mail ann@mail.de")))
    assert line == "at [home]/x.rs\nValueError: mail [email]"


def test_the_engine_does_not_repeat_what_we_parked():
    parked = PermanentError("forbidden", "403")
    records = [record("dbos", parked), record("dbos", ValueError("x")), record("dbos"), record("bot", parked)]
    assert [is_news(one) for one in records] == [False, True, True, True]


def test_the_engine_does_not_tell_of_a_forgotten_job_that_it_had_just_taken():
    cancelled = (
        error.DBOSAwaitedWorkflowCancelledError("0000000000000008-f0c0b26b"),
        error.DBOSWorkflowCancelledError("x"),
    )
    told = [is_news(record(name, one)) for name in ("dbos", "bot") for one in cancelled]
    assert told == [False, False, True, True]


def test_a_json_line_names_the_delivery_and_the_job():
    with about(delivery="d-1"), about(job="j-1"):
        told = json.loads(JsonFormatter().format(record(text="done\nand more")))
    assert (told["delivery"], told["job"], told["level"], told["message"]) == ("d-1", "j-1", "error", "done\nand more")


def test_a_json_line_is_one_line_redacted_trace_and_all():
    line = JsonFormatter().format(record(error=ValueError("mail ann@mail.de"), text="at /home/ann/x"))
    told = json.loads(line)
    assert ("\n" in line, told["message"], told["trace"]) == (False, "at [home]/x", "ValueError: mail [email]")


def test_what_a_line_is_about_ends_with_its_block():
    with about(delivery="d-1"):
        pass
    assert "delivery" not in json.loads(JsonFormatter().format(record()))
