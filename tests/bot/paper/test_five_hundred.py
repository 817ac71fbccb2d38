"""A repository of 500 past issues, all labelled reports among them: right about every one, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.backfill import refuse_writes
from bot.evaluation.cases import Case, load_cases
from bot.evaluation.score import score
from bot.opening import open_for_command
from bot.paper.answer import PaperAnswer
from bot.paper.walk import PaperWalk
from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock

CORPUS = Path(__file__).parents[2] / "corpus"
REPORTS = CORPUS / "reports"
ISSUES = 500


def opened_at(case: Case) -> float:
    day = case.report.created_at or "2026-06-01"
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


def plant(stage: Stage, clock: FakeClock) -> dict[int, Case]:
    """All reports by the date of their opening, and talk in between; the cases by issue."""
    cases = sorted(load_cases(REPORTS), key=opened_at)
    talk = [path.read_text("utf-8") for path in sorted((CORPUS / "negatives").glob("*.md"))]
    planted: dict[int, Case] = {}
    left = ISSUES - len(cases) - 1
    for position, case in enumerate(cases):
        clock.moment = opened_at(case)
        number = stage.github.people.open_issue(REPO, "reporter", case.report.title, case.report.body).number
        planted[number] = case
        for text in case.report.comments:
            stage.github.people.comment(REPO, number, "reporter", text)
        stage.github.people.comment(REPO, number, "ann", "Thanks, fixed in main. /triage")
        stage.github.people.close_issue(REPO, number)
        for filler in range(left * position // len(cases), left * (position + 1) // len(cases)):
            stage.github.people.open_issue(REPO, "somebody", f"Talk {filler}", talk[filler % len(talk)])
    return planted


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[PaperAnswer], dict[int, Case], Stage]]:
    clock = FakeClock(1_500_000_000.0)
    knowledge, _ = open_for_command(Path(__file__).parents[3] / "kb", None)
    with staged(clock) as stage:
        planted = plant(stage, clock)
        clock.moment = 1_796_040_000.0
        before = len(stage.github.world.all_comments())
        bot = stage.connect(before_write=refuse_writes)
        walk = PaperWalk(clock, bot, lambda _: knowledge, tmp_path_factory.mktemp("report"))
        answers = walk.walk(REPO, limit=ISSUES)
        assert len(stage.github.world.all_comments()) == before
        yield answers, planted, stage


def test_all_are_answered_newest_first(world):
    answers, planted, _ = world
    assert (len(answers), len(planted)) == (ISSUES, len(load_cases(REPORTS)))
    assert [answer.number for answer in answers] == list(range(ISSUES, 0, -1))


def test_it_is_right_about_every_case(world):
    answers, planted, _ = world
    accepted = json.loads((REPORTS / "outcomes.json").read_text())
    said = {planted[answer.number].id: answer.verdict for answer in answers if answer.number in planted}
    now = score(planted.values(), said)
    assert now.wrong == []
    assert [case for case, outcome in accepted.items() if outcome == "right" and now.outcomes[case] != "right"] == []


def test_nothing_is_said_on_talk(world):
    answers, planted, _ = world
    assert [answer.number for answer in answers if answer.comment and answer.number not in planted] == []


def test_nothing_at_all_was_written(world):
    _, _, stage = world
    changes = [seen for seen in stage.github.seen if seen.verb not in {"GET", "HEAD"}]
    assert {seen.path for seen in changes} == {f"/app/installations/{stage.installation.id}/access_tokens"}
    assert stage.github.writes() == []
