"""The worker: claims jobs, runs their steps, and looks after its own hold on them.

`handle_v1` is replayed after a crash: the engine compares the order and the names of its steps with what it recorded.
Changing either needs a `handle_v2` beside it until no `handle_v1` is left.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dbos import DBOS, DBOSConfig
from sqlalchemy.exc import SQLAlchemyError

from bot import forgetting
from bot.chores import Chore, Chores
from bot.clock import iso
from bot.delivery import BadRequestError
from bot.errors import PermanentError, TransientError
from bot.jobs import APPLICATION, FINISHED, PARKED, QUEUE, SERIALIZER, VERSION, WORKFLOWS, JobQueue, guid_of, row_of
from bot.lease import LeaseKeeper
from bot.logs import about
from bot.onhand import OnHand
from bot.redact import redact
from bot.settings import Settings
from bot.steps import SETTLING, Plain, Steps, backoff
from bot.store import deliveries, executors, installations
from bot.store.engine import TROUBLES, trouble

log = logging.getLogger(__name__)

RECOVERIES = 10
"""A job that was under way in this many crashes is set aside: it may be what kills the worker."""

PATIENT = frozenset({"budget", "lease_lost", SETTLING}) | TROUBLES
"""Reasons to wait that say nothing against the job: they do not count as tries."""

TIDY_SECONDS = 60.0

PASSING_SECONDS = 30 * 86_400.0
"""So long a delivery is remembered that led to nothing: ten times as long as GitHub can send it again."""

BATCH = 500
"""Jobs forgotten at a time, so that nobody waits long for the database."""

WAITS = 10_000
"""A bound all the same."""

CLAIMED = 8
"""Jobs claimed for each slot: one that waits holds its place in its issue's order and a thread that sleeps, no slot."""

Run = Callable[..., Any]
"""`run(name, function, *args)`: run a step once and record its result; a replay gives the record."""


class Sleep(Protocol):
    """Waits so that a restart in between does not begin the wait anew."""

    def __call__(self, seconds: float) -> None:
        """Wait this long."""
        ...


@dataclass(frozen=True, slots=True)
class Flow:
    """The order of a job's steps, apart from what runs and records them."""

    steps: Steps
    run: Run
    sleep: Sleep
    tries: int

    def handle_v1(self, row_id: int) -> Plain:
        """One job from its delivery to its end. PermanentError when it is parked."""
        position = 0
        for attempt in range(self.tries):
            plan = self._persist(row_id, "decide", self.steps.decide, row_id)
            outcomes = []
            for action in plan["actions"]:
                done = self._persist(row_id, "publish", self.steps.publish, row_id, position, plan["target"], action)
                outcomes.append(done)
                position += 1
            wait = self._persist(row_id, "finish", self.steps.finish, row_id, plan, outcomes, attempt)
            if wait is None:
                did = [f"{done.get('action')} {done.get('did')}" for done in outcomes]
                log.info("job ended: %s", ", ".join([plan["reason"], *did]))
                return {"reason": plan["reason"]}
            self.sleep(wait)
        raise self._park(row_id, str(plan["retry"]), "the rest of the job did not succeed")

    def _persist(self, row_id: int, name: str, step: Callable[..., Any], *args: Any) -> Any:
        """Run a step until it gives a value; park the job when trying again will not help."""
        tries = 0
        for _ in range(WAITS):
            outcome = self.run(name, guarded, step, tries, self.tries, *args)
            if "value" in outcome:
                return outcome["value"]
            if "retry" not in outcome:
                break
            tries += 0 if outcome["reason"] in PATIENT else 1
            self.sleep(outcome["retry"])
        raise self._park(row_id, outcome["reason"], outcome["message"])

    def _park(self, row_id: int, reason: str, message: str) -> PermanentError:
        log.warning("job of delivery %s is parked: %s: %s", row_id, reason, message)
        self.run("park", self.steps.park, row_id, reason)
        return PermanentError(reason, message)


def guarded(step: Callable[..., Any], tries: int, limit: int, *args: Any) -> Plain:
    """A step's value, or what to do instead: `{"retry": seconds, …}`, or a reason to park the job."""
    try:
        return {"value": step(*args)}
    except TransientError as error:
        failure, wait = error.reason, error.retry_after
        message = str(error)
    except (PermanentError, BadRequestError) as error:
        return {"reason": error.reason, "message": redact(str(error))}
    except SQLAlchemyError as error:
        ails = trouble(error)
        if ails is None:
            return _unforeseen(error)
        failure, wait, message = ails.reason, None, str(error)
    except Exception as error:  # noqa: BLE001 -- one odd issue must not stop the others; it waits for a person
        return _unforeseen(error)
    if failure not in PATIENT and tries + 1 >= limit:
        return {"reason": failure, "message": redact(message)}
    return {"retry": _pause(failure, wait, tries), "reason": failure, "message": redact(message)}


def _unforeseen(error: Exception) -> Plain:
    log.exception("a job failed in a way that nobody foresaw")
    return {"reason": "internal_error", "message": redact(f"{type(error).__name__}: {error}")}


def _pause(reason: str, asked: float | None, tries: int) -> float:
    if asked is None:
        return backoff(tries)
    # Jobs that were told the same moment must not all come back at it; an issue's own pause concerns one job alone.
    return asked if reason == SETTLING else asked + backoff(0)


