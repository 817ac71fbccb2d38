"""`/triage help`: every command and who may use it, read from the commands themselves."""

from __future__ import annotations

from bot.commands._model import Command, Context, Effect, Who

REACTIONS = (
    "Reactions: 👍 done; 👀 seen, nothing to add, or not yet; 😕 not understood, or not possible; 👎 not yours to use; "
    "🚀 what you added changed the answer. Maintainers are people with triage permission or more."
)


def plan(context: Context) -> Effect:
    """The table of commands."""
    # The table reads the registry, which imports this module.
    from bot.commands import COMMANDS

    return Effect(context.memory, words=f"{table(list(COMMANDS.values()))}\n\n{REACTIONS}")


def table(commands: list[Command]) -> str:
    """The commands as a Markdown table. Also used by the documentation."""
    rows = [f"| `{c.usage}` | {c.who} | {c.summary} |" for c in commands]
    return "\n".join(["", "", "| Command | Who | What it does |", "|---|---|---|", *rows])


COMMAND = Command(
    name="help",
    usage="/triage help",
    summary="Shows this list.",
    who=Who.AUTHOR,
    example="/triage help",
    plan=plan,
)
