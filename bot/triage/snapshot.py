"""What the pipeline decides from: the issue as GitHub shows it now, and what we remember of it. Plain values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.triage.actions import Action
from bot.triage.model import Verdict


class Permission(StrEnum):
    """May this person steer the bot? Triage permission or more; UNKNOWN where GitHub could not be asked."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CommentSnapshot:
    """Somebody's comment. Times are ISO 8601 in UTC."""

    id: int
    author: str
    is_bot: bool
    body: str
    created_at: str
    updated_at: str
    via_app: bool = False
    """Written by an app on a person's behalf (`performed_via_github_app`)."""
    insider: bool = False
    """Owner, member, collaborator or contributor of the repository (`author_association`)."""


@dataclass(frozen=True, slots=True)
class OwnComment:
    """Our live comment, found by its author and marker together."""

    id: int
    node_id: str
    body: str
    updated_at: str
    minimized: bool = False


@dataclass(frozen=True, slots=True)
class IssueSnapshot:
    """The issue's present state. `comments` leaves ours out; `own` is ours."""

    repo: str
    repo_id: int
    number: int
    issue_id: int
    title: str
    body: str
    author: str
    author_is_bot: bool
    created_at: str
    updated_at: str
    state: str = "open"
    locked: bool = False
    is_pull_request: bool = False
    via_app: bool = False
    """Opened by an app on a person's behalf (`performed_via_github_app`)."""
    moved_here: bool = False
    """Transferred here together with a comment of ours, which speaks for us and is no more in our hands."""
    gone: bool = False
    """Deleted, transferred away or converted: nothing can be written."""
    labels: tuple[str, ...] = ()
    comments: tuple[CommentSnapshot, ...] = ()
    own: OwnComment | None = None
    permissions: Mapping[str, Permission] = field(default_factory=dict)
    """For the people whose word may count: everybody who wrote a command, or who spoke before us."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """The event that started the job. GitHub's event and action names."""

    event: str
    action: str
    sender: str
    sender_is_bot: bool = False
    comment_id: int | None = None
    order: Order | None = None
    """What `sender` asked for on the dashboard."""


@dataclass(frozen=True, slots=True)
class Order:
    """A slash command that a maintainer gave on the dashboard, where no comment holds it."""

    name: str
    """Of the command: a name of `bot.commands.COMMANDS`."""
    argument: str
    key: str
    """Names this order for ever, so that it is carried out once."""
    at: str
    """When it was given, ISO 8601."""


@dataclass(frozen=True, slots=True)
class IssueMemory:
    """What the store remembers of an issue between two jobs. Plain JSON can hold it."""

    comment_id: int | None = None
    body_hash: str | None = None
    """SHA-256 of the body we wrote last, without marker: another hash on GitHub means that a person edited it."""
    state: str = "none"
    """What our comment is: none, answer, question, words (answers to commands alone), hidden (as outdated, or by
    `hold`), deleted."""
    muted: bool = False
    """Nothing is written on the issue until `/triage unmute`."""
    hold: str = ""
    """Why people keep the answer back: hidden, wrong, muted, deleted, by_hand; "" where they do not."""
    hold_by: str = ""
    """Who did: author, maintainer, others."""
    question_replaced: bool = False
    """The one exception was used: our question was minimised and the answer posted anew."""
    answer: str = ""
    """What the answer that we gave last is about (`bot.triage.policy.answer_key`), without its wording."""
    entry: str | None = None
    """KB id that a maintainer set with `/triage entry`."""
    included: frozenset[int] = frozenset()
    """Comments of other people that a command made us read."""
    spoken: bool = False
    """A command asked for the answer: it is given also where there would be no reason to speak by itself."""
    read_until: str = ""
    """When the author's newest comment that we read was written or edited, ISO 8601."""
    upheld: bool = False
    """A maintainer showed the disputed answer again: disputes of others no longer hide it."""
    asked: tuple[str, ...] = ()
    """Answers to commands, newest last, as they stand under "Asked" (the last three)."""
    commands_run: frozenset[str] = frozenset()
    """`<comment id>:<line, redacted>#<n>` of every command carried out, so that an edit runs only what it adds."""
    wrong_by: frozenset[str] = frozenset()
    """Logins that said `/triage wrong`."""
    labels_set: frozenset[str] = frozenset()
    """Labels that we put on the issue, lower case."""
    labels_refused: frozenset[str] = frozenset()
    """Labels of ours that a person took off, lower case."""
    installed_at: str = ""
    """When the bot came to this repository, ISO 8601: older issues get nothing but answers to commands."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """One `/triage wrong`, to be stored. The account's disputes of the last 24 hours are counted over all issues."""

    login: str
    at: str
    """When the comment was written, ISO 8601."""
    reason: str
    """The words after the command, raw: redact before they are shown or stored."""
    by: str
    """author, maintainer, others."""
    answer: str
    """What was disputed: `bot.triage.policy.answer_key`, `outcome|entry or -|place`."""
    counted: bool
    """False above three a day and account: kept, but without weight."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do about an issue and what to remember of it."""

    actions: tuple[Action, ...]
    memory: IssueMemory
    verdict: Verdict | None
    reason: str
    """Why this was done or left alone: a code for metrics (`answered`, `no_panic`, `issue_older_than_install`, ...)."""
    disputes: tuple[Dispute, ...] = ()
    retry: str = ""
    """Reason code: perform and remember this much, then fail the job with a TransientError of this reason
    (`bot.handle.raise_for_retry`), so that the rest is tried again."""
