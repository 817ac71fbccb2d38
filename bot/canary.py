"""A report whose answer is known, read once a day as if somebody had sent it: silence alone proves nothing."""

from __future__ import annotations

from collections.abc import Callable

from bot.errors import PermanentError
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report
from kb.entry import Status


def canary(read_as: Callable[[int | None], Knowledge]) -> Callable[[float | None], int]:
    """The chore: let it sing over the knowledge base as a worker reads it."""

    def run(_covered_until: float | None) -> int:
        sing(read_as(None))
        return 0

    return run


def sing(knowledge: Knowledge) -> str:
    """Read an example of the oldest published entry; the entry's id when it was recognised.

    PermanentError (`canary_silent`) when it was not, or when there is no entry to try it with.
    """
    published = (entry for _, entry in sorted(knowledge.entries.items()) if entry.status is Status.PUBLISHED)
    entry = next((entry for entry in published if entry.examples), None)
    if entry is None:
        raise PermanentError("canary_silent", "the knowledge base has no published entry with an example")
    found = analyze(Report(None, "Canary", f"```\n{entry.examples[0].text}\n```"), knowledge)
    if found.entry != entry.kb_id:
        raise PermanentError(
            "canary_silent", f"the example of {entry.kb_id} was answered with {found.entry or 'nothing'}"
        )
    return entry.kb_id
