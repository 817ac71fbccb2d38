"""`/triage hide`: hide the answer until `/triage show`."""

from __future__ import annotations

from dataclasses import replace

from bot.commands._holds import held
from bot.commands._model import SEEN, Command, Context, Effect, Who


def plan(context: Context) -> Effect:
    """Keep the answer back. Where there is none, it will not come by itself either."""
    memory = held(context.memory, "hidden", context.role)
    if memory.state in {"answer", "question", "words"}:
        return Effect(replace(memory, state="hidden"))
    return Effect(memory, SEEN)


COMMAND = Command(
    name="hide",
    usage="/triage hide",
    summary="Hides the answer.",
    who=Who.AUTHOR,
    example="/triage hide",
    plan=plan,
)
