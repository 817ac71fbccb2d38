"""`/triage explain`: an entry, or a panic pasted into the same comment, in a few words.

author: /triage explain KB-0007
bot:    (in its comment, under "Asked") KB-0007, **BufferTooBig: ...**: The request is larger than ...
"""

from __future__ import annotations

import re
from dataclasses import replace

from bot.commands._model import DONE, PUZZLED, Command, Context, Effect, Who
from bot.commands._words import about, told
from bot.triage.model import Outcome, Report
from bot.triage.safe import MAX_CHARS, inline_code

_ENTRY_ID = re.compile(r"`*(KB-\d{4,})\b", re.IGNORECASE)
_COMMAND = re.compile(r"^([ \t]*)/triage[ \t]+explain\b[ \t]*", re.IGNORECASE | re.MULTILINE)


def plan(context: Context) -> Effect:
    """The entry that was named; else whatever panic stands in the comment."""
    named = _ENTRY_ID.match(context.call.argument) or _ENTRY_ID.match(_line_in_code(context.call.body))
    if named:
        return _entry(context, named[1].upper())
    verdict = context.analyze(_pasted(context))
    if verdict.outcome is Outcome.NONE and _line_in_code(context.call.body).strip():
        verdict = context.analyze(_words_alone(context))
    reaction = PUZZLED if verdict.outcome is Outcome.NONE else DONE
    return Effect(context.memory, reaction, words=told(verdict, context.knowledge))


def _entry(context: Context, kb_id: str) -> Effect:
    entry = context.knowledge.entries.get(kb_id)
    if entry is None:
        return Effect(context.memory, PUZZLED, words=f"There is no entry {inline_code(kb_id)}.")
    return Effect(context.memory, words=about(entry))


def _pasted(context: Context) -> Report:
    snapshot = context.snapshot
    text = _COMMAND.sub(r"\1", context.call.body)
    return Report(id=None, title="", body=text, repo=snapshot.repo, created_at=context.call.at)


def _words_alone(context: Context) -> Report:
    """The line after the command taken for a message: whoever asks says that it is one."""
    words = inline_code(_line_in_code(context.call.body), MAX_CHARS)
    return replace(_pasted(context), body=f"Panic message: {words}")


def _line_in_code(body: str) -> str:
    """What follows `/triage explain` on its line, with the code spans that commands are not read from."""
    match = _COMMAND.search(body)
    return body[match.end() :].split("\n", 1)[0] if match else ""


COMMAND = Command(
    name="explain",
    usage="/triage explain <KB id or pasted panic>",
    summary="Explains an entry, or the panic that stands in the same comment.",
    who=Who.AUTHOR,
    example="/triage explain KB-0007",
    plan=plan,
)
