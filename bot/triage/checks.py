"""Tensor checks: their words stand in one place of burn, and the printed location is another, the call of the check."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.triage.knowledge import Knowledge
from kb.messages import TemplateHit
from kb.model import Revision, SiteKey, SiteKind

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


def has_tracked_check(revision: Revision, knowledge: Knowledge) -> bool:
    """Whether the file of the checks has a helper that tracks its caller (`unwrap_dim_index`, from burn v0.22).

    Its message is printed where the helper is called, and the words are those of another error.
    """
    index = knowledge.index
    for key in index.keys(frozenset({SiteKind.TENSOR_ERROR})):
        for site in index.places(key, revision) if key.repo == revision.repo else ():
            return any(s.span.track_caller for s in index.spans_in(revision, site.path))
    return False


def best_hits(hits: Sequence[TemplateHit]) -> list[TemplateHit]:
    """The hits that are as good as the first: same fit and as many fixed characters."""
    return [h for h in hits if (h.fit, h.length) == (hits[0].fit, hits[0].length)]
