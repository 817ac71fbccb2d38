"""Candidates from the value that an `unwrap` printed: for reports without a place, where the value is the family's own.

An `unwrap` says nothing about its place. But where the value is an error that the family itself words, and one entry
asks for it, the entry's sites are the ones that are known to print it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.triage.by_message import Worded, by_keys
from bot.triage.choose_entry import entry_for_value
from bot.triage.knowledge import Knowledge
from bot.triage.model import Candidate, Fact, Trust
from bot.triage.std_messages import std_length
from kb.entry import Entry
from kb.model import PANIC_KINDS, SiteKind
from kb.template import Fit, MessageTemplate, literal_length

ERROR_KINDS = frozenset({SiteKind.DEBUG_IMPL, SiteKind.DISPLAY, SiteKind.THISERROR})
"""Kinds that word an error and raise nothing."""
SHORTEST = 20
"""Fixed characters of an error's text, and of the value that an entry asks for, before they count as the family's."""


def by_value(message: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> Worded:
    """The sites of the one entry that asks for this value, in the versions that can be meant; nothing without one."""
    value = message[std_length(message) :].lstrip(": \n")
    entry = entry_for_value(message, SHORTEST, knowledge)
    if entry is None or not _is_ours(value, knowledge):
        return Worded()
    keys = dict.fromkeys(site.key for site in entry.sites if site.kind in PANIC_KINDS)
    why = "the value that it prints is an error's text of the family, which this function is known to print"
    found = by_keys(keys, why, facts, date, knowledge)
    kept = tuple(replace(c, trust=Trust.WORDS) for c in found if _has_receiver(entry, c))
    return Worded(kept, (why,) if kept else ())


def _is_ours(value: str, knowledge: Knowledge) -> bool:
    """Whether an error type of the family words this value."""
    keys = (key for key in knowledge.index.keys(ERROR_KINDS) if literal_length(key.template) >= SHORTEST)
    return any(MessageTemplate(SiteKind.PANIC, key.template).fit(value) >= Fit.PREFIX for key in keys)


def _has_receiver(entry: Entry, candidate: Candidate) -> bool:
    here = candidate.place.site
    wanted = {s.receiver_name for s in entry.sites if here is not None and s.key == here.key}
    return here is None or "" in wanted or here.receiver in wanted
