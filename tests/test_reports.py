"""The labelled reports: what was right stays right, nothing is wrong, every comment is safe to post."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.cli.evaluate import analyse_case
from bot.evaluation.cases import load_cases
from bot.evaluation.score import score
from bot.opening import open_for_command
from bot.triage.rendered import strangers

REPORTS = Path(__file__).parent / "corpus" / "reports"
CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def verdicts():
    """Every report analysed with what the repository itself holds: no clones, no network."""
    knowledge, _ = open_for_command(CHECKOUT / "kb", None)
    return {case.id: analyse_case(case, knowledge) for case in load_cases(REPORTS)}


def test_no_right_answer_is_lost_and_none_is_wrong(verdicts):
    accepted = json.loads((REPORTS / "outcomes.json").read_text())
    now = score(load_cases(REPORTS), verdicts)
    assert now.wrong == []
    assert {case: now.outcomes[case] for case, outcome in accepted.items() if outcome == "right"} == {
        case: "right" for case, outcome in accepted.items() if outcome == "right"
    }


def test_every_panic_is_read(verdicts):
    now = score(load_cases(REPORTS), verdicts)
    for question in ("extraction", "root", "others", "silence", "foreign"):
        assert now.questions[question].failed == [], question


def test_every_comment_is_all_ours(verdicts):
    comments = {case: verdict["comment"] for case, verdict in verdicts.items() if verdict["comment"]}
    assert comments
    assert {case: found for case, text in comments.items() if (found := strangers(text))} == {}


def test_every_comment_is_short(verdicts):
    for case, verdict in verdicts.items():
        outside = (verdict["comment"] or "").split("<details>")[0]
        assert outside.count("\n") <= 60, case


def test_no_comment_speaks_of_duplicates(verdicts):
    """An issue with the same panic is named, never called a duplicate: that is a maintainer's word."""
    comments = {
        case: re.sub(r"```.*?```", "", verdict["comment"] or "", flags=re.S) for case, verdict in verdicts.items()
    }
    assert [case for case, text in comments.items() if "duplicate" in text.lower()] == []
