"""What makes two issues show the same panic: the fingerprint, or the site. Pure."""

from __future__ import annotations

import hashlib

from bot.triage.model import Outcome, Verdict


def site_id(verdict: Verdict) -> str | None:
    """Sixteen hex digits that name the panic site for all releases; None where the verdict names none.

    A site without words shares its key with its like in the same function: what is called there tells them apart.
    """
    site = verdict.place.site if verdict.place else None
    if site is None:
        return None
    if site.key.template:
        return site.key.id
    return hashlib.sha256(f"{site.key.id}\0{site.receiver}\0{site.target}".encode()).hexdigest()[:16]


def is_comparable(verdict: Verdict) -> bool:
    """Whether a comment may say that other issues show the same: not while it asks which place was meant."""
    return verdict.outcome is not Outcome.AMBIGUOUS or verdict.entry is not None
