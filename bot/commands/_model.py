"""What a slash command is, what it is told, and what may come of it. Plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.triage.knowledge import Knowledge
from bot.triage.model import Report, Verdict
from bot.triage.snapshot import Dispute, IssueMemory, IssueSnapshot

DONE, SEEN, PUZZLED, REFUSED = "+1", "eyes", "confused", "-1"
"""Reactions: carried out; seen, nothing to add (or not yet); not understood, or not possible; not yours to say."""


class Who(StrEnum):
    """Who may use a command. The value is what the help shows."""

    ANYONE = "anyone"
    AUTHOR = "the issue's author, maintainers"
    MAINTAINER = "maintainers"


class Role(StrEnum):
    """What somebody is on an issue. A maintainer is a person with triage permission or more."""

    MAINTAINER = "maintainer"
    AUTHOR = "author"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Call:
    """One command line as somebody wrote it."""

    name: str
    """The word after `/triage`, lower case; "" for `/triage` alone."""
    argument: str
    """What follows on the same line, code spans left out."""
    line: str
    """The whole line, blanks folded."""
    key: str
    """`<comment id>:<line>#<n>`: names this line for ever, so that it runs once."""
    author: str
    comment_id: int | None
    """None where it stands in the issue's own text."""
    body: str
    """The whole comment."""
    at: str
    """When the comment was written or last edited, ISO 8601."""
    quiet: bool = False
    """Given on the dashboard: nobody waits on the issue for a reaction or words. For maintainers alone."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that a command may look at."""

    call: Call
    role: Role
    snapshot: IssueSnapshot
    memory: IssueMemory
    knowledge: Knowledge
    analyze: Callable[[Report], Verdict]
    wrong_today: Mapping[str, int] = field(default_factory=dict)
    """Disputes of the last 24 hours by login (lower case), over all issues, before this job."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What comes of a command. What stands on the issue is worked out afterwards, from the memory."""

    memory: IssueMemory
    reaction: str = DONE
    words: str = ""
    """Markdown for the comment, under "Asked"; "" where the reaction says it all."""
    invites: bool = False
    """The answer was asked for: it is given also where it would not be given by itself."""
    dispute: Dispute | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """One slash command. Its module is named like it."""

    name: str
    """The word after `/triage`."""
    usage: str
    summary: str
    """One sentence for the help."""
    who: Who
    example: str
    plan: Callable[[Context], Effect]
