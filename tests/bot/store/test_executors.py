"""Workers' names: never two holders at once, and the name of a dead worker comes back into use."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

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


def test_the_name_of_a_silent_worker_is_used_again(engine: Engine):
    lease_name(engine, "a", 1000.0)
    names = [lease_name(engine, "b", 1029.9).id, lease_name(engine, "c", 1030.0).id]
    assert names == ["worker-2", "worker-1"]


def test_the_name_of_a_surely_dead_worker_is_used_at_once(engine: Engine):
    lease_name(engine, "a", 1000.0)
    assert lease_name(engine, "b", 1001.0, dead=True).id == "worker-1"


def test_only_one_takes_a_silent_name_over(engine: Engine):
    silent, mine = lease_name(engine, "a", 1000.0), lease_name(engine, "b", 1040.0)
    assert mine.id == "worker-1"
    other = Lease("worker-9", "c", "here", 1, 1100.0)

    def take(holder: Lease) -> bool:
        with engine.begin() as conn:
            return executors.take_over(conn, mine, holder, 1080.0)

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(take, [other] * 4))
    assert sorted(taken) == [False, False, False, True]
    assert silent.holder != mine.holder


def test_a_worker_that_lost_its_name_is_told_so(engine: Engine):
    late = lease_name(engine, "a", 1000.0)
    lease_name(engine, "b", 1050.0)
    with engine.begin() as conn:
        renewed = executors.renew(conn, late, now=1051.0, seconds=30)
    assert renewed is None


def test_the_living_are_counted(engine: Engine):
    lease_name(engine, "a", 1000.0)
    lease_name(engine, "b", 1020.0)
    with engine.begin() as conn:
        counted = [executors.alive(conn, now) for now in (1021.0, 1031.0, 1051.0)]
    assert counted == [2, 1, 0]


def test_a_released_name_is_free(engine: Engine, clock: FakeClock):
    keeper, other = LeaseKeeper(engine, clock, 30.0), LeaseKeeper(engine, clock, 30.0, clock.now)
    first = keeper.acquire()
    second = other.acquire()
    keeper.release()
    clock.sleep(0.001)
    assert other.silent() == []
    clock.sleep(15)
    silent = [lease.id for lease in other.silent()]
    assert (first.id, second.id, silent) == ("worker-1", "worker-2", ["worker-1"])


def test_a_name_taken_over_is_handed_back(engine: Engine, clock: FakeClock):
    gone, here = LeaseKeeper(engine, clock, 30.0), LeaseKeeper(engine, clock, 30.0, clock.now)
    gone.acquire()
    here.acquire()
    silent = []
    for pause in (20, 11, 15):
        clock.sleep(pause)
        assert here.renew()
        silent.append(here.silent())
    [lease] = silent.pop()
    took = [here.take_over(lease), here.take_over(lease)]
    here.hand_back(lease.id)
    assert (silent, took, gone.renew()) == ([[], []], [True, False], False)


def test_a_clock_set_forward_takes_no_name_from_the_living(engine: Engine, clock: FakeClock):
    passed = FakeClock(0.0)
    keepers = [LeaseKeeper(engine, clock, 30.0, passed.now) for _ in range(2)]
    for keeper in keepers:
        keeper.acquire()
    clock.sleep(86_400)
    seen = []
    for _ in range(6):
        seen += [keeper.silent() for keeper in keepers]
        assert all(keeper.renew() for keeper in keepers)
        passed.sleep(7.5)
    assert seen == [[]] * 12


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
