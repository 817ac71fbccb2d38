"""`/triage unmute`: the end of `/triage mute`, and of `/triage wrong`."""

from __future__ import annotations

from bot.commands._holds import lifted, may_lift
from bot.commands._model import REFUSED, SEEN, Command, Context, Effect, Who


def plan(context: Context) -> Effect:
    """Speak again. An answer that was hidden by the mute comes back."""
    memory = context.memory
    if not memory.muted:
        return Effect(memory, SEEN)
    if not may_lift(memory, context.role):
        return Effect(memory, REFUSED)
    return Effect(lifted(memory), invites=memory.state == "hidden")


COMMAND = Command(
    name="unmute",
    usage="/triage unmute",
    summary="Ends a mute; a hidden answer comes back.",
    who=Who.AUTHOR,
    example="/triage unmute",
    plan=plan,
)
