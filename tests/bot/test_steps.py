"""What each step of a job reads, decides, writes and remembers; and that a raw text is stored nowhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sqlalchemy import Engine

from bot import forgetting
from bot.clock import iso
from bot.delivery import describe
from bot.errors import TransientError
from bot.github.marker import body_hash
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.pace import Pace
from bot.ports import Target
from bot.steps import Steps, backoff
from bot.store import deliveries, disputes, installations, intents, issues
from bot.store.budget import Limits
from bot.store.chores import CLOCKS_DIFFER
from bot.triage.actions import DeleteComment, UpsertComment
from bot.triage.model import Outcome, PanicReport, Reading, SourceRef, Verdict
from bot.triage.snapshot import Decision, Dispute, IssueMemory, IssueSnapshot, Trigger
from tests.fakes.clock import FakeClock
from tests.fakes.databases import tables_holding
from tests.fakes.deliveries import body_of, guid, payload

OURS = "It is **known**."
PRIVATE = "panicked at /home/ann/burn/src/x.rs, mail ann@mail.de"
SNAPSHOT = IssueSnapshot(
    "tracel-ai/burn", 5, 7, 70, "It panics", PRIVATE, "ann", False, "2026-11-30T10:00:00Z", "2026-11-30T10:00:00Z"
)
VERDICT = Verdict(Outcome.UNKNOWN, Reading((PanicReport(PRIVATE, None, "rust_1_73", SourceRef("body")),)), catalog="c1")
TARGET = Target("tracel-ai/burn", 5, 7, 70, 11)


@dataclass
class World:
    """GitHub and the pure part, scripted; remembers what it was asked."""

    decision: Decision = field(
        default_factory=lambda: Decision((UpsertComment(OURS),), IssueMemory(), VERDICT, "answered")
    )
    answers: list[Any] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)

    def read_issue(self, repo: str, number: int, *, installation_id: int | None, people: Any = ()) -> IssueSnapshot:
        self.asked.append(("read", repo, number, installation_id, people(SNAPSHOT)))
        return SNAPSHOT

    def people(self, snapshot: IssueSnapshot, memory: IssueMemory) -> Collection[str]:
        return {snapshot.author}

    def handle(
        self,
        trigger: Trigger,
        snapshot: IssueSnapshot,
        memory: IssueMemory,
        _: Any,
        *,
        wrong_today: Mapping[str, int],
        **around: Any,
    ) -> Decision:
        self.asked.append(("handle", trigger, memory, dict(wrong_today)))
        return self.decision

    def publish(self, action: Any, target: Target, **known: Any) -> dict[str, Any]:
        self.asked.append(("publish", action, target, known))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def steps(engine: Engine, clock: FakeClock, world: World) -> Steps:
    pace = Pace(engine, clock, Limits(0, 100, 1000), lambda: True)
    return Steps(engine, clock, world, world, world, lambda _: None, pace)  # type: ignore[arg-type, return-value]


def accept(steps: Steps, event: str = "issues", **changes: Any) -> int:
    """Put a delivery into the inbox; its row number."""
    values = payload(**changes)
    delivery = describe(values, event=event, guid=guid(), body_hash="h", bot_login=None)
    Inbox(steps.engine, JobQueue(steps.engine), steps.clock).accept(delivery, body_of(values))
    with steps.engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert stored is not None
    return stored.id


def done(did: str = "created", comment_id: int = 900, body: str = "It is **known**.") -> dict[str, Any]:
    return {"did": did, "reason": "", "comment_id": comment_id, "body_hash": body_hash(body)}


def remembered(steps: Steps) -> IssueMemory | None:
    with steps.engine.connect() as conn:
        return issues.read(conn, 5, 70)


def run_whole(steps: Steps, row: int) -> None:
    plan = steps.decide(row)
    outcomes = [steps.publish(row, n, plan["target"], action) for n, action in enumerate(plan["actions"])]
    steps.finish(row, plan, outcomes, 0)


def test_deciding_reads_the_issue_as_the_installation_and_hands_over_what_is_known(steps: Steps, world: World):
    row = accept(steps, "issue_comment", action="created", comment={"id": 55})
    steps.decide(row)
    read, handled = world.asked
    assert read == ("read", "tracel-ai/burn", 7, 11, {"ann"})
    assert handled[1] == Trigger("issue_comment", "created", "ann", False, 55)


def test_a_new_issue_is_not_older_than_an_installation_we_never_heard_of(steps: Steps, world: World):
    steps.decide(accept(steps, action="opened"))
    steps.decide(accept(steps, action="edited"))
    assert {asked[2].installed_at for asked in world.asked if asked[0] == "handle"} == {"2026-11-30T10:00:00Z"}


def test_an_edit_does_not_make_an_old_issue_new(steps: Steps, world: World, clock: FakeClock):
    steps.decide(accept(steps, action="edited"))
    [installed] = {asked[2].installed_at for asked in world.asked if asked[0] == "handle"}
    assert installed > "2026-11-30T10:00:00Z"


def test_a_plan_holds_no_private_text(steps: Steps, world: World):
    world.decision = replace(
        world.decision,
        actions=(UpsertComment(PRIVATE),),
        memory=IssueMemory(asked=(PRIVATE,)),
        disputes=(Dispute("ann", "2026-11-30T11:00:00Z", PRIVATE, "author", "matched|KB-0001|x", True),),
    )
    assert "ann@mail.de" not in str(steps.decide(accept(steps)))


def test_the_intent_stands_before_the_write(steps: Steps, world: World, engine: Engine):
    row = accept(steps)
    plan = steps.decide(row)
    seen = []

    def publish(*_: Any, **__: Any) -> dict[str, Any]:
        with engine.connect() as conn:
            seen.extend(intents.of_delivery(conn, row))
        return done()

    world.publish = publish  # type: ignore[method-assign]
    steps.publish(row, 0, plan["target"], plan["actions"][0])
    with engine.connect() as conn:
        [after] = intents.of_delivery(conn, row)
    assert [(i.id, i.state) for i in seen] == [(f"{row}.0", "planned")]
    assert (after.state, after.did, after.comment_id) == ("done", "created", 900)


def test_what_was_published_is_remembered(steps: Steps, world: World):
    world.answers = [done()]
    run_whole(steps, accept(steps))
    memory = remembered(steps)
    assert memory is not None
    assert (memory.comment_id, memory.body_hash) == (900, body_hash("It is **known**."))


def test_the_next_job_knows_our_comment_and_all_we_ever_wrote(steps: Steps, world: World):
    world.answers = [done(), done("edited", body="Second")]
    run_whole(steps, accept(steps))
    memory = remembered(steps)
    assert memory is not None
    world.decision = replace(world.decision, actions=(UpsertComment("Second"),), memory=memory)
    run_whole(steps, accept(steps))
    known = world.asked[-1][3]
    assert known["comment_id"] == 900
    assert known["known_hashes"] == {body_hash("It is **known**."), body_hash("Second")}


def test_a_comment_that_a_person_edited_stays_as_we_remember_it(steps: Steps, world: World):
    world.decision = replace(world.decision, memory=IssueMemory(comment_id=900, body_hash="ours"))
    world.answers = [done("left", body="theirs") | {"reason": "edited_by_person"}]
    run_whole(steps, accept(steps))
    memory = remembered(steps)
    assert memory is not None
    assert (memory.comment_id, memory.body_hash) == (900, "ours")


def test_a_deleted_comment_is_forgotten(steps: Steps, world: World):
    world.decision = replace(
        world.decision, actions=(DeleteComment(),), memory=IssueMemory(comment_id=900, body_hash="h", state="deleted")
    )
    world.answers = [done("deleted")]
    run_whole(steps, accept(steps))
    assert remembered(steps) == IssueMemory(state="deleted", installed_at="")


def test_a_write_of_unknown_fate_is_on_record_and_tried_under_the_same_intent(
    steps: Steps, world: World, engine: Engine
):
    row = accept(steps)
    plan = steps.decide(row)
    world.answers = [TransientError("timeout", "no answer", 10.0), done()]
    with pytest.raises(TransientError):
        steps.publish(row, 0, plan["target"], plan["actions"][0])
    with engine.connect() as conn:
        [doubtful] = intents.of_delivery(conn, row)
    steps.publish(row, 0, plan["target"], plan["actions"][0])
    ids = [asked[3]["intent_id"] for asked in world.asked if asked[0] == "publish"]
    assert (doubtful.state, doubtful.reason, ids) == ("unknown", "timeout", [f"{row}.0"] * 2)


def test_another_body_at_the_second_try_leaves_both_on_record(steps: Steps, world: World, engine: Engine):
    row = accept(steps)
    plan = steps.decide(row)
    world.answers = [TransientError("timeout", "no answer", 10.0), done()]
    with pytest.raises(TransientError):
        steps.publish(row, 0, plan["target"], {"action": "UpsertComment", "body": "first"})
    steps.publish(row, 0, plan["target"], {"action": "UpsertComment", "body": "second"})
    with engine.connect() as conn:
        known = intents.body_hashes(conn, 5, 70)
    assert known == {body_hash("first"), body_hash("second")}


def test_a_rate_limit_holds_the_whole_installation(steps: Steps, world: World):
    row = accept(steps)
    plan = steps.decide(row)
    world.answers = [TransientError("rate_secondary", "slow down", 60.0)]
    with pytest.raises(TransientError):
        steps.publish(row, 0, plan["target"], plan["actions"][0])
    with pytest.raises(TransientError) as caught:
        steps.pace(11, True)
    assert caught.value.retry_after == pytest.approx(60)


def test_a_finished_delivery_is_done_with_its_reason(steps: Steps, world: World, engine: Engine):
    row = accept(steps)
    world.answers = [done()]
    run_whole(steps, row)
    with engine.connect() as conn:
        stored = deliveries.read(conn, row)
    assert stored is not None
    assert (stored.state, stored.reason) == ("done", "answered")


def test_a_decision_that_asks_for_another_try_is_remembered_and_not_done(steps: Steps, world: World, engine: Engine):
    row = accept(steps)
    world.decision = replace(world.decision, actions=(), retry="permission_unknown")
    wait = steps.finish(row, steps.decide(row), [], 0)
    with engine.connect() as conn:
        stored = deliveries.read(conn, row)
    assert stored is not None
    assert (wait is not None and wait > 0, stored.state, remembered(steps) is not None) == (True, "queued", True)


def test_disputes_count_over_all_issues_for_a_day(steps: Steps, world: World, engine: Engine, clock: FakeClock):
    at = "2026-11-30T11:00:00Z"
    world.decision = replace(
        world.decision, actions=(), disputes=(Dispute("Ann", at, PRIVATE, "author", "matched|KB-0001|x", True),)
    )
    for _ in range(2):
        run_whole(steps, accept(steps))
    with engine.connect() as conn:
        counted = [disputes.counts_since(conn, moment) for moment in ("2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z")]
    assert counted == [{"ann": 1}, {}]


def test_raw_text_stands_in_the_payload_alone(steps: Steps, world: World, engine: Engine):
    world.answers = [done()]
    row = accept(steps, issue={"number": 7, "id": 70, "body": PRIVATE, "created_at": "2026-11-30T10:00:00Z"})
    run_whole(steps, row)
    with engine.begin() as conn:
        before = [deliveries.payload(conn, row), tables_holding(conn, "ann@mail.de")]
        deliveries.drop_payloads(conn, before=steps.clock.now() + 1)
        after = tables_holding(conn, "ann@mail.de")
    assert b"ann@mail.de" in before[0]
    assert (before[1], after) == (["deliveries"], [])


def test_an_installation_is_kept_and_an_uninstalled_one_forgotten(
    steps: Steps, world: World, engine: Engine, clock: FakeClock
):
    began = iso(clock.now())
    repos = [{"id": 5, "full_name": "tracel-ai/burn"}, {"id": 6, "full_name": "tracel-ai/cubecl"}]
    hello = {"installation": {"id": 11, "account": {"login": "tracel-ai"}}, "repositories": repos, "issue": None}
    run_whole(steps, accept(steps, "installation", action="created", **hello))
    world.answers = [done()]
    run_whole(steps, accept(steps))
    [since] = [asked[2].installed_at for asked in world.asked if asked[0] == "handle"]
    row = accept(steps, "installation", action="deleted", **hello)
    run_whole(steps, row)
    forgetting.clear(engine, JobQueue(engine), steps.clock)
    clock.sleep(forgetting.STEP_SECONDS + 1)
    forgetting.clear(engine, JobQueue(engine), steps.clock)
    with engine.connect() as conn:
        left = {(stored.state, stored.delivery.partition) for stored in deliveries.recent(conn)}
        names = tables_holding(conn, "tracel-ai")
    assert since == began
    assert (remembered(steps), left) == (None, {("forgotten", "installation/None")})
    assert (names, JobQueue(engine).find()) == ([], [])


@pytest.mark.parametrize(
    ("told", "since"),
    [
        ("2026-11-30T09:00:00Z", "2026-11-30T09:00:00Z"),
        ("2026-11-30T10:00:00+01:00", "2026-11-30T09:00:00Z"),
        (1796029200, "2026-11-30T09:00:00Z"),
        (None, "2026-11-30T12:00:00Z"),
        ("soon", "2026-11-30T12:00:00Z"),
    ],
)
def test_the_installation_began_when_github_says_so(steps: Steps, engine: Engine, told: object, since: str):
    hello = {"installation": {"id": 11, "created_at": told}, "repositories": [{"id": 6, "full_name": "o/r"}]}
    run_whole(steps, accept(steps, "installation", action="created", issue=None, **hello))
    with engine.connect() as conn:
        found = installations.find_repository(conn, "O/R")
    assert found is not None
    assert found.installed_at == since


def test_repositories_come_and_go(steps: Steps, world: World, engine: Engine):
    repo = {"id": 6, "full_name": "tracel-ai/cubecl"}
    for action, key in (("added", "repositories_added"), ("removed", "repositories_removed")):
        run_whole(
            steps, accept(steps, "installation_repositories", action=action, issue=None, **{key: [repo, "odd", {}]})
        )
        with engine.begin() as conn:
            since = installations.note_repository(conn, 6, "tracel-ai/cubecl", 11, "never")
        assert since == ("never" if action == "removed" else iso(steps.clock.now()))


def test_a_job_leaves_its_work_to_a_later_one_that_waits(steps: Steps, world: World, engine: Engine):
    rows = [accept(steps), accept(steps, action="edited"), accept(steps, "issue_comment", action="created")]
    other = accept(steps, issue={"number": 8, "id": 80})
    reasons = [steps.decide(row)["reason"] for row in (*rows, other)]
    assert reasons == ["folded", "folded", "answered", "answered"]
    run_whole(steps, rows[0])
    with engine.connect() as conn:
        first = deliveries.read(conn, rows[0])
    assert first is not None
    assert (first.state, first.reason) == ("done", "folded")


def test_the_first_event_runs_at_once_and_later_ones_wait_for_the_dust_to_settle(
    steps: Steps, world: World, clock: FakeClock
):
    patient = replace(steps, settle_seconds=5.0)
    world.answers = [done(), done("edited")]
    run_whole(patient, accept(steps))
    clock.sleep(2)
    row = accept(steps, action="edited")
    with pytest.raises(TransientError) as caught:
        patient.decide(row)
    clock.sleep(3)
    settled = patient.decide(row)["reason"]
    assert (caught.value.reason, caught.value.retry_after, settled) == ("settling", pytest.approx(3.0), "answered")


def test_an_installation_is_taken_in_before_its_issues(steps: Steps, world: World):
    hello = {"installation": {"id": 11, "created_at": "2026-11-30T09:00:00Z"}, "repositories": [], "issue": None}
    installation = accept(steps, "installation", action="created", **hello)
    row = accept(steps)
    with pytest.raises(TransientError) as caught:
        steps.decide(row)
    run_whole(steps, installation)
    assert (caught.value.reason, steps.decide(row)["reason"]) == ("settling", "answered")


@pytest.mark.parametrize("jump", [-7 * 86_400.0, -86_400.0, -3600.0, -30.0, 7 * 86_400.0])
def test_a_jump_of_the_clock_holds_nobody_up(steps: Steps, world: World, clock: FakeClock, jump: float):
    """Clocks of two machines differ by a minute at most; what lies further ahead was written before a jump."""
    patient = replace(steps, settle_seconds=5.0)
    world.answers = [done()]
    run_whole(patient, accept(steps))
    clock.moment += jump
    began, row, reason = clock.now(), accept(steps), ""
    while not reason:
        try:
            reason = patient.decide(row)["reason"]
        except TransientError as error:
            clock.sleep(error.retry_after or 1.0)
    assert (reason, clock.now() - began <= CLOCKS_DIFFER + 5.0) == ("answered", True)


def test_a_delivery_that_was_purged_ends_quietly(steps: Steps):
    assert steps.decide(12345)["reason"] == "forgotten"


def test_waits_grow_and_end():
    assert all(2 ** (n + 1) / 2 <= backoff(n) <= 2 ** (n + 1) for n in range(8))
    assert backoff(50) <= 300
