"""When to speak: every rule that needs no words. Pure; times are read from what GitHub says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

from bot.triage.model import Evidence, Outcome, Report, Verdict
from bot.triage.snapshot import CommentSnapshot, IssueMemory, IssueSnapshot, Permission, Trigger

GHOST = "ghost"
"""The login that GitHub shows for every deleted account: nobody's word counts under it."""

COMMAND_WORD = "/triage"


class Mode(StrEnum):
    """What the bot does in a repository."""

    ON = "on"
    SHADOW = "shadow"
    """Decides and records; only maintainers' commands are answered."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a repository's configuration may change."""

    mode: Mode = Mode.ON
    speak: frozenset[Outcome] = frozenset({Outcome.MATCHED, Outcome.AMBIGUOUS, Outcome.FOREIGN})
    """Verdicts that may speak uninvited."""
    ask: bool = True
    """Whether one deciding question may be asked."""
    opt_out_label: str = ""
    """An issue with this label is left alone; "" for none."""
    labels: Mapping[Outcome, tuple[str, ...]] = field(default_factory=dict)
    """Labels that an issue gets with its verdict."""
    since: str = ""
    """When the repository switched us on, ISO 8601, where that was after the installation: older issues are backlog."""


def is_gone(trigger: Trigger, snapshot: IssueSnapshot) -> bool:
    """Deleted, transferred or converted: nothing can be written, whatever the snapshot still shows."""
    left = trigger.event == "issues" and trigger.action in {"deleted", "transferred"}
    return snapshot.gone or left


def closed_to_us(snapshot: IssueSnapshot, memory: IssueMemory, rules: Rules) -> str:
    """Why we may not speak uninvited on this issue, as a reason code; "" where we may.

    `permission_unknown` means that somebody spoke first whose permission could not be read.
    """
    reasons = {
        "shadow": rules.mode is Mode.SHADOW,
        "closed": snapshot.state != "open",
        "locked": snapshot.locked,
        "opted_out": rules.opt_out_label.casefold() in {label.casefold() for label in snapshot.labels if label},
        "author_is_bot": snapshot.author_is_bot,
        "opened_by_app": snapshot.via_app,
        "install_date_unknown": not memory.installed_at,
    }
    told = next((reason for reason, holds in reasons.items() if holds), "")
    if told:
        return told
    begin = max(moment(memory.installed_at), moment(rules.since or memory.installed_at))
    if moment(snapshot.created_at) < begin:
        return "issue_older_than_install"
    return "" if has_answered(memory) else spoken_for(snapshot)


def has_answered(memory: IssueMemory) -> bool:
    """Whether we gave an answer, or somebody asked for one. Words to another command are no answer: nobody who speaks
    first afterwards is talked over because of them.
    """
    return memory.spoken or memory.state not in {"none", "words"}


def spoken_for(snapshot: IssueSnapshot) -> str:
    """`maintainer_first` where a person with triage permission or more spoke, "" where nobody did."""
    words = {permission_of(snapshot, comment.author) for comment in others(snapshot)}
    if Permission.YES in words:
        return "maintainer_first"
    return "permission_unknown" if Permission.UNKNOWN in words else ""


def others(snapshot: IssueSnapshot) -> Iterator[CommentSnapshot]:
    """Comments of people other than the author that say something beside commands."""
    return (c for c in snapshot.comments if not c.is_bot and not is_author(snapshot, c.author) and _says_more(c.body))


def is_author(snapshot: IssueSnapshot, login: str) -> bool:
    """Whether this login is the issue's author; a deleted account is nobody."""
    return login.casefold() == snapshot.author.casefold() != GHOST


def permission_of(snapshot: IssueSnapshot, login: str) -> Permission:
    """What was read for this login; UNKNOWN where nothing was. A deleted account may do nothing."""
    if login.casefold() == GHOST:
        return Permission.NO
    known = {name.casefold(): permission for name, permission in snapshot.permissions.items()}
    return known.get(login.casefold(), Permission.UNKNOWN)


