"""Sentences that several commands say. Markdown whose foreign parts are quoted."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Place, Verdict
from bot.triage.safe import inline_code
from kb.entry import Entry

MANY = 3


def told(verdict: Verdict, knowledge: Knowledge) -> str:
    """A verdict in one or two sentences, also where a comment of its own would be silent."""
    root = verdict.reading.root
    if root is None:
        return "No panic was found in what was read."
    panic = inline_code(root.headline)
    entry = knowledge.entries.get(verdict.entry or "")
    because = f" {about(entry)}" if entry else ""
    wanted = _WANTED if verdict.question and not entry else ""
    match verdict.outcome:
        case Outcome.MATCHED if verdict.place:
            nothing = "" if entry else " There is no written entry for it."
            return f"{panic} is raised at {link(verdict.place)}.{because}{nothing}"
        case Outcome.AMBIGUOUS:
            return f"{panic} can be raised at several places: {_list(verdict.candidates)}.{because}{wanted}"
        case Outcome.FOREIGN:
            return f"{panic} is not raised by burn or its family.{because}"
        case _:
            return f"{panic} could not be traced to a place in the source.{because}"


_WANTED = " The line `thread '…' panicked at <path>:<line>:<column>` would tell which."


def about(entry: Entry) -> str:
    """An entry in short: id, title, summary."""
    return f"{entry.kb_id}, **{entry.title}**: {entry.summary.strip()}"


def link(place: Place) -> str:
    """A place as a link to its line at its revision."""
    return f"[{inline_code(place.function or place.path)} at {place.revision.name[:12]}]({place.permalink})"


def _list(places: Sequence[Place]) -> str:
    shown = ", ".join(link(place) for place in places[:MANY])
    return shown + (f" and {len(places) - MANY} more" if len(places) > MANY else "")
