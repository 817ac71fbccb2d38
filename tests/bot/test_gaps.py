"""What no webhook told of comes in all the same, once: by the delivery log, and by the issues themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Engine

from bot.chores import Chore, Chores
from bot.clock import iso
from bot.errors import TransientError
from bot.gaps import LOG_SECONDS, OVERLAP_SECONDS, Gaps
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.ports import DeliverySummary, Installation, ListedIssue, LoggedDelivery, Target
from bot.store import chores, deliveries, installations, issues
from bot.triage.snapshot import IssueMemory, IssueSnapshot
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import guid, payload

REPO = "tracel-ai/burn"


@dataclass
class Log:
    """GitHub as the gaps see it: its delivery log, installations and issue lists."""

    logged: list[LoggedDelivery] = field(default_factory=list)
    listed: list[ListedIssue] = field(default_factory=list)
    installed: list[Installation] = field(default_factory=lambda: [Installation(11, "tracel-ai", False)])
    since: list[str] = field(default_factory=list)
    reads: int = 0

    def add(self, event: str = "issues", status: int = 503, guid_: str = "", **changes: Any) -> str:
        name = guid_ or guid()
        summary = DeliverySummary(len(self.logged), name, "2026-11-30T11:00:00Z", event, None, status, False, 11, 5)
        self.logged.append(LoggedDelivery(summary, {}, payload(**changes)))
        return name

    def list_deliveries(self, *, since: str) -> Iterator[DeliverySummary]:
        self.since.append(since)
        return (one.summary for one in self.logged)

    def read_delivery(self, delivery_id: int) -> LoggedDelivery:
        self.reads += 1
        return self.logged[delivery_id]

    def redeliver(self, delivery_id: int) -> None:
        raise AssertionError("the sweep reads what it needs")

    def installations(self) -> Iterator[Installation]:
        return iter(self.installed)

    def repositories(self, installation_id: int) -> Iterator[str]:
        return iter([REPO])

    def list_issues(self, repo: str, *, installation_id: int | None, since: str) -> Iterator[ListedIssue]:
        self.since.append(since)
        return iter(self.listed)

    def read_issue(self, repo: str, number: int, *, installation_id: int | None, people: Any = ()) -> IssueSnapshot:
        self.reads += 1
        return IssueSnapshot(repo, 5, number, number * 10, "", "", "ann", False, "", "")


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def gaps(engine: Engine, clock: FakeClock, log: Log) -> Gaps:
    return Gaps(engine, clock, Inbox(engine, JobQueue(engine), clock), log, log, log, "burn-triage[bot]")


def stored(engine: Engine) -> list[deliveries.StoredDelivery]:
    with engine.connect() as conn:
        return list(deliveries.recent(conn))


def listed(number: int, updated: float) -> ListedIssue:
    return ListedIssue(number, number * 10, "2026-11-30T10:00:00Z", iso(updated), False)


def test_a_delivery_that_did_not_arrive_is_taken_in_once(gaps: Gaps, engine: Engine, log: Log):
    missed = log.add()
    found = [gaps.sweep(None), gaps.sweep(None)]
    [row] = stored(engine)
    with engine.connect() as conn:
        raw = deliveries.payload(conn, row.id)
    assert (found, row.delivery.guid, row.state, log.reads) == ([1, 0], missed, "queued", 1)
    assert raw is not None
    assert json.loads(raw) == payload()


def test_what_arrived_is_not_asked_for(gaps: Gaps, log: Log):
    name = log.add()
    gaps.sweep(None)
    log.add(guid_=name, status=202)
    log.add(guid_=name, status=503)
    assert (gaps.sweep(None), log.reads) == (0, 1)


def test_one_guid_with_two_failed_attempts_is_one_delivery(gaps: Gaps, engine: Engine, log: Log):
    name = log.add()
    log.add(guid_=name)
    assert (gaps.sweep(None), len(stored(engine))) == (1, 1)


def test_the_sweep_obeys_the_rules_of_the_inbox(gaps: Gaps, engine: Engine, log: Log):
    log.add("push")
    log.add(sender={"login": "burn-triage[bot]", "type": "Bot"})
    gaps.sweep(None)
    assert sorted(row.reason for row in stored(engine)) == ["event_not_handled", "own_event"]


def test_the_sweep_looks_back_to_where_it_got_and_a_little_more(gaps: Gaps, log: Log, clock: FakeClock):
    now = clock.now()
    for covered in (None, now - 100, now - 10 * LOG_SECONDS):
        gaps.sweep(covered)
    assert log.since == [iso(now - LOG_SECONDS), iso(now - 100 - OVERLAP_SECONDS), iso(now - LOG_SECONDS)]


def test_an_issue_that_changed_unheard_becomes_a_delivery_once(gaps: Gaps, engine: Engine, log: Log, clock: FakeClock):
    log.listed = [listed(7, clock.now() - 50)]
    found = [gaps.reconcile(None), gaps.reconcile(None)]
    [row] = stored(engine)
    kept = (
        row.delivery.event,
        row.delivery.action,
        row.delivery.partition,
        row.delivery.repo_id,
        row.delivery.issue_id,
    )
    assert (found, kept) == ([1, 0], ("issues", "reconciled", "tracel-ai/burn#7", 5, 70))


def test_an_issue_that_a_job_saw_after_its_last_change_is_covered(
    gaps: Gaps, engine: Engine, log: Log, clock: FakeClock
):
    log.listed = [listed(7, clock.now() - 50), listed(8, clock.now() - 50)]
    with engine.begin() as conn:
        issues.write(conn, Target(REPO, 5, 7, 70, 11), IssueMemory(), clock.now() - 49)
        issues.write(conn, Target(REPO, 5, 8, 80, 11), IssueMemory(), clock.now() - 51)
    found = gaps.reconcile(None)
    assert (found, [row.delivery.issue for row in stored(engine)]) == (1, [8])


def test_an_issue_whose_job_waits_is_covered(gaps: Gaps, engine: Engine, log: Log, clock: FakeClock):
    log.add()
    gaps.sweep(None)
    log.listed = [listed(7, clock.now())]
    assert (gaps.reconcile(None), len(stored(engine))) == (0, 1)


def test_reconciling_begins_at_the_installation(gaps: Gaps, engine: Engine, log: Log, clock: FakeClock):
    with engine.begin() as conn:
        installations.add_repository(conn, 5, "Tracel-AI/Burn", 11, "2026-11-01T00:00:00Z")
    gaps.reconcile(None)
    gaps.reconcile(clock.now())
    assert log.since == ["2026-11-01T00:00:00Z", iso(clock.now() - OVERLAP_SECONDS)]


def test_a_repository_of_an_installation_we_never_heard_of_is_ours_since_the_installation(
    gaps: Gaps, engine: Engine, log: Log, clock: FakeClock
):
    log.installed = [Installation(11, "tracel-ai", False, "2026-11-29T00:00:00Z")]
    log.listed = [listed(7, clock.now() - 50)]
    gaps.reconcile(clock.now() - 60)
    with engine.connect() as conn:
        known = installations.find_repository(conn, REPO)
    assert known is not None
    assert (log.since, known.installed_at) == (["2026-11-29T00:00:00Z"], "2026-11-29T00:00:00Z")


def test_a_repository_added_unheard_is_ours_since_we_last_looked(
    gaps: Gaps, engine: Engine, log: Log, clock: FakeClock
):
    log.installed = [Installation(11, "tracel-ai", False, "2020-01-01T00:00:00Z")]
    with engine.begin() as conn:
        installations.add(conn, 11, "tracel-ai", "2020-01-01T00:00:00Z")
    gaps.reconcile(clock.now() - 100)
    assert log.since == [iso(clock.now() - 100)]


def test_a_suspended_installation_is_passed_over(gaps: Gaps, log: Log, clock: FakeClock):
    log.installed = [Installation(11, "tracel-ai", True)]
    log.listed = [listed(7, clock.now())]
    assert gaps.reconcile(None) == 0


def test_a_chore_runs_when_it_is_due_by_one_worker(engine: Engine, clock: FakeClock):
    ran: list[float | None] = []
    chore = Chore("sweep", 600.0, lambda covered: ran.append(covered) or 3)
    workers = [Chores(engine, clock, [chore]) for _ in range(2)]
    began = clock.now()
    first = [worker.run_if_due(chore) for worker in workers]
    clock.sleep(599)
    early = workers[1].run_if_due(chore)
    at_start = workers[1].run_if_due(chore, limit=30.0)
    with engine.connect() as conn:
        [row] = chores.all_chores(conn)
    assert (first, early, at_start, ran) == ([True, False], False, True, [None, began])
    assert (row.found, row.reason, row.covered_until) == (3, "", began + 599)


@pytest.mark.parametrize("fault", [TransientError("server_error", "502"), TypeError("nobody foresaw")], ids=repr)
def test_a_failed_chore_starts_next_time_from_where_the_last_good_one_got(
    engine: Engine, clock: FakeClock, fault: Exception
):
    seen: list[float | None] = []

    def run(covered: float | None) -> int:
        seen.append(covered)
        if len(seen) == 2:
            raise fault
        return 0

    chore = Chore("reconcile", 60.0, run)
    began = clock.now()
    outcomes = []
    for _ in range(3):
        outcomes.append(Chores(engine, clock, [chore]).run_if_due(chore))
        clock.sleep(60)
    with engine.connect() as conn:
        row = chores.read(conn, "reconcile")
    assert row is not None
    assert (outcomes, seen, row.reason) == ([True, False, True], [None, began, began], "")


def test_a_clock_that_was_set_back_keeps_no_chore_waiting_and_believes_nothing_to_come(
    engine: Engine, clock: FakeClock
):
    seen: list[float | None] = []
    chore = Chore("sweep", 600.0, lambda covered: seen.append(covered) or 0)
    worker = Chores(engine, clock, [chore])
    ran = [worker.run_if_due(chore)]
    clock.moment -= 7 * 86_400
    began = clock.now()
    ran.append(worker.run_if_due(chore))
    clock.sleep(600)
    ran.append(worker.run_if_due(chore))
    assert (ran, seen) == ([True] * 3, [None, None, began])


def test_a_job_that_ended_in_times_to_come_covers_nothing(gaps: Gaps, engine: Engine, log: Log, clock: FakeClock):
    with engine.begin() as conn:
        issues.write(conn, Target(REPO, 5, 7, 70, 11), IssueMemory(), clock.now() + 86_400)
    log.listed = [listed(7, clock.now())]
    assert [gaps.reconcile(None), gaps.reconcile(None)] == [1, 0]