def report_of(snapshot: IssueSnapshot, memory: IssueMemory) -> Report:
    """What may be read: the author's own words, and the comments that a command made us read."""
    shown = {c.id for c in own_words(snapshot)} | memory.included
    return Report(
        id=str(snapshot.number),
        title=snapshot.title,
        body=snapshot.body,
        comments=tuple(c.body for c in snapshot.comments if c.id in shown),
        repo=snapshot.repo,
        created_at=snapshot.created_at,
    )


def own_words(snapshot: IssueSnapshot) -> list[CommentSnapshot]:
    """The comments that the issue's author wrote."""
    return [c for c in snapshot.comments if is_author(snapshot, c.author) and not c.is_bot and not c.via_app]


def read_until(snapshot: IssueSnapshot) -> str:
    """When the newest text of the author was written or edited: a comment, else the issue itself."""
    return max((c.updated_at for c in own_words(snapshot)), key=moment, default=snapshot.created_at)


def with_chosen_entry(verdict: Verdict, entry: str | None) -> Verdict:
    """The verdict with the entry that a maintainer set; without a panic there is nothing to set it for.

    A panic without a known place is then one of several possible places, none of which is named.
    """
    if entry in {None, verdict.entry} or verdict.outcome is Outcome.NONE:
        return verdict
    outcome = Outcome.AMBIGUOUS if verdict.outcome is Outcome.UNKNOWN else verdict.outcome
    step = Evidence("entry", f"{entry} was set by a maintainer")
    return replace(verdict, outcome=outcome, entry=entry, fixed_in=None, evidence=(*verdict.evidence, step))


def may_say(verdict: Verdict, memory: IssueMemory, rules: Rules, *, invited: bool) -> str:
    """Why this verdict stays unsaid, as a reason code; "" where it may be said.

    `invited` is true when a command asked for the answer: then the repository's choice of verdicts does not count.
    """
    outcome = verdict.outcome
    if outcome is Outcome.NONE:
        return "no_panic"
    if memory.entry is not None:
        return ""
    if outcome is Outcome.UNKNOWN:
        return "unknown_panic"
    if outcome is Outcome.FOREIGN and verdict.entry is None:
        return "foreign_without_entry"
    if not invited and outcome not in rules.speak:
        return "not_configured"
    return "asking_is_off" if outcome is Outcome.AMBIGUOUS and not rules.ask and not invited else ""


def is_awaited(verdict: Verdict, memory: IssueMemory) -> bool:
    """Whether somebody waits for this answer: a command asked for it, or our own question did for what decides it."""
    asked_by_us = memory.state == "question" or memory.question_replaced
    return memory.spoken or (asked_by_us and verdict.outcome is Outcome.MATCHED)


def is_question(verdict: Verdict) -> bool:
    """Whether the comment for this verdict is a question and no answer."""
    return verdict.outcome is Outcome.AMBIGUOUS and verdict.entry is None


def answer_key(verdict: Verdict) -> str:
    """What an answer is about, without its wording: two comments with one key say the same thing. Nothing that the
    reporter wrote is in it: it is stored."""
    places = (verdict.place,) if verdict.place else verdict.candidates
    where = ",".join(sorted(f"{p.repo}@{p.revision.name}:{p.path}:{p.line}" for p in places))
    return f"{verdict.outcome}|{verdict.entry or '-'}|{where or verdict.fingerprint or '-'}"


def moment(text: str) -> datetime:
    """An ISO 8601 date or time as a point in time; without a zone it is UTC. Raises ValueError for anything else."""
    when = datetime.fromisoformat(text)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _says_more(body: str) -> bool:
    lines = [line.strip().casefold() for line in body.splitlines()]
    return any(line and line.split()[0] != COMMAND_WORD for line in lines)
