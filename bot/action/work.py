"""One run of the Action: reads the issue and what was done there, decides, and writes.

A run that is cancelled loses nothing: a command gets its reaction last, so the next run finds it without one and
carries it out again, which changes nothing where it was carried out already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from bot import handle as brain
from bot.action.environment import Run
from bot.action.memory import Mark, carried_out, commanding, remember, with_comment
from bot.clock import Clock
from bot.commands._model import SEEN
from bot.configuration import Configuration, ConfigurationError, parse
from bot.errors import PermanentError, TransientError, UserError
from bot.github.marker import body_hash
from bot.ports import ConfigurationReader, IssueReader, Publisher, Target, TraceReader
from bot.redact import redact
from bot.triage.actions import Action, React, UpsertComment
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.policy import Mode, Rules, answer_key, report_of, with_chosen_entry
from bot.triage.snapshot import Decision, IssueMemory, IssueSnapshot

TRIES = 3
LONGEST_WAIT = 60.0
"""Seconds that a run waits for GitHub; for longer it fails and the next event makes up for it."""
BETWEEN_WRITES = 1.0
"""GitHub asks for a second between writes (docs: Best practices for using the REST API)."""

Plain = dict[str, Any]


class Hub(IssueReader, Publisher, ConfigurationReader, Protocol):
    """GitHub as a run needs it."""

    @property
    def traces(self) -> TraceReader:
        """What GitHub remembers of us."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run."""

    reason: str
    """As `bot.triage.snapshot.Decision.reason`."""
    decision: Decision | None = None
    mode: Mode = Mode.ON
    since: str = ""
    done: tuple[Plain, ...] = ()
    """What the publisher says of each action."""
    would: str | None = None
    """In shadow, the comment that would stand on the issue."""
    fault: str = ""
    """What is wrong with the repository's configuration file."""


@dataclass(frozen=True, slots=True)
class Work:
    """Does the work of runs."""

    hub: Hub
    clock: Clock
    knowledge: Knowledge

    def carry_out(self, run: Run) -> Outcome:
        """One run, tried again where GitHub asks to wait for a moment. Raises the last TransientError, or any other
        error of ours."""
        if run.ignored:
            return Outcome(run.ignored)
        since = run.since or self._first_commit(run)
        for left in reversed(range(TRIES)):
            try:
                return self._once(run, since)
            except TransientError as error:
                wait = 2.0 if error.retry_after is None else error.retry_after
                if not left or wait > LONGEST_WAIT:
                    raise
                self.clock.sleep(wait)
        raise AssertionError("unreachable")

    def _first_commit(self, run: Run) -> str:
        remedy = "set the input `since` to the day from which on issues may be answered, for example 2026-11-30"
        if not run.workflow:
            raise UserError("since_unknown", f"the runner does not say which workflow this is; {remedy}")
        try:
            found = self.hub.traces.first_commit(run.repo, run.workflow)
        except PermanentError as error:
            raise UserError(
                "since_unknown", f"the history of {run.workflow} cannot be read ({error}); {remedy}"
            ) from None
        if not found:
            raise UserError("since_unknown", f"{run.workflow} is not on the default branch; {remedy}")
        return found

    def _once(self, run: Run, since: str) -> Outcome:
        rules, fault = self._rules(run)
        snapshot = self.hub.read_issue(run.repo, run.number, installation_id=None, people=partial(_people, since=since))
        if snapshot.gone:
            return Outcome("gone")
        decide = partial(self._decide, run, rules)
        memory = self._memory(snapshot, since, rules, decide)
        decision = decide(snapshot, memory)
        would = self._would(run, rules, snapshot, memory) if rules.mode is Mode.SHADOW else None
        done = tuple(self._write(snapshot, decision, action) for action in _in_order(decision))
        brain.raise_for_retry(decision)
        return Outcome(decision.reason, decision, rules.mode, since, done, would, fault)

    def _rules(self, run: Run) -> tuple[Rules, str]:
        """What holds in the repository, and the fault of its file. A file that cannot be used makes us silent."""
        chosen, fault = Configuration(), ""
        try:
            found = self.hub.read_configuration(run.repo, installation_id=None)
            chosen = parse(found.text) if found and found.text is not None else chosen
        except (ConfigurationError, PermanentError) as error:
            chosen, fault = Configuration(mode=Mode.SHADOW), str(error)
        rules = chosen.rules(chosen.mode or run.mode, "")
        return replace(rules, opt_out_label=rules.opt_out_label or run.mute_label), fault

    def _memory(
        self,
        snapshot: IssueSnapshot,
        since: str,
        rules: Rules,
        decide: Callable[[IssueSnapshot, IssueMemory], Decision],
    ) -> IssueMemory:
        traces, place = self.hub.traces, (snapshot.repo, snapshot.number)
        done = carried_out({found: traces.own_reactions(*place, found) for found in commanding(snapshot, since)})
        memory = remember(snapshot, since, done, decide, key=self._key(snapshot, IssueMemory()))
        return with_comment(
            memory,
            snapshot,
            rules,
            key=self._key(snapshot, memory),
            edited=snapshot.own is not None and traces.edited_by_person(snapshot.own),
            deleted=snapshot.own is None and not snapshot.is_pull_request and traces.own_comment_deleted(*place),
        )

    def _key(self, snapshot: IssueSnapshot, memory: IssueMemory) -> str:
        return answer_key(with_chosen_entry(analyze(report_of(snapshot, memory), self.knowledge), memory.entry))

    def _decide(self, run: Run, rules: Rules, snapshot: IssueSnapshot, memory: IssueMemory) -> Decision:
        return brain.handle(run.trigger, snapshot, memory, self.knowledge, rules=rules)

    def _would(self, run: Run, rules: Rules, snapshot: IssueSnapshot, memory: IssueMemory) -> str | None:
        loud = self._decide(run, replace(rules, mode=Mode.ON), snapshot, memory)
        return next((redact(action.body) for action in loud.actions if isinstance(action, UpsertComment)), None)

    def _write(self, snapshot: IssueSnapshot, decision: Decision, action: Action) -> Plain:
        if isinstance(action, UpsertComment):
            action = replace(action, body=redact(action.body))
        own = snapshot.own
        ours = own is not None and decision.memory.body_hash != ""
        return dict(
            self.hub.publish(
                action,
                Target.of(snapshot, None),
                intent_id=str(Mark.of(decision.memory)),
                comment_id=own.id if own else None,
                known_hashes=[body_hash(own.body)] if own and ours else [],
            )
        )


def pace(clock: Clock) -> Callable[[int | None, bool], None]:
    """A `bot.ports.BeforeWrite` that leaves a second between two writes of this run."""
    last: list[float] = []

    def before_write(installation_id: int | None, content: bool) -> None:
        if last:
            clock.sleep(last[0] + BETWEEN_WRITES - clock.now())
        last[:] = [clock.now()]

    return before_write


def _people(snapshot: IssueSnapshot, since: str) -> frozenset[str]:
    return brain.people(snapshot, IssueMemory(installed_at=since))


def _in_order(decision: Decision) -> list[Action]:
    """Reactions last: they say that all the rest is done. While somebody's permission cannot be read, a reaction that
    only says so is left out, since the next run would take it for an answer."""
    reactions = [action for action in decision.actions if isinstance(action, React)]
    if decision.retry:
        reactions = [action for action in reactions if action.content != SEEN]
    return [*(action for action in decision.actions if not isinstance(action, React)), *reactions]
