"""`/triage delete`: delete the comment. It stays away until a command asks for it."""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import held
from bot.commands._model import Command, Context, Effect, Who


def plan(context: Context) -> Effect:
    """Delete our comment, and what was asked with it."""
    return Effect(replace(held(context.memory, "deleted", context.role), state="deleted", asked=()))


COMMAND = Command(
    name="delete",
    usage="/triage delete",
    summary="Deletes the comment.",
    who=Who.AUTHOR,
    example="/triage delete",
    plan=plan,
)
