"""`/triage mute`: nothing more on this issue."""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import held
from bot.commands._model import Command, Context, Effect, Who


def plan(context: Context) -> Effect:
    """Hide the answer and write nothing more; commands still get a reaction."""
    return Effect(replace(held(context.memory, "muted", context.role), muted=True))


COMMAND = Command(
    name="mute",
    usage="/triage mute",
    summary="Hides the answer and writes nothing more on this issue.",
    who=Who.AUTHOR,
    example="/triage mute",
    plan=plan,
)
