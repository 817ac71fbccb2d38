"""What maintainers ticked in a report on paper, as labelled cases: right must be said again, wrong never. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from bot.evaluation.confirmed import case_of
from bot.feedback import RIGHT, WRONG
from bot.paper.answer import PaperAnswer
from bot.store.answers import ConfirmedAnswer
from bot.triage.snapshot import CommentSnapshot, IssueSnapshot

FORMAT = "burn-triage ticks 1"
_BOX = re.compile(r"^- \[[xX]\] (right|wrong), issue (\d{1,18})\s*$", re.MULTILINE)
_WORDS = {"right": RIGHT, "wrong": WRONG}


def read_ticks(text: str, name: str) -> dict[int, str]:
    """`right` or `wrong` by issue, from the file that the HTML report downloads or from a Markdown report with ticks.

    UserError, with `name`, where it is neither, or an issue is ticked both right and wrong.
    """
    if text.lstrip().startswith("{"):
        return _downloaded(text, name)
    found: dict[int, str] = {}
    for word, number in _BOX.findall(text):
        if found.setdefault(int(number), word) != word:
            raise UserError("bad_ticks", f"{name}: issue {number} is ticked right and wrong; take one tick away")
    if not found:
        raise UserError(
            "bad_ticks", f"{name}: nothing is ticked; tick `- [x] right, issue N`, or give a downloaded file"
        )
    return found


def case_of_tick(answer: PaperAnswer, word: str) -> dict[str, Any] | str:
    """The case in the format of tests/corpus/reports, or why there is none."""
    if answer.comment is None:
        return (
            _silent(answer) if word == "right" else "nothing was said: what should have been has to be written by hand"
        )
    confirmed = ConfirmedAnswer(
        answer.repo, 0, 0, answer.number, answer.key, _WORDS[word], None, 0.0, answer.whole or None
    )
    return case_of(confirmed, _snapshot(answer)) or "its verdict has no root panic"


def case_name(answer: PaperAnswer) -> str:
    """`burn-4950-paper.yaml`."""
    return f"{answer.repo.rsplit('/', 1)[-1]}-{answer.number}-paper.yaml"


def _downloaded(text: str, name: str) -> dict[int, str]:
    try:
        values = json.loads(text)
        ticks: Mapping[str, str] = values["ticks"]
        if values["format"] != FORMAT or not set(ticks.values()) <= set(_WORDS):
            raise ValueError
        return {int(number): word for number, word in ticks.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError("bad_ticks", f"{name}: this is no file of ticks; download it from the report again") from None


def _silent(answer: PaperAnswer) -> dict[str, Any]:
    return {
        "source": answer.url,
        "repo": answer.repo,
        "created_at": answer.created_at[:10],
        "title": answer.title,
        "body": answer.body,
        "comments": list(answer.comments),
        "expect": {"answer": "silent", "why": "a maintainer agreed with the silence"},
        "quirks": [],
    }


def _snapshot(answer: PaperAnswer) -> IssueSnapshot:
    """The issue as it was read, for what makes cases of issues."""
    comments = tuple(
        CommentSnapshot(number, "author", False, body, answer.created_at, answer.created_at)
        for number, body in enumerate(answer.comments)
    )
    return IssueSnapshot(
        repo=answer.repo,
        repo_id=0,
        number=answer.number,
        issue_id=0,
        title=answer.title,
        body=answer.body,
        author="author",
        author_is_bot=False,
        created_at=answer.created_at,
        updated_at=answer.created_at,
        comments=comments,
    )
