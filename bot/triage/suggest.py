"""Templates that a mangled or half-remembered message looks like: a suggestion for people, never an answer."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from bot.triage.by_message import by_keys
from bot.triage.knowledge import Knowledge
from bot.triage.model import Candidate, Fact

LIKENESS = 75.0
"""Ratio (0 to 100) from which a template is suggested.

Measured on all 6,551 templates: of 400 texts with a quarter of their words cut or lost 348 find their own template
first and 23 another one; of 259 foreign messages and lines without a panic none finds any. WRatio suggests something
for 229 of the 259, token_set_ratio for 13.
"""
SHORTEST = 20
"""Characters below which everything looks like something."""
MOST = 3


def suggest(message: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> tuple[Candidate, ...]:
    """Flagged candidates whose words are nearly those of the message, the likest first."""
    headline = message.split("\n", 1)[0].strip()[:300]
    if len(headline) < SHORTEST:
        return ()
    found = process.extract(headline, knowledge.panics.wordings, scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=MOST)
    candidates: dict[object, Candidate] = {}
    for _, score, wording in found:
        why = f"the words are {score:.0f} % like `{wording}`"
        for candidate in by_keys(knowledge.panics.keys_of(wording), why, facts, date, knowledge):
            candidates.setdefault((candidate.place.path, candidate.place.function), candidate)
    return tuple(candidates.values())[:MOST]
