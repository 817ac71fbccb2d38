"""What the triggers keep of an issue is what a count over all rows would say, whatever happened and whoever wrote."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, delete, exists, func, insert, select, text, update

from bot.delivery import Delivery
from bot.feedback import RIGHT, SET, WRONG, Decided
from bot.ports import Target
from bot.store import answers, deliveries, occurrences, privacy, schema, verdicts
from bot.store.board.overview import WEEK, Week, weeks
from bot.store.occurrences import Occurrence
from tests.bot.store.upgrading import fill, tables_at, upgrade_to

BURN, OTHER = 5, 6
NOW = 100 * WEEK
VERDICT = {"outcome": "matched", "entry": "KB-0001", "fingerprint": "fp1:a", "catalog": "c"}
SHOWN = Occurrence("matched", "KB-0001", "fp1:a", None, "open", "2026-01-07T00:00:00Z")


def target(repo_id: int, number: int) -> Target:
    return Target(f"o/r{repo_id}", repo_id, number, number * 10, 11)


def look(conn: Connection, at: Target, guid: str, now: float, sender: str = "ann") -> None:
    """The same delivery again is a second run of its job."""
    event = Delivery(
        guid=guid, body_hash="h", event="issues", action="edited", installation_id=11, repo=at.repo,
        repo_id=at.repo_id, issue=at.number, issue_id=at.issue_id, sender=sender,
    )  # fmt: skip
    row = deliveries.add(conn, event, b"{}", now) or deliveries.find(conn, guid).id  # type: ignore[union-attr]
    if deliveries.find(conn, guid).state != "forgotten":  # type: ignore[union-attr]
        verdicts.write(conn, delivery_id=row, target=at, verdict=VERDICT, reason="answered", now=now)


def step(conn: Connection, kind: str, at: Target, which: int, now: float) -> None:
    """One thing that happens; `which` tells apart people, deliveries of an issue and answers to it."""
    word = Decided(f"matched|KB-0001|{which}", [RIGHT, WRONG, SET][which], None)
    doing: dict[str, Any] = {
        "look": lambda: look(conn, at, f"{at.repo_id}-{at.number}-{which}", now, f"person-{which}"),
        "show": lambda: occurrences.write(conn, at, SHOWN, now),
        "show nothing": lambda: occurrences.forget(conn, at),
        "close": lambda: occurrences.note_state(conn, at, "closed"),
        "answer": lambda: answers.give(conn, at, word.answer, 1, now),
        "decide": lambda: answers.decide(conn, at, word, now),
        "forget the issue": lambda: privacy.forget_issue(conn, at.repo, at.number, now),
        "forget a person": lambda: privacy.forget_person(conn, f"person-{which}", now),
        "delete the repository": lambda: purge(conn, at.repo_id),
    }
    doing[kind]()


KINDS = ["look", "look", "look", "show", "show nothing", "close", "answer", "answer", "decide", "forget the issue",
         "forget a person", "delete the repository"]  # fmt: skip


def purge(conn: Connection, repo_id: int) -> None:
    """As somebody does it at the database's own prompt."""
    for table in (schema.deliveries, schema.answers, schema.occurrences):
        conn.execute(delete(table).where(table.c.repo_id == repo_id))


def counted(conn: Connection) -> list[Any]:
    """What the table has to hold, from the rows themselves."""
    v, a, o = schema.verdicts.c, schema.answers.c, schema.occurrences.c
    answered = exists().where(a.repo_id == v.repo_id, a.issue_id == v.issue_id, a.decided != SET)
    panic = exists().where(o.repo_id == v.repo_id, o.issue_id == v.issue_id)
    each = select(v.repo_id, v.issue_id, func.min(v.created_at), answered, panic)
    return sorted(tuple(row) for row in conn.execute(each.group_by(v.repo_id, v.issue_id)))


def kept(conn: Connection) -> list[Any]:
    return sorted(tuple(row) for row in conn.execute(select(schema.first_looks)))


