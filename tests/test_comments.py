"""Whole comments, word for word. `BLESS=1 pytest tests/test_comments.py` accepts new ones, for the review to read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.evaluation.cases import load_cases
from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.render import render

HERE = Path(__file__).parent
GOLDEN = HERE / "corpus" / "comments"

KINDS = {
    "burn-4005": "matched with an entry whose problem moved elsewhere",
    "burn-5005": "matched, no entry, gone in a pre-release: the short card",
    "burn-5279": "ambiguous: the one question",
    "burn-3990": "an echo alone",
    "burn-3461": "foreign with an entry, and a consequence",
    "burn-4347": "the root of several panics",
    "burn-652": "a tensor check at an old release",
}


@pytest.fixture(scope="module")
def knowledge():
    found, _ = open_for_command(HERE.parent / "kb", None)
    return found


@pytest.mark.parametrize("name", KINDS, ids=str)
def test_the_comment_is_word_for_word_what_was_accepted(name, knowledge):
    (case,) = [case for case in load_cases(HERE / "corpus" / "reports") if case.id == name]
    comment = render(analyze(case.report, knowledge), knowledge)
    assert comment is not None
    text = comment.replace(knowledge.revision, "<revision>")
    file = GOLDEN / f"{name}.md"
    if os.environ.get("BLESS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
