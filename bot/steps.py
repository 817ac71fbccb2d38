"""What a job does, step by step: decide, publish, finish, park. Plain JSON in and out, so that every step can be
recorded and a crash between two of them costs nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Protocol

from sqlalchemy import Connection, Engine

from bot import feedback
from bot.clock import Clock, iso
from bot.delivery import Delivery, parse_payload
from bot.errors import TransientError
from bot.github.failures import UNCERTAIN
from bot.github.marker import body_hash
from bot.installing import Installed, first_seen
from bot.orders import DASHBOARD, order_of
from bot.pace import Pace
from bot.plain import action_from_json, action_to_json, memory_from_json, memory_to_json
from bot.ports import IssueReader, Publisher, Target
from bot.redact import redact, redact_json
from bot.store import alarms, answers, deliveries, disputes, installations, intents, issues, occurrences, verdicts
from bot.store.chores import CLOCKS_DIFFER
from bot.store.deliveries import StoredDelivery
from bot.store.occurrences import Occurrence
from bot.triage.actions import UpsertComment
from bot.triage.bait import baits
from bot.triage.knowledge import Knowledge
from bot.triage.model import Verdict
from bot.triage.policy import Rules
from bot.triage.repeats import is_comparable, site_id
from bot.triage.snapshot import Decision, Dispute, IssueMemory, IssueSnapshot, Order, Trigger

Plain = dict[str, Any]

DAY = 86_400.0
SETTLING = "settling"
INSTALLATION_SECONDS = 0.5


class Brain(Protocol):
    """The pure part: what to do about an issue."""

    def people(self, snapshot: IssueSnapshot, memory: IssueMemory) -> Collection[str]:
        """Logins whose permission the decision needs."""
        ...

    def handle(
        self,
        trigger: Trigger,
        snapshot: IssueSnapshot,
        memory: IssueMemory,
        knowledge: Knowledge,
        *,
        wrong_today: Mapping[str, int],
        rules: Rules,
        repeats: Callable[[Verdict], Sequence[int]],
        public_url: str | None,
    ) -> Decision:
        """The decision. `wrong_today`: disputes of the last 24 hours by login, lower case."""
        ...


def always_on(_target: Target) -> Rules:
    """The rules of a repository that chose nothing."""
    return Rules()


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a job, with everything they touch handed in."""

    engine: Engine
    clock: Clock
    reader: IssueReader
    publisher: Publisher
    brain: Brain
    knowledge: Callable[[int | None], Knowledge]
    """The knowledge base, reading unindexed source as this installation."""
    pace: Pace
    settle_seconds: float = 0.0
    """Events that come within so many seconds of an issue's last job are handled together."""
    rules: Callable[[Target], Rules] = always_on
    """What holds in the issue's repository. May raise TransientError."""
    public_url: str | None = None
    """Where entry pages are served."""

    def decide(self, row_id: int) -> Plain:
        """Read the issue as it is now and decide. The issue's text is not part of the answer: it is never stored."""
        with self.engine.begin() as conn:
            stored = deliveries.read(conn, row_id)
            if stored is None or not _is_wanted(conn, stored, self.clock.now()):
                return _nothing(deliveries.FORGOTTEN)
        if stored.delivery.event.startswith("installation"):
            return self._installation(stored)
        if stored.delivery.event == DASHBOARD:
            return self._ordered(stored)
        return self._folded(stored) or self._issue(stored)

    def publish(self, row_id: int, position: int, target: Plain, action: Plain) -> Plain:
        """Perform one action, its intent stored before; returns what the publisher says it did."""
        wanted, place = action_from_json(action), Target(**target)
        body = wanted.body if isinstance(wanted, UpsertComment) else None
        text_hash = None if body is None else body_hash(body)
        intent = intents.Intent(intents.Intent.id_of(row_id, position), row_id, action["action"], text_hash, body)
        with self.engine.begin() as conn:
            if not deliveries.hold(conn, row_id):
                return {"action": action["action"], "did": "left", "reason": deliveries.FORGOTTEN}
            intents.plan(conn, intent, place, self.clock.now())
            memory = issues.read(conn, place.repo_id, place.issue_id) or IssueMemory()
            known = intents.body_hashes(conn, place.repo_id, place.issue_id)
        try:
            done = self.publisher.publish(
                wanted, place, intent_id=intent.id, comment_id=memory.comment_id, known_hashes=known
            )
        except TransientError as error:
            self._note_failure(intent, place, error)
            raise
        with self.engine.begin() as conn:
            intents.settle(conn, intent.id, done, self.clock.now())
        return {"action": action["action"]} | dict(done)

    def finish(self, row_id: int, plan: Plain, outcomes: list[Plain], tries: int) -> float | None:
        """Remember what was decided and done. Seconds until the rest should be tried again, None when all is done."""
        now = self.clock.now()
        with self.engine.begin() as conn:
            if not deliveries.hold(conn, row_id):
                return None
            if plan["target"] is not None:
                target = Target(**plan["target"])
                after = _after(memory_from_json(plan["memory"]), outcomes)
                _note_feedback(conn, row_id, target, after, plan, now)
                issues.write(conn, target, after, now)
                _note_occurrence(conn, target, plan, now)
                if plan.get("shown") is None or occurrences.is_known(conn, target):
                    alarms.put(conn, target, plan.get("baits") or (), now)
                if plan["verdict"] is not None:
                    verdicts.write(
                        conn, delivery_id=row_id, target=target, verdict=plan["verdict"], reason=plan["reason"], now=now
                    )
                disputes.add(conn, row_id, target, [Dispute(**values) for values in plan["disputes"]])
            if plan["retry"]:
                return backoff(tries)
            deliveries.settle(conn, row_id, state=deliveries.DONE, reason=plan["reason"], now=now)
        return None

    def park(self, row_id: int, reason: str) -> None:
        """The job is given up and waits for a person."""
        with self.engine.begin() as conn:
            deliveries.settle(conn, row_id, state=deliveries.PARKED, reason=reason, now=self.clock.now())

    def _folded(self, stored: StoredDelivery) -> Plain | None:
        """Leave the work to a later job that waits: it reads the same state. None when there is none.

        The first event on an issue runs at once; what comes while its dust settles waits for the rest of the time.
        """
        repo_id, issue_id = stored.delivery.repo_id, stored.delivery.issue_id
        assert repo_id is not None
        assert issue_id is not None
        with self.engine.begin() as conn:
            if deliveries.waits(conn, repo_id, issue_id, after=stored.id):
                return _nothing("folded")
            if deliveries.installation_waits(conn, stored.delivery.installation_id):
                # Which issues are older than the installation is known only after it.
                raise TransientError(SETTLING, "the installation has not been taken in yet", INSTALLATION_SECONDS)
            ended = issues.last_job(conn, repo_id, issue_id)
        now = self.clock.now()
        if ended is None or ended > now + CLOCKS_DIFFER:
            # An end that lies ahead was written before the clock was set back: it says nothing.
            return None
        rest = min(self.settle_seconds, ended + self.settle_seconds - now)
        if rest > 0:
            raise TransientError(SETTLING, "more events on this issue may follow", rest)
        return None

    def _ordered(self, stored: StoredDelivery) -> Plain:
        """What a maintainer asked for on the dashboard. No other job may take it over: it stands nowhere but here."""
        with self.engine.begin() as conn:
            order = order_of(stored, deliveries.payload(conn, stored.id))
        return self._issue(stored, order) if order else _nothing("order_forgotten")

    def _issue(self, stored: StoredDelivery, order: Order | None = None) -> Plain:
        delivery = stored.delivery
        assert delivery.repo is not None
        assert delivery.issue is not None
        remembered = self._remembered(stored)
        if remembered is None:
            return _nothing(deliveries.FORGOTTEN)
        memory, wrong_today = remembered
        snapshot = self.reader.read_issue(
            delivery.repo,
            delivery.issue,
            installation_id=delivery.installation_id,
            people=lambda found: {*self.brain.people(found, memory), *([delivery.sender] if order else ())},
        )
        trigger = Trigger(
            delivery.event, delivery.action, delivery.sender, delivery.sender_is_bot, delivery.comment_id, order
        )
        knowledge = self.knowledge(delivery.installation_id)
        target = _target(delivery, snapshot)
        decision = self.brain.handle(
            trigger,
            snapshot,
            memory,
            knowledge,
            wrong_today=wrong_today,
            rules=Rules() if snapshot.gone else self.rules(target),
            repeats=partial(self._repeats, target),
            public_url=self.public_url,
        )
        return _plan(target, decision, snapshot)

    def _repeats(self, target: Target, verdict: Verdict) -> Sequence[int]:
        if not is_comparable(verdict):
            return ()
        with self.engine.connect() as conn:
            return occurrences.same_panic(conn, target, fingerprint=verdict.fingerprint, site=site_id(verdict))

    def _remembered(self, stored: StoredDelivery) -> tuple[IssueMemory, dict[str, int]] | None:
        delivery = stored.delivery
        assert delivery.repo is not None
        assert delivery.repo_id is not None
        assert delivery.issue_id is not None
        with self.engine.begin() as conn:
            memory = issues.read(conn, delivery.repo_id, delivery.issue_id) or IssueMemory()
            since = installations.known_since(conn, delivery.repo_id)
            if since is None:
                # Only then is anything written here: to hold the delivery costs as much as to write.
                if not deliveries.hold(conn, stored.id):
                    return None
                since = installations.note_repository(
                    conn, delivery.repo_id, delivery.repo, delivery.installation_id, first_seen(stored)
                )
            wrong_today = disputes.counts_since(conn, iso(self.clock.now() - DAY))
        return replace(memory, installed_at=since), wrong_today

    def _installation(self, stored: StoredDelivery) -> Plain:
        delivery = stored.delivery
        assert delivery.installation_id is not None
        with self.engine.begin() as conn:
            raw = deliveries.payload(conn, stored.id)
            payload = parse_payload(raw) if raw else {}
            Installed(delivery.installation_id, delivery.action, payload, stored.received_at, self.clock.now()).apply(
                conn
            )
        return _nothing(f"{delivery.event}_{delivery.action}")

    def _note_failure(self, intent: intents.Intent, target: Target, error: TransientError) -> None:
        if error.reason in UNCERTAIN:
            with self.engine.begin() as conn:
                intents.doubt(conn, intent.id, error.reason)
        if error.reason.startswith("rate_") and error.retry_after:
            self.pace.hold(target.installation_id, error.retry_after)