class Worker:
    """One worker process. The job engine is a singleton, so there is one of these."""

    def __init__(
        self,
        settings: Settings,
        keeper: LeaseKeeper,
        steps: Steps,
        chores: Sequence[Chore] = (),
        on_hand: OnHand | None = None,
    ) -> None:
        self._settings = settings
        self._on_hand = on_hand
        self._keeper = keeper
        self._steps = steps
        self._queue = JobQueue(keeper.engine)
        self._tidy_at = 0.0
        self._chores = Chores(keeper.engine, steps.clock, chores)

    def start(self) -> None:
        """Lease a name, then claim jobs; what its former holder left behind is taken up first."""
        lease = self._keeper.acquire()
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_engine": self._keeper.engine,
            "executor_id": lease.id,
            "application_version": VERSION,
            "serializer": SERIALIZER,
            "log_level": "WARNING",
            "run_migrations": False,
        }
        DBOS(config=config)
        flow = Flow(self._steps, recorded_in(self._settings.worker_slots), DBOS.sleep, self._settings.job_attempts)
        register(flow)
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            partition_concurrency=1,
            worker_concurrency=self._settings.worker_slots * CLAIMED,
            polling_interval_sec=self._settings.poll_seconds,
            on_conflict="always_update",
        )
        log.info("working as %s", lease.id)

    def run_until(self, stop: threading.Event) -> bool:
        """Renew the lease and look after others' until told to stop. False when the lease was lost."""
        # A thread of their own: a slow answer of GitHub's must not keep the lease from being renewed.
        threading.Thread(target=self._chores.run_until, args=(stop,), daemon=True, name="chores").start()
        if self._on_hand is not None:
            threading.Thread(target=self._on_hand.run_until, args=(stop,), daemon=True, name="knowledge").start()
        beat = self._settings.lease_seconds / 4
        while not stop.wait(beat):
            try:
                if not self._keeper.renew():
                    log.error("another worker has our name: stopping at once")
                    return False
                self.look_after()
            except SQLAlchemyError as error:
                log.warning("the database is away: %s", error)
        return True

    def reopen(self) -> None:
        """Jobs from soon on read the knowledge base as it lies on disk now. May be called by a signal handler."""
        if self._on_hand is not None:
            self._on_hand.ask()

    def look_after(self) -> None:
        """Put dead workers' jobs back, mark jobs that were set aside, forget what is old."""
        for silent in self._keeper.silent():
            # A name that nobody holds has jobs where its holder could not finish them when it was stopped, or fell
            # asleep, was taken for dead, and woke up.
            if (executors.is_held(silent) or _has_jobs(silent.id)) and self._keeper.take_over(silent):
                # Unlike a resume, this keeps the count of recoveries: a job that kills workers ends.
                taken = DBOS._recover_pending_workflows([silent.id])
                self._keeper.hand_back(silent)
                log.warning("took the jobs of %s, which is silent: %d", silent.id, len(taken))
        if time.monotonic() >= self._tidy_at:
            self._tidy_at = time.monotonic() + TIDY_SECONDS
            mark_set_aside(self._steps)
            forget_old(self._steps, self._settings.payload_hours * 3600)
            forgetting.clear(self._keeper.engine, self._queue, self._steps.clock)

    def stop(self) -> None:
        """Claim nothing more, let the running jobs end for a while, give the name back."""
        DBOS.destroy(workflow_completion_timeout_sec=self._settings.shutdown_seconds)
        try:
            self._keeper.release()
        except SQLAlchemyError as error:
            log.warning("the database is away, so the name is free only when its lease runs out: %s", error)


def register(flow: Flow) -> None:
    """Make the workflows known to the engine, before it is launched."""
    for name in WORKFLOWS:
        DBOS.workflow(name=name, max_recovery_attempts=RECOVERIES)(_workflow(flow, name))


def _workflow(flow: Flow, name: str) -> Callable[[int], Plain]:
    def run(row_id: int) -> Plain:
        job = DBOS.workflow_id or ""
        with about(job=job, delivery=guid_of(job)):
            handled: Plain = getattr(flow, name)(row_id)
        return handled

    run.__name__ = run.__qualname__ = name
    return run


def mark_set_aside(steps: Steps) -> None:
    """A job that the engine gave up without us shows as parked in the inbox too; one without a delivery goes."""
    orphans = []
    for status in DBOS.list_workflows(
        status=list(PARKED), load_input=False, load_output=False, limit=BATCH, sort_desc=True
    ):
        with steps.engine.begin() as conn:
            stored = deliveries.read(conn, row_of(status.workflow_id) or 0)
        if stored is None:
            orphans.append(status.workflow_id)
        elif stored.state == deliveries.QUEUED:
            steps.park(stored.id, "set_aside" if status.status != "CANCELLED" else "cancelled")
    if orphans:
        DBOS.delete_workflows(orphans)


def forget_old(steps: Steps, seconds: float) -> None:
    """Drop raw payloads, and what the engine recorded of jobs that ended well, when they are older than this; and what
    the inbox holds of deliveries that led to nothing, after their own time."""
    before = steps.clock.now() - seconds
    with steps.engine.begin() as conn:
        deliveries.drop_payloads(conn, before=before)
        installations.drop_late(conn, steps.clock.now())
    with steps.engine.begin() as conn:
        deliveries.drop_passing(conn, before=steps.clock.now() - PASSING_SECONDS, limit=BATCH)
    ended = DBOS.list_workflows(
        status=list(FINISHED), completed_before=iso(before), limit=BATCH, load_input=False, load_output=False
    )
    if ended:
        DBOS.delete_workflows([status.workflow_id for status in ended])


def recorded_in(slots: int) -> Run:
    """Runs steps, so many at a time, and lets the engine record them."""
    free = threading.BoundedSemaphore(slots)

    def run(name: str, function: Callable[..., Any], *args: Any) -> Any:
        with free:
            return DBOS.run_step({"name": name}, function, *args)

    return run


def _has_jobs(name: str) -> bool:
    return bool(DBOS.list_workflows(status="PENDING", executor_id=name, limit=1, load_input=False, load_output=False))
