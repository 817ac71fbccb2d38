"""The overview's queries: what they count, whose rows they see, and that they walk through no table."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, update

from bot.clock import iso
from bot.store.board import overview, panics
from bot.store.board.overview import Rightness, Week
from bot.store.schema import occurrences
from tests.bot.store.board_plans import whole_walks
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import DAY, Rows, unknown_panic, verdict
from tests.fakes.clock import FakeClock

MINE = (board_world.REPO_ID,)
THEIRS = 666
EMBEDDING = world.EMBEDDING


@pytest.fixture
def rows(engine: Engine, clock: FakeClock) -> Rows:
    """Ours; another tenant has issues of the same panic."""
    board_world.install(engine)
    board_world.install(engine, THEIRS, "someone/else", 72)
    other = Rows(engine, clock, THEIRS, "someone/else")
    other.dispute(other.issue(EMBEDDING, days=0.5, answered=True))
    other.alarm(other.issue(unknown_panic(), days=0.4), comment_id=99)
    return Rows(engine, clock)


def test_a_fingerprint_that_no_text_can_hold_is_of_no_panic(rows: Rows):
    with rows.engine.connect() as conn:
        assert panics.one(conn, MINE, "fp1:\0") is None
        assert panics.one(conn, MINE, "fp1:\ufffd") is None


def test_issues_count_in_the_week_in_which_they_were_first_looked_at(rows: Rows):
    rows.issue(EMBEDDING, days=1, answered=True)
    rows.issue(EMBEDDING, days=2)
    rows.issue("no panic", days=3)
    rows.issue(EMBEDDING, days=8, answered=True)
    rows.issue(EMBEDDING, days=30)
    with rows.engine.connect() as conn:
        found = overview.weeks(conn, MINE, now=rows.clock.now(), count=3)
    assert found == [Week(), Week(1, 1, 0), Week(3, 1, 1)]
    assert found[2].without == 1


def test_rightness_keeps_what_is_decided_and_what_is_not_apart(rows: Rows):
    targets = [rows.issue(EMBEDDING, days=1, answered=True) for _ in range(4)]
    rows.dispute(targets[0])
    rows.dispute(targets[1], by="maintainer")
    with rows.engine.connect() as conn:
        assert overview.rightness(conn, MINE) == Rightness(4, 1, 1)
        assert overview.rightness(conn, (12345,)) == Rightness(0, 0, 0)


def test_the_time_to_a_comment_begins_with_the_report(rows: Rows):
    for seconds in (9.0, 3.0, 5.0):
        rows.issue(EMBEDDING, days=1, answered=True, seconds=seconds)
    rows.issue(EMBEDDING, days=1)
    with rows.engine.connect() as conn:
        found = overview.seconds_to_comment(conn, MINE, since=rows.clock.now() - 7 * DAY)
    assert found == pytest.approx([3.0, 5.0, 9.0], abs=1.0)


def test_the_most_frequent_panics(rows: Rows):
    for days in (1, 2, 100):
        rows.issue(EMBEDDING, days=days)
    rows.issue(unknown_panic(), days=5, state="closed")
    known, unknown = verdict(EMBEDDING)["fingerprint"], verdict(unknown_panic())["fingerprint"]
    now = rows.clock.now()
    with rows.engine.connect() as conn:
        found = panics.most_frequent(conn, MINE, since=now - 84 * DAY)
        assert [(p.fingerprint, p.entry, p.issues, p.open) for p in found] == [
            (known, "KB-0001", 2, 2),
            (unknown, None, 1, 0),
        ]
        assert (found[0].first_at, found[0].last_at) == (iso(now - 2 * DAY), iso(now - DAY))
        assert panics.unexplained(conn, MINE) == [(unknown, 1)]
        assert [p.issues for p in panics.several(conn, MINE, [unknown, "fp1:none", known])] == [1, 3]
        assert panics.most_frequent(conn, (12345,)) == []


def test_a_panic_that_has_an_entry_by_now_is_explained_whatever_older_issues_were_told(rows: Rows):
    rows.issue(EMBEDDING, days=2)
    last = rows.issue(EMBEDDING, days=1)
    with rows.engine.begin() as conn:
        conn.execute(update(occurrences).where(occurrences.c.issue_id != last.issue_id).values(entry=None))
        assert panics.unexplained(conn, MINE) == []
        conn.execute(update(occurrences).where(occurrences.c.repo_id == MINE[0]).values(entry=None))
        assert panics.unexplained(conn, MINE) == [(verdict(EMBEDDING)["fingerprint"], 2)]


def test_new_is_what_no_issue_showed_before(rows: Rows):
    rows.issue(EMBEDDING, days=100)
    rows.issue(EMBEDDING, days=1)
    rows.issue(unknown_panic(), days=2)
    with rows.engine.connect() as conn:
        found = panics.new_since(conn, MINE, since=rows.clock.now() - 7 * DAY)
    assert [(p.fingerprint, p.issues) for p in found] == [(verdict(unknown_panic())["fingerprint"], 1)]


def test_issues_by_week(rows: Rows):
    for days in (1, 2, 10, 80):
        rows.issue(EMBEDDING, days=days)
    print_ = verdict(EMBEDDING)["fingerprint"]
    with rows.engine.connect() as conn:
        found = panics.by_week(conn, MINE, [print_, "fp1:none"], now=rows.clock.now(), count=3)
    assert found == {print_: [0, 1, 2], "fp1:none": [0, 0, 0]}


def test_one_panic_with_its_issues_and_verdicts(rows: Rows):
    first, second = rows.issue(EMBEDDING, days=3), rows.issue(EMBEDDING, days=1)
    print_ = verdict(EMBEDDING)["fingerprint"]
    with rows.engine.connect() as conn:
        seen = panics.issues_of(conn, MINE, print_)
        assert [one.number for one in seen] == [second.number, first.number]
        assert set(panics.verdict_ids(conn, seen)) == {(t.repo_id, t.issue_id) for t in (first, second)}
        assert panics.newest_verdicts(conn, MINE, [print_], limit=1) == {print_: [verdict(EMBEDDING)]}
        assert len(panics.newest_verdicts(conn, (*MINE, THEIRS), [print_])[print_]) == 3
        assert panics.newest_verdicts(conn, (), [print_]) == {print_: []}
        assert panics.one(conn, (12345,), print_) is None


def test_alarms_and_choices_are_ones_own(rows: Rows):
    rows.alarm(rows.issue(EMBEDDING, days=1))
    rows.configuration(error="`mode` must be one of on, shadow, off")
    with rows.engine.connect() as conn:
        assert [alarm.comment_id for alarm in overview.standing_alarms(conn, MINE)] == [77]
        assert [one.repo for one in overview.chosen(conn, MINE)] == [board_world.REPO]
        assert overview.repo_of_alarm(conn, 99) == THEIRS
        assert overview.repo_of_alarm(conn, 5) is None


BIG = ("verdicts", "deliveries", "intents", "occurrences", "answers", "first_looks")
NOW = 1_800_000_000.0
QUERIES = {
    "weeks": lambda conn: overview.weeks(conn, MINE, now=NOW, count=12),
    "rightness": lambda conn: overview.rightness(conn, MINE),
    "seconds": lambda conn: overview.seconds_to_comment(conn, MINE, since=1.0),
    "frequent": lambda conn: panics.most_frequent(conn, MINE, since=NOW),
    "unexplained": lambda conn: panics.unexplained(conn, MINE),
    "several": lambda conn: panics.several(conn, MINE, ["fp1:x"]),
    "new": lambda conn: panics.new_since(conn, MINE, since=NOW),
    "one": lambda conn: panics.one(conn, MINE, "fp1:x"),
    "by week": lambda conn: panics.by_week(conn, MINE, ["fp1:x"], now=NOW, count=12),
    "issues": lambda conn: panics.issues_of(conn, MINE, "fp1:x"),
    "newest": lambda conn: panics.newest_verdicts(conn, (*MINE, THEIRS), ["fp1:x"]),
}


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_walks_through_a_big_table(engine: Engine, name: str):
    assert whole_walks(engine, QUERIES[name], BIG) == []


def test_a_walk_would_be_seen(engine: Engine):
    from sqlalchemy import select

    from bot.store.schema import verdicts

    found = whole_walks(engine, lambda conn: conn.execute(select(verdicts.c.reason)), BIG)
    assert len(found) == 1
