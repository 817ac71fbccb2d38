"""`/triage entry`: a maintainer says which entry is the right one.

maintainer: /triage entry KB-0003
bot:        (reaction; the comment now gives KB-0003)
"""

from __future__ import annotations

import re
from dataclasses import replace

from bot.commands._holds import lifted
from bot.commands._model import PUZZLED, SEEN, Command, Context, Effect, Who
from bot.triage.model import Outcome
from bot.triage.policy import report_of
from bot.triage.safe import inline_code

_NAMED = re.compile(r"^[ \t]*/triage[ \t]+entry[ \t]+`*(KB-\d{4,}|none)\b", re.IGNORECASE | re.MULTILINE)


def plan(context: Context) -> Effect:
    """Set the entry, `none` to take it back. An answer that was disputed or hidden comes back; a mute stays."""
    memory = context.memory
    named = _NAMED.search(context.call.line) or _NAMED.search(context.call.body)
    kb_id = named[1].upper() if named else ""
    if kb_id == "NONE":
        return Effect(replace(memory, entry=None), invites=not memory.muted)
    if kb_id not in context.knowledge.entries:
        said = (
            f"There is no entry {inline_code(kb_id)}."
            if kb_id
            else f"Which entry? Write {inline_code(COMMAND.example)}."
        )
        return Effect(memory, PUZZLED, words=said)
    if context.analyze(report_of(context.snapshot, memory)).outcome is Outcome.NONE:
        return Effect(memory, PUZZLED, words="No panic was found here that an entry could explain.")
    memory = replace(memory, entry=kb_id)
    if memory.hold == "muted":
        return Effect(memory, SEEN)
    return Effect(lifted(memory), invites=True)


COMMAND = Command(
    name="entry",
    usage="/triage entry <KB id>",
    summary="Sets the entry that explains this issue; `none` takes it back.",
    who=Who.MAINTAINER,
    example="/triage entry KB-0003",
    plan=plan,
)