def _is_wanted(conn: Connection, stored: StoredDelivery, now: float) -> bool:
    """Not forgotten, nor late: events under way come in after the App was uninstalled there."""
    if stored.state == deliveries.FORGOTTEN:
        return False
    says_so = (stored.delivery.event, stored.delivery.action) == ("installation", "deleted")
    if says_so or not installations.is_removed(conn, stored.delivery.installation_id):
        return True
    deliveries.forget_one(conn, stored.id, now)
    return False


def backoff(tries: int) -> float:
    """Seconds before the next try, after `tries` failed ones: 2, 4, 8 … 300, half of it random."""
    return min(300.0, 2.0 ** (tries + 1)) * random.uniform(0.5, 1.0)


def _note_feedback(conn: Connection, row_id: int, target: Target, after: IssueMemory, plan: Plain, now: float) -> None:
    """The answer that stands now, and what maintainers said of this or of the former one."""
    before = issues.read(conn, target.repo_id, target.issue_id) or IssueMemory()
    standing = feedback.given(after)
    if standing:
        answers.give(conn, target, standing, row_id, now)
    for word in feedback.decided(before, after, [Dispute(**values) for values in plan["disputes"]]):
        answers.decide(conn, target, word, now)


def _note_occurrence(conn: Connection, target: Target, plan: Plain, now: float) -> None:
    """Which panic the issue shows. Without a verdict (not looked at) only its state is news."""
    shown = plan.get("shown")
    verdict = plan["verdict"]
    if shown is None:
        occurrences.forget(conn, target)
    elif verdict is None:
        occurrences.note_state(conn, target, shown["state"])
    elif verdict["fingerprint"] is None:
        occurrences.forget(conn, target)
    else:
        told = {name: verdict[name] for name in ("outcome", "entry", "fingerprint")}
        occurrences.write(conn, target, Occurrence(**told, **shown), now)


