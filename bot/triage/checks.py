"""Tensor checks: their words stand in one place of burn, and the printed location is another, the call of the check."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.triage.knowledge import Knowledge
from kb.messages import TemplateHit
from kb.model import SiteKey

_REASON = re.compile(r"^\s*\d+\.\s+(.*\S)\s*$", re.MULTILINE)


def tensor_reasons(message: str) -> list[str]:
    """The numbered reasons of a tensor check's message, without their numbers."""
    return _REASON.findall(message)


def reason_keys(message: str, knowledge: Knowledge) -> list[SiteKey]:
    """The registrations that word the reasons of a message."""
    hits = [hit for reason in tensor_reasons(message) for hit in best_hits(knowledge.checks.match(reason))]
    return list(dict.fromkeys(key for hit in hits for key in hit.keys))


def check_targets(message: str, knowledge: Knowledge) -> list[str]:
    """Names (`TensorCheck::matmul`) of the checks that word the reasons of a message."""
    return list(dict.fromkeys(key.function for key in reason_keys(message, knowledge)))


def best_hits(hits: Sequence[TemplateHit]) -> list[TemplateHit]:
    """The hits that are as good as the first: same fit and as many fixed characters."""
    return [h for h in hits if (h.fit, h.length) == (hits[0].fit, hits[0].length)]
