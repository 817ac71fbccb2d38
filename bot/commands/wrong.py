"""`/triage wrong`: say that the answer is wrong.

The issue's author or a maintainer mutes it at once. Others are counted: two distinct accounts hide it until a
maintainer decides. Three a day and account count, over all issues.
"""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import held
from bot.commands._model import PUZZLED, SEEN, Command, Context, Effect, Role, Who
from bot.triage.snapshot import Dispute, IssueMemory

ENOUGH = 2
"""Distinct accounts, neither author nor maintainer, whose word hides an answer."""

A_DAY = 3
"""Disputes a day and account that count."""


def plan(context: Context) -> Effect:
    """Record the dispute; what it does depends on who says it."""
    memory = context.memory
    if not memory.answer:
        return Effect(memory, PUZZLED)
    dispute = _dispute(context)
    if context.role is not Role.OTHERS:
        return Effect(replace(held(memory, "wrong", context.role), muted=True), dispute=dispute)
    login = context.call.author.casefold()
    if login in memory.wrong_by or not dispute.counted:
        return Effect(memory, SEEN, dispute=None if login in memory.wrong_by else dispute)
    return Effect(_counted(replace(memory, wrong_by=memory.wrong_by | {login})), dispute=dispute)


def _counted(memory: IssueMemory) -> IssueMemory:
    enough = len(memory.wrong_by) >= ENOUGH and not memory.upheld and not memory.hold
    return held(memory, "wrong", Role.OTHERS) if enough else memory


def _dispute(context: Context) -> Dispute:
    call, memory = context.call, context.memory
    return Dispute(
        login=call.author,
        at=call.at,
        reason=call.argument[:300],
        by=str(context.role),
        answer=memory.answer,
        counted=context.wrong_today.get(call.author.casefold(), 0) < A_DAY,
    )


COMMAND = Command(
    name="wrong",
    usage="/triage wrong [reason]",
    summary="Says that the answer is wrong. The author and maintainers silence it at once, two others hide it.",
    who=Who.ANYONE,
    example="/triage wrong the panic comes from my own code",
    plan=plan,
)
