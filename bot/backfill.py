"""The issue history, read once so that repeats are known from the first day on. Posts nothing.

The walk goes from the oldest issue to the newest and remembers every step: it may be stopped at any point and goes on
from there, also later, with what was opened since.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlalchemy import Engine

from bot.clock import Clock
from bot.errors import PermanentError, TransientError, UserError
from bot.ports import HistoryReader, PastIssue, Target
from bot.store import backfills, occurrences
from bot.store.backfills import Progress
from bot.store.occurrences import Occurrence
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Verdict
from bot.triage.policy import report_of
from bot.triage.repeats import site_id
from bot.triage.snapshot import IssueMemory, IssueSnapshot

log = logging.getLogger(__name__)

PATIENCE = 8
"""Failures in a row, without an issue read in between, after which the walk gives up for now."""

UNASKED_WAIT = 10.0
"""Seconds before the next try where GitHub does not say how long."""

Sink = Callable[[IssueSnapshot, Verdict], None]
"""Told of every issue with its verdict, in the order of the walk: the report of a shadow run is written by one."""


def nothing(_snapshot: IssueSnapshot, _verdict: Verdict) -> None:
    """A sink for a walk that only fills the store."""


@dataclass(frozen=True, slots=True)
class Backfill:
    """One walk's parts. `pause`: seconds after each issue whose comments had to be asked for, so that the hour's quota
    lasts for the worker too."""

    engine: Engine
    clock: Clock
    history: HistoryReader
    knowledge: Callable[[int | None], Knowledge]
    pause: float = 1.0
    sink: Sink = nothing
    on_step: Callable[[Progress], None] = field(default=lambda _progress: None)
    """Told after every issue."""

    def following(self, on_step: Callable[[Progress], None]) -> Backfill:
        """The same walk, watched."""
        return replace(self, on_step=on_step)

    def total(self, repo: str) -> int:
        """The highest number of an issue there. UserError where the App is not installed."""
        return self.history.count_issues(repo, installation_id=self._installation(repo))

    def walk(self, repo: str, *, limit: int | None = None, anew: bool = False) -> Progress:
        """Go on from where the last walk ended, or `anew` from the first issue; at most `limit` issues this time.

        Raises UserError where the App is not installed, TransientError where GitHub stays away.
        """
        installation_id = self._installation(repo)
        with self.engine.connect() as conn:
            known = None if anew else backfills.find(conn, repo)
        progress = replace(known, finished_at=None) if known else Progress(0, repo, self.clock.now())
        end = None if limit is None else progress.issues + limit
        failures, knowledge = 0, self.knowledge(installation_id)
        while True:
            reached = progress.number
            try:
                for past in self.history.past_issues(repo, installation_id=installation_id, page=progress.page):
                    if past.snapshot.number <= progress.number:
                        continue
                    if end is not None and progress.issues >= end:
                        return progress
                    progress = self._step(past, progress, knowledge, installation_id)
                return self._finished(progress)
            except TransientError as error:
                failures = 0 if progress.number > reached else failures + 1
                if failures >= PATIENCE:
                    raise
                progress = self._waited(error, progress)

    def _installation(self, repo: str) -> int:
        found = self.history.find_installation(repo)
        if found is None:
            raise UserError("not_installed", f"the App is not installed on {repo}: install it there, or check the name")
        return found

    def _step(self, past: PastIssue, progress: Progress, knowledge: Knowledge, installation_id: int) -> Progress:
        snapshot = past.snapshot
        verdict = _verdict(snapshot, knowledge)
        target = Target.of(snapshot, installation_id)
        seen = Progress(
            snapshot.repo_id,
            snapshot.repo,
            progress.started_at,
            past.page,
            snapshot.number,
            progress.issues + 1,
            progress.panics + (verdict is not None and verdict.outcome is not Outcome.NONE),
        )
        with self.engine.begin() as conn:
            if verdict is None or verdict.fingerprint is None:
                occurrences.forget(conn, target)
            else:
                occurrences.write(conn, target, occurrence(snapshot, verdict), self.clock.now())
            backfills.write(conn, seen)
        if verdict is not None:
            self.sink(snapshot, verdict)
        self.on_step(seen)
        if snapshot.comments or snapshot.own:
            self.clock.sleep(self.pause)
        return seen

    def _waited(self, error: TransientError, progress: Progress) -> Progress:
        wait = error.retry_after or UNASKED_WAIT
        log.warning("waiting %.0f s: %s", wait, error)
        self.clock.sleep(wait)
        return progress

    def _finished(self, progress: Progress) -> Progress:
        done = replace(progress, finished_at=self.clock.now())
        if done.repo_id:
            with self.engine.begin() as conn:
                backfills.write(conn, done)
        return done


def _verdict(snapshot: IssueSnapshot, knowledge: Knowledge) -> Verdict | None:
    """None where the source that the verdict needs may not be read: one such issue does not end the walk."""
    try:
        return analyze(report_of(snapshot, IssueMemory()), knowledge)
    except PermanentError as error:
        log.warning("%s#%s is passed over: %s", snapshot.repo, snapshot.number, error)
        return None


def occurrence(snapshot: IssueSnapshot, verdict: Verdict) -> Occurrence:
    """What is kept of an issue with a panic."""
    assert verdict.fingerprint is not None
    return Occurrence(
        str(verdict.outcome), verdict.entry, verdict.fingerprint, site_id(verdict), snapshot.state, snapshot.created_at
    )


def refuse_writes(_installation_id: int | None, _content: bool) -> None:
    """A `bot.ports.BeforeWrite` for what only reads."""
    raise PermanentError("read_only", "this command reads only: it must not write on GitHub")
