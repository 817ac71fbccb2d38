"""`/triage` alone: read the whole thread and answer again.

octocat: The same happens to me, here is the log: (a panic)
author:  /triage
bot:     (reaction; the one comment now answers what the thread shows)
"""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import lifted, may_lift
from bot.commands._model import REFUSED, SEEN, Command, Context, Effect, Who


def plan(context: Context) -> Effect:
    """Read what everybody wrote so far, and bring the answer back where it was hidden or deleted."""
    memory = context.memory
    if memory.muted:
        return Effect(memory, SEEN)
    if not may_lift(memory, context.role):
        return Effect(memory, REFUSED)
    people = {c.id for c in context.snapshot.comments if not c.is_bot and not c.via_app}
    return Effect(replace(lifted(memory), included=memory.included | people), invites=True)


COMMAND = Command(
    name="again",
    usage="/triage",
    summary="Reads the whole thread, comments of others too, and answers again.",
    who=Who.AUTHOR,
    example="/triage",
    plan=plan,
)