def _plan(target: Target, decision: Decision, snapshot: IssueSnapshot) -> Plain:
    """A decision as plain JSON, redacted: it is stored with the job."""
    actions = [action_to_json(action) for action in decision.actions]
    for action in actions:
        if "body" in action:
            action["body"] = redact(action["body"])
    memory = replace(decision.memory, asked=tuple(redact(text) for text in decision.memory.asked))
    return {
        "target": asdict(target),
        "actions": actions,
        "memory": memory_to_json(memory),
        "verdict": None if decision.verdict is None else redact_json(decision.verdict),
        "baits": [[bait.comment_id, bait.kind] for bait in baits(snapshot)],
        "shown": None if snapshot.gone else _shown(snapshot, decision.verdict),
        "reason": decision.reason,
        "disputes": [asdict(replace(item, reason=redact(item.reason))) for item in decision.disputes],
        "retry": decision.retry,
    }


def _shown(snapshot: IssueSnapshot, verdict: Verdict | None) -> Plain:
    """What is kept of the issue itself so that repeats are found."""
    return {
        "state": snapshot.state,
        "opened_at": snapshot.created_at,
        "site": site_id(verdict) if verdict else None,
    }


def _nothing(reason: str) -> Plain:
    return {
        "target": None,
        "actions": [],
        "memory": None,
        "verdict": None,
        "reason": reason,
        "disputes": [],
        "retry": "",
    }


def _target(delivery: Delivery, snapshot: IssueSnapshot) -> Target:
    """The issue under its present name, by the ids of the delivery: a vanished issue has no others."""
    assert delivery.issue_id is not None
    assert delivery.repo_id is not None
    return Target(snapshot.repo, delivery.repo_id, snapshot.number, delivery.issue_id, delivery.installation_id)


def _after(memory: IssueMemory, outcomes: list[Plain]) -> IssueMemory:
    """The memory with what publishing showed: which comment is ours, and what stands in it."""
    for done in outcomes:
        if done["action"] == "DeleteComment":
            memory = replace(memory, comment_id=None, body_hash=None)
        elif done["action"] == "UpsertComment" and done["did"] != "left":
            memory = replace(memory, comment_id=done["comment_id"], body_hash=done["body_hash"])
    return memory
