"""Carries commands out one after the other: who may, what comes of it, what is said to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz, process

from bot.commands import COMMANDS
from bot.commands._model import PUZZLED, REFUSED, SEEN, Call, Command, Context, Effect, Role, Who
from bot.triage.actions import React
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report, Verdict
from bot.triage.policy import is_author, permission_of
from bot.triage.safe import inline_code
from bot.triage.snapshot import Dispute, IssueMemory, IssueSnapshot, Permission

LAST_ASKED = 3
_LIKE = 70
"""Likeness (RapidFuzz ratio, 0 to 100) from which a word is taken for a mistyped command."""
_NO_COMMAND = "is no command"


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of all the commands of a job."""

    memory: IssueMemory
    reactions: tuple[React, ...] = ()
    said: bool = False
    """Words were added under "Asked"."""
    invited: tuple[Call, ...] = ()
    """The calls that asked for the answer."""
    disputes: tuple[Dispute, ...] = ()
    retry: str = ""
    refused: bool = False
    """What was asked for on the dashboard is not for this person to ask (any more)."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What every command of a job is carried out with."""

    snapshot: IssueSnapshot
    knowledge: Knowledge
    analyze: Callable[[Report], Verdict]
    wrong_today: Mapping[str, int]


def run(calls: Sequence[Call], memory: IssueMemory, desk: Desk) -> Ran:
    """The commands in order, each on the memory that the one before left."""
    ran = Ran(memory)
    for call in calls:
        ran = _one(call, ran, desk)
    return ran


def no_command_here(calls: Sequence[Call], memory: IssueMemory) -> Ran:
    """On a pull request, or beside a comment of ours from elsewhere, a command gets a reaction and nothing else."""
    return Ran(
        replace(memory, commands_run=memory.commands_run | {call.key for call in calls}),
        tuple(dict.fromkeys(React(PUZZLED, call.comment_id) for call in calls if not call.quiet)),
    )


def asked_line(call: Call, words: str) -> str:
    """One item under "Asked": the command as it was written, and the answer."""
    return f"{inline_code(call.line, 80)}: {words}"


def with_asked(memory: IssueMemory, item: str) -> IssueMemory:
    """The item added, the last three kept."""
    return replace(memory, asked=(*memory.asked, item)[-LAST_ASKED:])


def role_of(call: Call, who: Who, snapshot: IssueSnapshot) -> Role | None:
    """What the writer is on this issue; None where it matters and could not be found out."""
    author = is_author(snapshot, call.author)
    match permission_of(snapshot, call.author):
        case Permission.YES:
            return Role.MAINTAINER
        case Permission.UNKNOWN if not author or who is Who.MAINTAINER:
            return None
    return Role.AUTHOR if author else Role.OTHERS


def _one(call: Call, ran: Ran, desk: Desk) -> Ran:
    command = COMMANDS.get(call.name or "again")
    who = Who.MAINTAINER if call.quiet else command.who if command else Who.AUTHOR
    role = role_of(call, who, desk.snapshot)
    if role is None:
        # Not marked as run: the job fails after this reaction and is tried again.
        return replace(ran, reactions=_reacted(ran, SEEN, call), retry="permission_unknown")
    memory = replace(ran.memory, commands_run=ran.memory.commands_run | {call.key})
    if not _may(role, who):
        return replace(ran, memory=memory, reactions=_reacted(ran, REFUSED, call), refused=call.quiet)
    if command is None:
        return _applied(ran, call, _hint(call, memory))
    wrong_today = Counter(desk.wrong_today) + Counter(d.login.casefold() for d in ran.disputes if d.counted)
    context = Context(call, role, desk.snapshot, memory, desk.knowledge, desk.analyze, wrong_today)
    return _applied(ran, call, _planned(command, context))


def _may(role: Role, who: Who) -> bool:
    return who is Who.ANYONE or role is Role.MAINTAINER or (who is Who.AUTHOR and role is Role.AUTHOR)


def _planned(command: Command, context: Context) -> Effect:
    """The command's effect; while muted its words are dropped and only a reaction is left."""
    effect = command.plan(context)
    if effect.memory.muted and effect.words:
        return replace(effect, words="", reaction=SEEN)
    return effect


def _applied(ran: Ran, call: Call, effect: Effect) -> Ran:
    words = "" if call.quiet else effect.words
    memory = with_asked(effect.memory, asked_line(call, words)) if words else effect.memory
    return replace(
        ran,
        memory=replace(memory, spoken=True) if effect.invites else memory,
        reactions=_reacted(ran, effect.reaction, call),
        said=ran.said or bool(words),
        invited=(*ran.invited, call) if effect.invites else ran.invited,
        disputes=(*ran.disputes, effect.dispute) if effect.dispute else ran.disputes,
    )


def _hint(call: Call, memory: IssueMemory) -> Effect:
    """One hint an issue for a mistyped command, then only a reaction."""
    if memory.muted or any(_NO_COMMAND in item for item in memory.asked):
        return Effect(memory, PUZZLED)
    near = process.extractOne(call.name, list(COMMANDS), scorer=fuzz.ratio, score_cutoff=_LIKE)
    meant = f"Did you mean `/triage {near[0]}`? " if near else ""
    return Effect(memory, PUZZLED, words=f"this {_NO_COMMAND}. {meant}`/triage help` lists them all.")


def _reacted(ran: Ran, content: str, call: Call) -> tuple[React, ...]:
    return ran.reactions if call.quiet else tuple(dict.fromkeys((*ran.reactions, React(content, call.comment_id))))
