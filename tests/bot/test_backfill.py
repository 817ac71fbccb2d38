"""The walk through the history of a stand-in repository: complete, resumable, patient, and without a single write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.backfill import Backfill, refuse_writes
from bot.errors import PermanentError, TransientError, UserError
from bot.opening import open_for_command
from bot.store import backfills, occurrences
from bot.triage.actions import React
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report, Verdict
from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock

PANIC = """\
thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId { value: 497010 }
"""
FENCED = f"```\n{PANIC}```"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[2] / "kb", None)[0]


@pytest.fixture
def stage(clock: FakeClock) -> Iterator[Stage]:
    """A repository whose issues 2, 4 and 6 show one panic: in the text, in a comment of the author's, and closed."""
    with staged(clock) as found:
        people = found.github.people
        for n in range(2, 7):
            clock.sleep(60)
            people.open_issue(REPO, "reporter", f"Issue {n}", FENCED if n in {2, 6} else "Hello", pull=n == 5)
        people.comment(REPO, 4, "reporter", FENCED)
        people.comment(REPO, 3, "ann", FENCED)
        people.close_issue(REPO, 6)
        yield found


@pytest.fixture
def walk(engine: Engine, clock: FakeClock, stage: Stage, knowledge: Knowledge) -> Backfill:
    bot = stage.connect(before_write=refuse_writes)
    return Backfill(engine, clock, bot, lambda _: knowledge, pause=2.0)


def repeats(walk: Backfill) -> list[tuple[int, int, int]]:
    with walk.engine.connect() as conn:
        return [(row.issues, row.open, row.first) for row in occurrences.repeated(conn)]


def test_every_issue_is_read_once_and_nothing_is_written(walk: Backfill, stage: Stage):
    seen: list[tuple[int, str]] = []
    told = replace(walk, sink=lambda snapshot, verdict: seen.append((snapshot.number, str(verdict.outcome))))
    done = told.walk(REPO)
    assert seen == [(1, "none"), (2, "matched"), (3, "none"), (4, "matched"), (6, "matched")]
    assert (done.issues, done.number, done.finished_at is not None) == (5, 6, True)
    assert (repeats(walk), stage.github.writes()) == ([(3, 2, 2)], [])


def test_it_waits_after_issues_with_comments_alone(walk: Backfill, clock: FakeClock):
    before = clock.now()
    walk.walk(REPO)
    assert clock.now() - before == 4.0


def test_it_stops_at_the_limit_and_goes_on_from_there(walk: Backfill, stage: Stage):
    first = walk.walk(REPO, limit=2)
    asked = len(stage.github.seen)
    second = walk.walk(REPO, limit=2)
    last = walk.walk(REPO)
    assert [(p.issues, p.number, p.finished_at is None) for p in (first, second, last)] == [
        (2, 2, True),
        (4, 4, True),
        (5, 6, False),
    ]
    assert not any("/issues/2" in seen.path for seen in stage.github.seen[asked:])


def test_a_later_walk_reads_what_is_new_and_a_walk_anew_everything(walk: Backfill, stage: Stage):
    walk.walk(REPO)
    stage.github.people.open_issue(REPO, "reporter", "Again", FENCED)
    later = walk.walk(REPO)
    anew = walk.walk(REPO, anew=True)
    assert (later.issues, later.panics, anew.issues, anew.panics) == (6, 4, 6, 4)
    assert repeats(walk) == [(4, 3, 2)]


def test_limits_of_github_are_waited_for(walk: Backfill, stage: Stage, clock: FakeClock):
    stage.github.fault("secondary", verb="GET", path=r"/issues/4/comments", times=2, retry_after="77")
    before = clock.now()
    done = walk.walk(REPO)
    assert (done.issues, done.finished_at is not None, clock.now() - before >= 154) == (5, True, True)


def test_a_github_that_stays_away_ends_the_walk_where_it_is(walk: Backfill, stage: Stage):
    stage.github.fault("secondary", verb="GET", path=r"/issues/4/comments", times=99, retry_after="1")
    with pytest.raises(TransientError):
        walk.walk(REPO)
    with walk.engine.connect() as conn:
        known = backfills.find(conn, REPO.upper())
    assert known is not None
    assert (known.number, known.finished_at) == (3, None)


def test_where_the_app_is_not_installed_it_says_so(walk: Backfill, stage: Stage):
    stage.github.create_repo("somebody/else")
    with pytest.raises(UserError, match="not installed on somebody/else"):
        walk.walk("somebody/else")


def test_an_empty_repository_is_done_at_once(walk: Backfill, stage: Stage):
    stage.installation.repos.append(stage.github.create_repo("tracel-ai/empty"))
    assert (walk.walk("tracel-ai/empty").issues, walk.total("tracel-ai/empty")) == (0, 0)


def test_the_client_of_the_walk_cannot_write(walk: Backfill, stage: Stage):
    with pytest.raises(PermanentError):
        walk.history.publish(React("eyes"), stage.target(), intent_id="1")  # type: ignore[attr-defined]


def test_an_issue_that_goes_while_it_is_read_does_not_end_the_walk(walk: Backfill, stage: Stage):
    stage.github.fault("410", verb="GET", path=r"/issues/4/comments")
    done = walk.walk(REPO)
    assert (done.issues, done.panics, done.finished_at is not None) == (5, 2, True)


def test_source_that_may_not_be_read_does_not_end_the_walk(
    walk: Backfill, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
):
    def forbidden(report: Report, _knowledge: Knowledge) -> Verdict:
        if report.id == "2":
            raise PermanentError("forbidden", "403")
        return analyze(report, knowledge)

    monkeypatch.setattr("bot.backfill.analyze", forbidden)
    done = walk.walk(REPO)
    assert (done.issues, done.panics, repeats(walk)) == (5, 2, [(2, 1, 4)])
