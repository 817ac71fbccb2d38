"""The queries of verdicts, entries and inbox: whose rows they see, in which order, and that no table is walked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, Engine

from bot.store import deliveries
from bot.store.board import entries, inbox, verdicts
from bot.store.board.entries import Use
from bot.store.board.verdicts import Filters
from tests.bot.store.board_plans import whole_walks
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import Rows, unknown_panic
from tests.fakes.clock import FakeClock

MINE = (board_world.REPO_ID,)
SECOND, THEIRS = 555, 666
LARGE = ("verdicts", "deliveries", "answers", "disputes", "intents", "issues", "occurrences", "reactions")


@pytest.fixture
def rows(engine: Engine, clock: FakeClock) -> Rows:
    """Ours; another tenant has as many, among ours in time."""
    board_world.install(engine)
    board_world.install(engine, THEIRS, "someone/else", 72)
    other = Rows(engine, clock, THEIRS, "someone/else")
    for day in range(4):
        other.dispute(other.issue(world.EMBEDDING, days=day + 0.5, answered=True))
    return Rows(engine, clock)


def test_lists_of_several_repositories_are_one_list(rows: Rows):
    second = Rows(rows.engine, rows.clock, SECOND, "tracel-ai/cubecl")
    for day in range(6):
        (rows if day % 2 else second).issue(world.EMBEDDING if day % 3 else unknown_panic(), days=day)
    with rows.engine.connect() as conn:
        first = verdicts.page(conn, (*MINE, SECOND), Filters(), before=None, limit=4)
        rest = verdicts.page(conn, (*MINE, SECOND), Filters(), before=first[-1].key, limit=4)
        explained = verdicts.page(conn, (*MINE, SECOND), Filters(entry="KB-0001"), before=None, limit=9)
    seen = [*first, *rest]
    assert len(seen) == 6
    assert seen == sorted(seen, key=lambda row: row.key, reverse=True)
    assert {row.repo_id for row in seen} == {*MINE, SECOND}
    assert len(explained) == 4


def test_another_tenants_rows_are_none(rows: Rows):
    mine = rows.issue(world.EMBEDDING, days=1)
    with rows.engine.connect() as conn:
        theirs = verdicts.page(conn, (THEIRS,), Filters(), before=None, limit=1)[0]
        came = inbox.page(conn, (THEIRS,), limit=1)[0]
        assert verdicts.one(conn, MINE, theirs.id) is None
        assert verdicts.one(conn, (THEIRS,), theirs.id) == theirs
        assert inbox.one(conn, MINE, came.id) is None
        assert [row.issue_id for row in verdicts.page(conn, MINE, Filters(), before=None, limit=9)] == [mine.issue_id]
        assert [row.issue_id for row in inbox.page(conn, MINE, limit=9)] == [mine.issue_id]
        assert (verdicts.one(conn, MINE, 0), verdicts.one(conn, MINE, 2**80)) == (None, None)


def test_entries_keep_what_is_decided_and_what_is_not_apart(rows: Rows):
    targets = [rows.issue(world.EMBEDDING, days=1, answered=True) for _ in range(5)]
    rows.dispute(targets[0])
    rows.dispute(targets[1], by="maintainer")
    with rows.engine.connect() as conn:
        found = entries.uses(conn, MINE)
        assert entries.uses(conn, (12345,)) == {}
    assert found == {"KB-0001": Use(hits=5, right=0, wrong=1, disputed=1)}
    assert (found["KB-0001"].at_least, found["KB-0001"].at_most) == (60.0, 80.0)


def test_jobs_are_counted_by_what_became_of_them(rows: Rows, clock: FakeClock):
    for day in (3, 2, 1):
        rows.issue(world.EMBEDDING, days=day)
    with rows.engine.begin() as conn:
        ids = [came.id for came in inbox.page(conn, MINE, limit=9)]
        deliveries.settle(conn, ids[0], state="parked", reason="forbidden", now=clock.now())
        deliveries.settle(conn, ids[1], state="done", reason="answered", now=clock.now())
    with rows.engine.connect() as conn:
        waiting = inbox.waiting(conn, MINE)
        assert (waiting.jobs, waiting.oldest) == (1, pytest.approx(clock.now() - 3 * 86_400 + 1))
        assert inbox.parked_by_reason(conn, MINE) == [("forbidden", 1)]
        assert [came.id for came in inbox.page(conn, MINE, state="parked", limit=9)] == [ids[0]]
        assert [came.id for came in inbox.page(conn, MINE, state="queued", limit=9)] == [ids[2]]
        assert [came.id for came in inbox.page(conn, MINE, before=ids[0], limit=9)] == ids[1:]
        assert inbox.last_webhook(conn, MINE) == pytest.approx(clock.now() - 86_400 + 1)
        assert inbox.last_webhook(conn, (12345,)) is None


BOTH = (*MINE, THEIRS)
ASKED: dict[str, Callable[[Connection], Any]] = {
    "all": lambda conn: verdicts.page(conn, BOTH, Filters(), before=(9e9, 5), limit=40),
    "one outcome": lambda conn: verdicts.page(conn, BOTH, Filters(outcome="matched"), before=None, limit=40),
    "one entry": lambda conn: verdicts.page(conn, BOTH, Filters(entry="KB-0001"), before=(9e9, 5), limit=40),
    "one week": lambda conn: verdicts.page(conn, BOTH, Filters(since=1.0, until=9e9), before=None, limit=40),
    "entries": lambda conn: entries.uses(conn, BOTH),
    "deliveries": lambda conn: inbox.page(conn, BOTH, before=10**9, limit=40),
    "parked": lambda conn: inbox.page(conn, BOTH, state="parked", limit=40),
    "parked by reason": lambda conn: inbox.parked_by_reason(conn, BOTH),
    "queued": lambda conn: inbox.page(conn, BOTH, state="queued", limit=40),
    "waiting": lambda conn: inbox.waiting(conn, BOTH),
    "missing": lambda conn: inbox.found_missing(conn, BOTH, 1.0),
    "last webhook": lambda conn: inbox.last_webhook(conn, BOTH),
}


@pytest.mark.parametrize("name", ASKED)
def test_no_list_walks_through_a_table(rows: Rows, name: str):
    rows.issue(world.EMBEDDING, days=1, answered=True)
    assert whole_walks(rows.engine, ASKED[name], LARGE) == []


def test_nor_does_a_verdict(rows: Rows):
    rows.issue(world.EMBEDDING, days=1, answered=True)

    def everything(conn: Connection) -> None:
        row = verdicts.page(conn, MINE, Filters(), before=None, limit=1)[0]
        for ask in (
            verdicts.revisions, verdicts.writes, verdicts.events, verdicts.memory, verdicts.said, verdicts.decided,
            verdicts.thumbs,
        ):  # fmt: skip
            ask(conn, row)
        verdicts.contents(conn, [row.id])
        assert verdicts.target(conn, row) is not None

    assert whole_walks(rows.engine, everything, LARGE) == []
