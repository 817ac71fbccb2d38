"""Threads take turns at writing: the next one begins when the one before has ended, and nobody waits for ever."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from bot.store.engine import BUSY, open_engine, trouble
from bot.store.turns import WritingInTurns, connector

Connect = Callable[[], WritingInTurns]


@pytest.fixture
def connect(tmp_path: Path) -> Connect:
    factory = connector(0.05)

    def make() -> WritingInTurns:
        made: WritingInTurns = sqlite3.connect(  # type: ignore[call-overload]
            tmp_path / "x.db", timeout=0, isolation_level="IMMEDIATE", check_same_thread=False, factory=factory
        )
        return made

    with make() as first:
        first.cursor().execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    return make


def write(connection: WritingInTurns, number: int) -> None:
    connection.cursor().execute("INSERT INTO t VALUES (?)", (number,))


ENDS = [WritingInTurns.commit, WritingInTurns.rollback, WritingInTurns.close]


@pytest.mark.parametrize("end", ENDS)
def test_the_turn_ends_with_the_transaction(connect: Connect, end: Callable[[WritingInTurns], None]):
    first, second = connect(), connect()
    write(first, 1)
    with pytest.raises(sqlite3.OperationalError, match="database is locked") as caught:
        write(second, 2)
    end(first)
    write(second, 3)
    assert (caught.value.sqlite_errorcode, second.in_transaction) == (sqlite3.SQLITE_BUSY, True)


def test_a_statement_that_failed_alone_takes_no_turn(connect: Connect, tmp_path: Path):
    first, second = connect(), connect()
    outsider = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    outsider.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError):
        write(first, 1)
    outsider.execute("ROLLBACK")
    write(second, 1)
    assert (first.mine, second.mine) == (False, True)


def test_who_only_reads_waits_for_nobody(connect: Connect):
    first, second = connect(), connect()
    write(first, 1)
    assert second.cursor().execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_it_is_told_as_busy(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}", busy_seconds=0.05)
    with engine.begin() as conn:
        conn.execute(text("CREATE TABLE t (n INTEGER)"))
    with engine.begin() as conn, engine.connect() as other:
        conn.execute(text("INSERT INTO t VALUES (1)"))
        with pytest.raises(OperationalError) as caught:
            other.execute(text("INSERT INTO t VALUES (2)"))
    assert trouble(caught.value) == BUSY


def test_many_threads_write_without_an_error(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}", pool_size=16)
    with engine.begin() as conn:
        conn.execute(text("CREATE TABLE t (n INTEGER)"))
    barrier = threading.Barrier(16)

    def many(number: int) -> None:
        barrier.wait()
        for _ in range(20):
            with engine.begin() as conn:
                conn.execute(text("INSERT INTO t VALUES (:n)"), {"n": number})

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(many, range(16)))
    with create_engine(engine.url).connect() as conn:
        assert conn.execute(text("SELECT count(*) FROM t")).scalar_one() == 320
