"""Confirmed answers become cases that `evaluate` reads: right ones stay right, wrong ones are not given again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.evaluation.cases import load_cases
from bot.evaluation.confirmed import case_of, case_text, file_name
from bot.evaluation.score import Score, score
from bot.feedback import RIGHT, WRONG
from bot.opening import open_for_command
from bot.redact import redact_json
from bot.store.answers import ConfirmedAnswer
from bot.triage.analyze import analyze
from bot.triage.contract import verdict_json
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report
from bot.triage.policy import answer_key
from bot.triage.render import render
from bot.triage.snapshot import CommentSnapshot, IssueSnapshot

ROOT = Path(__file__).parents[3]
NAMES = ("burn-4347", "burn-4005", "burn-3461", "burn-5005", "burn-652", "burn-3990", "cubecl-1019")
REPORTS = {case.id: case.report for case in load_cases(ROOT / "tests/corpus/reports") if case.id in NAMES}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(ROOT / "kb", None)[0]


def snapshot(report: Report) -> IssueSnapshot:
    day = f"{(report.created_at or '2026-01-01')[:10]}T00:00:00Z"
    comments = tuple(CommentSnapshot(n, "ann", False, text, day, day) for n, text in enumerate(report.comments))
    other = CommentSnapshot(99, "bob", False, "I am somebody else", day, day)
    return IssueSnapshot(
        report.repo or "tracel-ai/burn", 5, 7, 70, report.title, f"{report.body}\nmail ann@mail.de", "ann", False, day,
        day, comments=(*comments, other),
    )  # fmt: skip


def decided(report: Report, knowledge: Knowledge, word: str) -> ConfirmedAnswer:
    verdict = analyze(report, knowledge)
    answer = answer_key(verdict)
    return ConfirmedAnswer("tracel-ai/burn", 5, 70, 7, answer, word, None, 1.0, redact_json(verdict))


def scored(folder: Path, knowledge: Knowledge, *cases: tuple[ConfirmedAnswer, Report]) -> Score:
    """What `evaluate` says after the cases went through their files."""
    for answer, report in cases:
        case = case_of(answer, snapshot(report))
        assert case is not None
        (folder / file_name(answer)).write_text(case_text(case), "utf-8")
    read = load_cases(folder)
    verdicts = {case.id: analyze(case.report, knowledge) for case in read}
    return score(read, {name: verdict_json(name, v, render(v, knowledge)) for name, v in verdicts.items()})


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_an_answer_that_was_right_is_right_again_from_its_file(name: str, tmp_path: Path, knowledge: Knowledge):
    result = scored(tmp_path, knowledge, (decided(REPORTS[name], knowledge, RIGHT), REPORTS[name]))
    failed = {question: count.failed for question, count in result.questions.items() if count.failed}
    assert (list(result.outcomes.values()), failed) == (["right"], {})


@pytest.mark.parametrize("name", ["burn-4347", "burn-4005", "burn-3461"])
def test_an_answer_that_was_called_wrong_is_wrong_when_given_again(name: str, tmp_path: Path, knowledge: Knowledge):
    result = scored(tmp_path, knowledge, (decided(REPORTS[name], knowledge, WRONG), REPORTS[name]))
    assert (list(result.outcomes.values()), result.questions["corrected"].total) == (["wrong"], 1)


def test_another_entry_than_the_one_called_wrong_is_an_improvement(tmp_path: Path, knowledge: Knowledge):
    report = REPORTS["burn-4347"]
    answer = decided(report, knowledge, WRONG)
    _, ours, place = answer.answer.split("|", 2)
    other = replace(answer, answer=f"matched|KB-9999|{place}", right_entry=ours)
    result = scored(tmp_path, knowledge, (other, report))
    assert (list(result.outcomes.values()), result.questions["entry"].right) == (["right"], 1)


def test_a_case_holds_the_authors_words_alone_and_nothing_private(knowledge: Knowledge):
    report = REPORTS["burn-4347"]
    case = case_of(decided(report, knowledge, RIGHT), snapshot(report))
    assert case is not None
    text = case_text(case)
    assert [word for word in ("ann@mail.de", "/home/user", "somebody else") if word in text] == []
    assert case["comments"] == list(report.comments)


def test_a_forgotten_verdict_makes_no_case(knowledge: Knowledge):
    report = REPORTS["burn-4347"]
    gone = replace(decided(report, knowledge, RIGHT), verdict=None)
    assert case_of(gone, snapshot(report)) is None
