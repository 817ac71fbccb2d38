"""The knowledge base can be read, answers its own example, and knows what burn's main looks like of late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.canary import sing
from bot.doctor.examine import Fault, Patient
from bot.errors import PermanentError
from kb.catalog import Catalog
from kb.errors import KnowledgeBaseError
from kb.model import MAIN

NEEDS: frozenset[str] = frozenset()
OLD_DAYS = 180
RENEW = (
    "install a newer burn-triage, or run `burn-triage kb sync` in a checkout and set BURN_TRIAGE_KB to its kb folder"
)


def check(patient: Patient) -> Iterator[Fault]:
    """Open it as a worker does."""
    try:
        knowledge = patient.knowledge()
        sing(knowledge)
    except (KnowledgeBaseError, PermanentError) as error:
        yield f"the knowledge base is of no use: {error}", "install burn-triage again, or mend BURN_TRIAGE_KB"
        return
    assert isinstance(knowledge.index, Catalog)
    dates = [r.date for repo in knowledge.index.repos() for r in knowledge.index.revisions(repo) if r.name == MAIN]
    newest = max(dates, default="")
    if newest:
        seen = datetime.fromisoformat(newest).replace(tzinfo=UTC)
        days = (patient.clock.now() - seen.timestamp()) / 86_400
        if days > OLD_DAYS:
            yield f"catalogue {knowledge.revision} ends {days:.0f} days ago, on {newest[:10]}", RENEW
