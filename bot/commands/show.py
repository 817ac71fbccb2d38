"""`/triage show`: bring a hidden or deleted answer back. A maintainer settles disputes by it."""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import lifted, may_lift
from bot.commands._model import REFUSED, SEEN, Command, Context, Effect, Role, Who


def plan(context: Context) -> Effect:
    """Show the answer again; after a mute only `/triage unmute` does."""
    memory = context.memory
    if memory.muted:
        return Effect(memory, SEEN)
    if not may_lift(memory, context.role):
        return Effect(memory, REFUSED)
    settled = memory.upheld or (memory.hold_by == Role.OTHERS and context.role is Role.MAINTAINER)
    return Effect(replace(lifted(memory), upheld=settled), invites=True)


COMMAND = Command(
    name="show",
    usage="/triage show",
    summary="Shows the answer again after it was hidden or deleted.",
    who=Who.AUTHOR,
    example="/triage show",
    plan=plan,
)
