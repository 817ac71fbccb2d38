"""The write budget: GitHub's three limits hold in every window, and nobody waits longer than they ask."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, delete

from bot.errors import TransientError
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.pace import PATIENCE, Pace
from bot.store import budget, installations
from bot.store.budget import LATENESS, PUNCTUALITY, Limits
from bot.store.engine import open_engine
from bot.store.schema import writes
from tests.bench.bench_jobs import accept
from tests.fakes.clock import FakeClock

REAL = Limits(interval=1.0, per_minute=80, per_hour=500)


def write_times(engine: Engine, clock: FakeClock, limits: Limits, count: int) -> list[float]:
    """When `count` writes go out that are all wanted at once, by a caller with endless patience."""
    times = []
    with engine.begin() as conn:
        for _ in range(count):
            times.append(clock.now() + budget.reserve(conn, 1, limits, now=clock.now(), patience=1e9))
    return times


def most_in_window(times: list[float], window: float) -> int:
    return max(bisect_right(times, t + window - 1e-6) - i for i, t in enumerate(times))


def test_the_real_budget_holds_over_600_writes(engine: Engine, clock: FakeClock):
    times = write_times(engine, clock, REAL, 600)
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert min(gaps) >= 1.0 - 1e-6
    assert most_in_window(times, 60) <= 80
    assert most_in_window(times, 3600) == 500
    # Not slower than the limits ask: 500 in the first hour at one a second, the rest when the hour has passed.
    assert times[499] - times[0] == pytest.approx(499.0, abs=0.01)
    assert times[500] - times[0] == pytest.approx(3600.0 + LATENESS, abs=0.01)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pauses=st.lists(st.floats(0, 20), min_size=1, max_size=30),
    interval=st.sampled_from([0.0, 0.5, 3.0]),
    per_minute=st.integers(1, 6),
)
def test_any_rhythm_of_wishes_keeps_the_limits(engine: Engine, pauses: list[float], interval: float, per_minute: int):
    limits, clock, times = Limits(interval, per_minute, 1000), FakeClock(), []
    with engine.begin() as conn:
        conn.execute(delete(writes))
    with engine.begin() as conn:
        for pause in pauses:
            clock.sleep(pause)
            times.append(clock.now() + budget.reserve(conn, 1, limits, now=clock.now(), patience=1e9))
    assert times == sorted(times)
    assert most_in_window(times, 60) <= per_minute
    assert all(b - a >= interval - 1e-6 for a, b in itertools.pairwise(times))


def test_installations_do_not_wait_for_each_other(engine: Engine, clock: FakeClock):
    waits = []
    for installation in (1, 2, 1):
        with engine.begin() as conn:
            waits.append(budget.reserve(conn, installation, REAL, now=clock.now(), patience=9))
    assert waits == [0.0, 0.0, 1.0]


def test_an_impatient_caller_takes_no_place(engine: Engine, clock: FakeClock):
    limits = Limits(10.0, 80, 500)
    waits = []
    for _ in range(3):
        with engine.begin() as conn:
            waits.append(budget.reserve(conn, 1, limits, now=clock.now(), patience=5))
    assert waits == [0.0, 10.0, 10.0]


def test_nobody_writes_where_github_told_us_to_wait(engine: Engine, clock: FakeClock):
    with engine.begin() as conn:
        installations.hold(conn, 1, clock.now() + 60)
        installations.hold(conn, 1, clock.now() + 30)
        wait = budget.reserve(conn, 1, REAL, now=clock.now(), patience=5)
    assert wait == pytest.approx(60)


def test_the_pace_waits_for_a_near_turn_and_puts_off_a_far_one(engine: Engine, clock: FakeClock):
    pace = Pace(engine, clock, Limits(PATIENCE, 2, 500), lambda: True)
    pace(1, True)
    pace(1, True)
    with pytest.raises(TransientError) as caught:
        pace(1, True)
    assert (clock.slept, caught.value.reason) == ([pytest.approx(PATIENCE)], "budget")
    assert caught.value.retry_after == pytest.approx(60 + LATENESS - PATIENCE)


def test_nobody_writes_without_a_lease(engine: Engine, clock: FakeClock):
    with pytest.raises(TransientError) as caught:
        Pace(engine, clock, REAL, lambda: False)(1, True)
    assert caught.value.reason == "lease_lost"


def test_a_hold_of_the_pace_counts_for_all_workers(engine: Engine, clock: FakeClock):
    one, other = (Pace(engine, clock, REAL, lambda: True) for _ in range(2))
    one.hold(7, 90)
    with pytest.raises(TransientError) as caught:
        other(7, True)
    assert caught.value.retry_after == pytest.approx(90)


def test_a_clock_that_was_set_back_stops_no_writes(engine: Engine, clock: FakeClock):
    pace = Pace(engine, clock, REAL, lambda: True)
    for _ in range(70):
        pace(1, content=True)
    pace.hold(1, 1e9)
    clock.moment -= 7 * 86_400
    began = clock.now()
    for _ in range(3):
        pace(1, content=True)
    assert clock.now() - began == pytest.approx(2.0, abs=0.01)


def test_a_write_that_looked_for_long_moves_those_after_it(engine: Engine, clock: FakeClock):
    """They have their places, but not their moments."""
    late, next_one = (Pace(engine, clock, REAL, lambda: True) for _ in range(2))
    late(1, True)
    clock.sleep(0.9)
    late.at_last(1, True)
    went = clock.now()
    next_one(1, True)
    next_one.at_last(1, True)
    assert clock.now() - went == pytest.approx(1.0 * PUNCTUALITY)


def test_who_waits_for_a_place_is_told_to_wait_as_well(engine: Engine, clock: FakeClock):
    """GitHub refused somebody else meanwhile."""
    pace = Pace(engine, clock, REAL, lambda: True)
    pace(1, True)
    pace.hold(1, 60)
    with pytest.raises(TransientError) as caught:
        pace.at_last(1, True)
    assert (caught.value.reason, caught.value.retry_after) == ("budget", pytest.approx(60))


def test_a_lease_that_runs_out_during_the_wait_is_seen(engine: Engine, clock: FakeClock):
    held = iter([True, False])
    with pytest.raises(TransientError) as caught:
        Pace(engine, clock, REAL, lambda: next(held)).at_last(1, True)
    assert caught.value.reason == "lease_lost"


@pytest.mark.parametrize("jump", [-86_400.0, -3600.0, 7 * 86_400.0])
def test_a_jump_of_the_clock_stops_no_departure(engine: Engine, clock: FakeClock, jump: float):
    pace = Pace(engine, clock, REAL, lambda: True)
    for _ in range(3):
        pace(1, True)
        pace.at_last(1, True)
    clock.moment += jump
    began = clock.now()
    pace(1, True)
    pace.at_last(1, True)
    assert clock.now() - began <= PATIENCE


def test_those_who_wait_do_not_all_come_back_for_the_next_place(engine: Engine, clock: FakeClock):
    inbox = Inbox(engine, JobQueue(engine), clock)
    for number in range(1, 31):
        accept(inbox, number)
    spans = []
    pace = Pace(engine, clock, REAL, lambda: True, lambda low, high: spans.append((low, high)) or high)
    pace.hold(11, 60)
    with pytest.raises(TransientError) as caught:
        pace(11, True)
    assert (spans, caught.value.retry_after) == ([(0.0, 30.0)], pytest.approx(90))


def by_threads_of_two_workers(url: str, ask: Callable[[Connection], float], times: int) -> list[float]:
    """The answers, sorted. Each worker has connections of its own."""
    engines = [open_engine(url) for _ in range(2)]

    def one(n: int) -> float:
        with engines[n % 2].begin() as conn:
            return ask(conn)

    with ThreadPoolExecutor(16) as pool:
        found = sorted(pool.map(one, range(times)))
    for engine in engines:
        engine.dispose()
    return found


def test_threads_of_two_workers_share_one_budget(database_url: str, clock: FakeClock):
    """Nobody's place is less than a second from another's."""

    def ask(conn: Connection) -> float:
        return budget.reserve(conn, 1, REAL, now=clock.now(), patience=1e9)

    places = by_threads_of_two_workers(database_url, ask, 80)
    assert places == pytest.approx([float(n) for n in range(80)])


def test_threads_of_two_workers_depart_one_after_the_other(database_url: str, clock: FakeClock):
    def ask(conn: Connection) -> float:
        return budget.depart(conn, 1, REAL, now=clock.now(), patience=50.0)

    moments = by_threads_of_two_workers(database_url, ask, 32)
    assert moments == pytest.approx([n * PUNCTUALITY for n in range(32)])
