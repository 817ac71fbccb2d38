"""Why a job was given up: every reason code that the code can give is in the runbook and has words, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
import requests

from bot.github.failures import of_answer, of_exception, of_graphql
from bot.web.reasons import WORDS
from bot.worker import PATIENT

ROOT = Path(__file__).parents[1]
ERRORS = {"PermanentError", "TransientError", "BadRequestError"}
"""What parks a job, at once or after its last try."""

NO_JOB = {
    "canary_silent": "of the daily check, a chore",
    "code_refused": "of a login",
    "credentials_unreadable": "of a command on a terminal",
    "event_missing": "refused by the receiver",
    "guid_missing": "refused by the receiver",
    "read_only": "of the walk through past issues, which never writes",
    "signature_garbled": "refused by the receiver",
}
"""Reasons of other work than jobs, and of which."""

UNFORESEEN = {"internal_error", "set_aside", "cancelled", "permission_unknown"}
"""What `bot.worker` gives where no such error was raised; the last is `bot.triage.snapshot.Decision.retry`."""

WORDS_OF_GITHUB = ("", "locked", "suspended", "secondary rate limit", "api rate limit exceeded", "something went wrong")
KINDS_OF_GITHUB = (
    "",
    "RATE_LIMITED",
    "NOT_FOUND",
    "FORBIDDEN",
    "INSUFFICIENT_SCOPES",
    "SERVICE_UNAVAILABLE",
    "TIMEOUT",
)


def literals(tree: ast.AST) -> Iterator[str]:
    """The codes that stand in the first argument of an error's making."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS and node.args:
            yield from (
                part.value
                for part in ast.walk(node.args[0])
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


def written() -> set[str]:
    return {code for path in (ROOT / "bot").rglob("*.py") for code in literals(ast.parse(path.read_text("utf-8")))}


def of_github() -> set[str]:
    """Of every answer that GitHub can give."""
    told = {"what": "GET /x", "now": 0.0}
    answers = [
        of_answer(status, {}, {"message": words}, write=False, **told)
        for status, words in product(range(300, 600), WORDS_OF_GITHUB)
    ]
    failures = [requests.Timeout(), requests.ConnectionError(), RuntimeError(), ValueError()]
    answers += [of_exception(error, what="GET /x", write=False) for error in failures]
    errors = [[{"type": kind, "message": words}] for kind, words in product(KINDS_OF_GITHUB, WORDS_OF_GITHUB)]
    return {error.reason for error in [*answers, *(of_graphql(one, headers={}, **told) for one in errors)]}


@pytest.fixture(scope="module")
def parking() -> set[str]:
    """Every reason for which a job may be parked."""
    return (written() | of_github() | UNFORESEEN) - set(NO_JOB) - PATIENT


def test_the_runbook_has_all_of_them_and_no_other(parking: set[str]):
    section = (ROOT / "docs/runbook.md").read_text("utf-8").split("\n## Parked jobs\n")[1].split("\n## ")[0]
    first = [row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `")]
    listed = [code for cell in first for code in re.findall("`([^`]+)`", cell)]
    assert sorted(listed) == sorted(parking)


def test_each_has_words_for_people(parking: set[str]):
    assert sorted(parking - WORDS.keys()) == []


def test_what_is_left_out_exists():
    assert sorted(NO_JOB.keys() - written()) == []
    assert parking_of_nothing() == {"x", "y"}


def parking_of_nothing() -> set[str]:
    """That the reading of the code finds what it should."""
    return set(literals(ast.parse('raise PermanentError("x" if a else "y", "z")\nUserError("w", "")')))
