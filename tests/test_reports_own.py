"""The labelled reports of our own: what was right stays right, nothing is wrong, look-alikes get no comment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli.evaluate import analyse_case
from bot.evaluation.cases import load_cases
from bot.evaluation.score import score
from bot.opening import open_for_command

REPORTS = Path(__file__).parent / "corpus" / "reports-own"
KB = Path(__file__).parents[1] / "kb"


@pytest.fixture(scope="module")
def scored():
    """All of them analysed with what the repository itself holds: no clones, no network."""
    knowledge, _ = open_for_command(KB, None)
    cases = load_cases(REPORTS)
    return score(cases, {case.id: analyse_case(case, knowledge) for case in cases})


def test_no_right_answer_is_lost_and_none_is_wrong(scored):
    accepted = json.loads((REPORTS / "outcomes.json").read_text())
    assert scored.wrong == []
    lost = [case for case, outcome in accepted.items() if outcome == "right" and scored.outcomes[case] != "right"]
    assert lost == []


@pytest.mark.parametrize("question", ["root", "silence", "foreign"])
def test_no_look_alike_is_answered_and_the_cause_is_chosen(scored, question):
    assert scored.questions[question].failed == []


def test_nearly_every_panic_is_read(scored):
    assert len(scored.questions["extraction"].failed) <= 1
