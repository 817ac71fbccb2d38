"""Workers' names: never two holders at once, and the name of a dead worker comes back into use."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from bot.lease import LeaseKeeper, is_dead, this_place
from bot.store import executors
from bot.store.executors import Lease
from tests.fakes.clock import FakeClock


def lease_name(engine: Engine, holder: str, now: float, dead: bool = False) -> Lease:
    with engine.begin() as conn:
        return executors.acquire(conn, holder=holder, place="here", pid=1, now=now, seconds=30, dead=lambda _: dead)


def test_each_worker_gets_a_name_of_its_own(engine: Engine):
    names = [lease_name(engine, holder, 1000.0).id for holder in ("a", "b", "c")]
    assert names == ["worker-1", "worker-2", "worker-3"]


def test_workers_that_start_together_get_names_of_their_own(engine: Engine):
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda n: lease_name(engine, f"h{n}", 1000.0).id, range(8)))
    assert len(set(names)) == 8


def test_a_name_that_was_given_back_is_used_again_at_once(engine: Engine):
    first = lease_name(engine, "a", 1000.0)
    with engine.begin() as conn:
        executors.release(conn, first, 1001.0)
    names = [lease_name(engine, "b", 1001.0).id, lease_name(engine, "c", 1001.0).id]
    assert names == ["worker-1", "worker-2"]


def test_a_clock_set_forward_gives_nobody_the_name_of_the_living(engine: Engine):
    """A worker that starts just then cannot know whether the lease ran out or the clock ran away."""
    living = lease_name(engine, "a", 1000.0)
    name = lease_name(engine, "b", 1000.0 + 86_400).id
    with engine.begin() as conn:
        renewed = executors.renew(conn, living, now=1001.0 + 86_400, seconds=30)
    assert (name, renewed is not None) == ("worker-2", True)


def test_the_name_of_one_that_may_only_sleep_rests_for_a_day(engine: Engine):
    asleep = lease_name(engine, "a", 1000.0)
    with engine.begin() as conn:
        executors.release(conn, asleep, 1030.0, left=executors.RETIRED)
    names = [lease_name(engine, "b", 1031.0).id, lease_name(engine, "c", 1030.0 + 86_400).id]
    assert names == ["worker-2", "worker-1"]


def test_the_name_of_a_surely_dead_worker_is_used_at_once(engine: Engine):
    lease_name(engine, "a", 1000.0)
    assert lease_name(engine, "b", 1001.0, dead=True).id == "worker-1"


def test_only_one_takes_a_silent_name_over(engine: Engine):
    silent = lease_name(engine, "a", 1000.0)
    other = Lease("worker-9", "c", "here", 1, 1100.0)

    def take(holder: Lease) -> bool:
        with engine.begin() as conn:
            return executors.take_over(conn, silent, holder, 1080.0)

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(take, [other] * 4))
    assert sorted(taken) == [False, False, False, True]


def test_a_worker_that_lost_its_name_is_told_so(engine: Engine):
    late = lease_name(engine, "a", 1000.0)
    with engine.begin() as conn:
        assert executors.take_over(conn, late, Lease("worker-9", "c", "here", 1, 1100.0), 1050.0)
        renewed = executors.renew(conn, late, now=1051.0, seconds=30)
    assert renewed is None


def test_the_living_are_counted(engine: Engine):
    lease_name(engine, "a", 1000.0)
    lease_name(engine, "b", 1020.0)
    with engine.begin() as conn:
        counted = [executors.alive(conn, now) for now in (1021.0, 1031.0, 1051.0)]
    assert counted == [2, 1, 0]


@pytest.fixture
def passed() -> FakeClock:
    """Time that nobody can set."""
    return FakeClock(0.0)


Keepers = Callable[[int], list[LeaseKeeper]]


@pytest.fixture
def keepers(engine: Engine, clock: FakeClock, passed: FakeClock) -> Keepers:
    def make(number: int) -> list[LeaseKeeper]:
        made = [LeaseKeeper(engine, clock, 30.0, passed.now) for _ in range(number)]
        for keeper in made:
            keeper.acquire()
        return made

    return make


def test_the_jobs_of_a_name_that_was_given_back_can_be_had_at_once(keepers: Keepers):
    first, second = keepers(2)
    first.release()
    assert [lease.id for lease in second.silent()] == ["worker-1"]


def test_a_silent_worker_loses_its_name_after_a_whole_lease(keepers: Keepers, clock: FakeClock, passed: FakeClock):
    gone, here = keepers(2)
    silent = []
    for pause in (0, 20, 9.9, 0.1):
        clock.sleep(pause)
        passed.sleep(pause)
        assert here.renew()
        silent.append(here.silent())
    [lease] = silent.pop()
    took = [here.take_over(lease), here.take_over(lease)]
    here.hand_back(lease)
    assert (silent, took, gone.renew()) == ([[], [], []], [True, False], False)


@pytest.mark.parametrize("jump", [86_400, -86_400])
def test_a_clock_that_is_set_takes_no_name_from_the_living(
    keepers: Keepers, clock: FakeClock, passed: FakeClock, jump: float
):
    both = keepers(2)
    clock.moment += jump
    seen = []
    for _ in range(8):
        seen += [keeper.silent() for keeper in both]
        clock.sleep(7.5)
        passed.sleep(7.5)
        assert all(keeper.renew() for keeper in both)
    assert seen == [[]] * 16


@pytest.mark.parametrize("jump", [86_400, -86_400])
def test_a_clock_that_is_set_does_not_hide_the_dead(keepers: Keepers, clock: FakeClock, passed: FakeClock, jump: float):
    _gone, here = keepers(2)
    clock.moment += jump
    before = here.silent()
    passed.sleep(30)
    assert (before, [lease.id for lease in here.silent()]) == ([], ["worker-1"])


def test_a_lease_stops_being_valid_before_it_ends(engine: Engine, clock: FakeClock):
    keeper = LeaseKeeper(engine, clock, 30.0)
    before = keeper.is_valid()
    keeper.acquire()
    fresh = keeper.is_valid()
    keeper._renewed -= 25
    assert (before, fresh, keeper.is_valid()) == (False, True, False)


def test_a_process_is_dead_only_where_it_can_be_asked_after():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here = this_place()
    leases = [
        Lease("w", "h", here, ended.pid, 0.0),
        Lease("w", "h", here, os.getpid(), 0.0),
        Lease("w", "h", "elsewhere", ended.pid, 0.0),
        Lease("w", "h", "", ended.pid, 0.0),
    ]
    assert [is_dead(lease) for lease in leases] == [True, False, False, False]
