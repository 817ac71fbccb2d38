"""The walk on paper: newest first, resumable at any point, patient, and blind to commands of the past."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.backfill import refuse_writes
from bot.errors import UserError
from bot.opening import open_for_command
from bot.paper.answer import PaperAnswer
from bot.paper.walk import FILE, AnswerFile, PaperWalk
from bot.triage.knowledge import Knowledge
from tests.bot.github.stage import REPO, Stage, staged
from tests.bot.test_backfill import FENCED
from tests.fakes.clock import FakeClock


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[3] / "kb", None)[0]


@pytest.fixture
def stage(clock: FakeClock) -> Iterator[Stage]:
    """Issues 2, 4 and 6 show a panic; 5 is a pull request; 1 and 3 are talk."""
    with staged(clock) as found:
        people = found.github.people
        for n in range(2, 7):
            clock.sleep(60)
            body = f"{FENCED}\nMail me: ann@example.com" if n in {2, 6} else "Hello"
            people.open_issue(REPO, "reporter", f"Issue {n}", body, pull=n == 5)
        people.comment(REPO, 4, "reporter", FENCED)
        people.comment(REPO, 6, "reporter", "/triage wrong")
        people.comment(REPO, 6, "ann", "I know this one.")
        people.close_issue(REPO, 6)
        people.lock_issue(REPO, 2)
        yield found


@pytest.fixture
def walk(clock: FakeClock, stage: Stage, knowledge: Knowledge, tmp_path: Path) -> PaperWalk:
    return PaperWalk(clock, stage.connect(before_write=refuse_writes), lambda _: knowledge, tmp_path, pause=2.0)


def numbers(answers: list[PaperAnswer]) -> list[int]:
    return [answer.number for answer in answers]


def comments_asked_for(stage: Stage, since: int = 0) -> list[str]:
    return [seen.path.split("/")[-2] for seen in stage.github.seen[since:] if seen.path.endswith("/comments")]


def test_each_issue_is_answered_as_if_it_were_new(walk: PaperWalk, stage: Stage):
    answers = walk.walk(REPO, limit=9)
    said = [(answer.number, answer.outcome, answer.reason, answer.comment is not None) for answer in answers]
    assert said == [
        (6, "matched", "answered", True),
        (4, "matched", "answered", True),
        (3, "none", "no_panic", False),
        (2, "matched", "answered", True),
        (1, "none", "no_panic", False),
    ]
    assert [answer.state for answer in answers][:2] == ["closed", "open"]
    assert stage.github.writes() == []


def test_no_address_of_a_person_is_kept(walk: PaperWalk):
    walk.walk(REPO, limit=9)
    assert "ann@example.com" not in (walk.folder / FILE).read_text()


def test_the_limit_is_on_the_newest(walk: PaperWalk, stage: Stage):
    assert numbers(walk.walk(REPO, limit=2)) == [6, 4]
    before = len(stage.github.seen)
    assert numbers(walk.walk(REPO, limit=4)) == [6, 4, 3, 2]
    assert comments_asked_for(stage, before) == []


@pytest.mark.parametrize("after", [0, 1, 2, 4])
def test_it_is_interrupted_and_goes_on_where_it_was(walk: PaperWalk, stage: Stage, after: int):
    def interrupt(issues: int, _comments: int) -> None:
        if issues > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(walk, on_step=interrupt).walk(REPO, limit=9)
    kept = AnswerFile(walk.folder / FILE).read(REPO)
    assert list(kept) == [6, 4, 3, 2, 1][: after + 1]
    # Cut off in the middle of a line, as by a full disk.
    with (walk.folder / FILE).open("a") as file:
        file.write('{"repo": "tracel-')
    asked = comments_asked_for(stage)
    assert numbers(walk.walk(REPO, limit=9)) == [6, 4, 3, 2, 1]
    assert sorted(comments_asked_for(stage)) == ["4", "6"]
    assert len(asked) == len(set(asked))
    assert list(AnswerFile(walk.folder / FILE).read(REPO)) == [6, 4, 3, 2, 1]


def test_another_state_of_the_knowledge_base_answers_anew(walk: PaperWalk, knowledge: Knowledge, stage: Stage):
    walk.walk(REPO, limit=9)
    newer = replace(walk, knowledge=lambda _: replace(knowledge, revision="another"))
    assert {answer.revision for answer in newer.walk(REPO, limit=9)} == {"another"}
    assert comments_asked_for(stage) == ["6", "4", "6", "4"]


def test_what_is_opened_meanwhile_is_on_top(walk: PaperWalk, stage: Stage):
    walk.walk(REPO, limit=2)
    stage.github.people.open_issue(REPO, "reporter", "New", FENCED)
    assert numbers(walk.walk(REPO, limit=2)) == [7, 6]


def test_limits_of_github_are_waited_for(walk: PaperWalk, stage: Stage, clock: FakeClock):
    stage.github.fault("secondary", verb="GET", path=r"/issues/4/comments", times=2, retry_after="77")
    before = clock.now()
    assert (numbers(walk.walk(REPO, limit=9)), clock.now() - before >= 154) == ([6, 4, 3, 2, 1], True)


def test_only_earlier_issues_are_repeats(walk: PaperWalk):
    answers = replace(walk, repeats=lambda _snapshot, _verdict: [2, 6]).walk(REPO, limit=9)
    named = {answer.number: "Same panic in #2." in (answer.comment or "") for answer in answers if answer.comment}
    assert named == {6: True, 4: True, 2: False}


def test_another_repositorys_folder_is_left_alone(walk: PaperWalk, stage: Stage):
    walk.walk(REPO, limit=1)
    stage.installation.repos.append(stage.github.create_repo("tracel-ai/other"))
    with pytest.raises(UserError, match="holds the report of tracel-ai/burn"):
        walk.walk("tracel-ai/other", limit=1)


def test_a_file_of_something_else_is_refused_and_begun_anew_when_told(walk: PaperWalk):
    (walk.folder / FILE).write_text("hello\n")
    with pytest.raises(UserError, match="--anew"):
        walk.walk(REPO, limit=1)
    assert numbers(walk.walk(REPO, limit=1, anew=True)) == [6]


def test_where_the_app_is_not_installed_it_says_so(walk: PaperWalk, stage: Stage):
    stage.github.create_repo("somebody/else")
    with pytest.raises(UserError, match="not installed on somebody/else"):
        walk.walk("somebody/else", limit=1)