def by_week(rows: list[Any], repo_ids: tuple[int, ...], count: int) -> list[Week]:
    mine = [row for row in rows if row[0] in repo_ids]
    each = [[row for row in mine if int((NOW - row[2]) / WEEK) == back] for back in reversed(range(count))]
    return [Week(len(w), sum(bool(r[3]) for r in w), sum(bool(r[4]) and not r[3] for r in w)) for w in each]


HISTORY = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.builds(target, st.sampled_from([BURN, OTHER]), st.integers(1, 3)),
        st.integers(0, 2),
        st.floats(NOW - 6 * WEEK, NOW - 1, allow_subnormal=False).map(round),
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=HISTORY, cut=st.integers(1, 5))
def test_after_any_history_it_is_what_a_count_says(engine: Engine, history: list[Any], cut: int):
    with engine.connect() as conn:
        for kind, at, which, now in history:
            step(conn, kind, at, which, now)
        assert kept(conn) == counted(conn)
        for repo_ids in ((BURN,), (BURN, OTHER)):
            assert weeks(conn, repo_ids, now=NOW, count=cut) == by_week(counted(conn), repo_ids, cut)
        conn.rollback()


def test_rows_of_before_are_there_after_the_upgrade(empty: Engine):
    upgrade_to(empty, "0007")
    old = tables_at(empty)
    fill(empty, old)
    with empty.begin() as conn:
        row = {**conn.execute(select(old.tables["verdicts"])).mappings().one(), "id": 2, "created_at": 0.5}
        event = {**conn.execute(select(old.tables["deliveries"])).mappings().one(), "id": 2, "guid": "second"}
        conn.execute(insert(old.tables["deliveries"]).values(event))
        conn.execute(insert(old.tables["verdicts"]).values({**row, "delivery_id": 2}))
    upgrade_to(empty, "0008")
    with empty.connect() as conn:
        assert kept(conn) == [(5, 70, 0.5, True, True)]
        assert kept(conn) == counted(conn)


def test_code_that_does_not_know_the_table_keeps_it_right(empty: Engine):
    """A release before this one writes into the tables that it knows."""
    upgrade_to(empty, "0007")
    old = tables_at(empty)
    upgrade_to(empty, "0008")
    fill(empty, old)
    with empty.begin() as conn:
        assert kept(conn) == [(5, 70, 1.0, True, True)]
        conn.execute(update(old.tables["verdicts"]).values(created_at=7.0, issue_id=71))
        conn.execute(delete(old.tables["answers"]))
        assert kept(conn) == counted(conn) == [(5, 71, 7.0, False, False)]
        conn.execute(delete(old.tables["deliveries"]))
        assert kept(conn) == []


def test_two_who_change_one_issue_at_once_lose_nothing_of_each_other(postgres):
    """PostgreSQL: the second one does not see what the first one has not committed, and waits."""
    from bot.store.engine import open_engine

    engine, at = open_engine(postgres.make()), target(BURN, 1)
    with engine.begin() as conn:
        look(conn, at, "g", NOW - 5)

    def show() -> None:
        with engine.begin() as conn:
            occurrences.write(conn, at, SHOWN, NOW)

    with ThreadPoolExecutor(1) as pool, engine.connect() as watch:
        with engine.begin() as first:
            answers.give(first, at, "matched|KB-0001|x", 1, NOW)
            second = pool.submit(show)
            waiting = text("SELECT count(*) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0")
            while not watch.execute(waiting).scalar_one():
                watch.rollback()
                assert not second.done()
        second.result(10)
        assert kept(watch) == [(BURN, 10, NOW - 5, True, True)]
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path):
    from bot.store.engine import open_engine

    sqlite = request.param == "sqlite"
    found = open_engine(f"sqlite:///{tmp_path}/old.db" if sqlite else request.getfixturevalue("postgres").make_empty())
    yield found
    found.dispose()
