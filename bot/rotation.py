"""Changing secrets without losing a delivery or a comment: what the credentials file holds before and after. Pure but
for the new secrets themselves."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from bot.errors import UserError

SECRET_BYTES = 32
PENDING = "webhook_secret_pending"
"""Holds a word while GitHub may not know of the newest webhook secret yet."""

HOW = {
    "webhook_secret": "`burn-triage secrets rotate webhook-secret`: at any time, the old one stays valid beside it",
    "webhook_secret_old": "`burn-triage secrets retire` ends it, a day after a rotation",
    "marker_key": "`burn-triage secrets rotate marker-key`: while no worker runs; the old ones go on verifying",
    "marker_key_old": "kept for good: the comments that were signed with them stay ours",
    "private_key": "make a new one on the App's page on GitHub, then `burn-triage secrets set private-key < FILE`",
    "client_secret": "make a new one on the App's page on GitHub, then `burn-triage secrets set client-secret < FILE`",
}
"""Secrets, and how each is changed."""

Kept = Mapping[str, str]


def with_new_webhook_secret(kept: Kept) -> dict[str, str]:
    """A new secret beside the old one. While the last rotation has not reached GitHub it is that one which goes on:
    another new one would drop the secret that GitHub signs with."""
    if kept.get(PENDING):
        return dict(kept)
    after = {**kept, "webhook_secret": secrets.token_hex(SECRET_BYTES), PENDING: "yes"}
    if kept.get("webhook_secret"):
        after["webhook_secret_old"] = kept["webhook_secret"]
    return after


def sent(kept: Kept) -> dict[str, str]:
    """GitHub knows the new secret."""
    return {name: text for name, text in kept.items() if name != PENDING}


def retired(kept: Kept) -> dict[str, str]:
    """Without the old webhook secret. UserError while GitHub may still sign with it."""
    if kept.get(PENDING):
        raise UserError(
            "rotation_pending",
            "GitHub does not know the new secret yet: run `burn-triage secrets rotate webhook-secret`",
        )
    if not kept.get("webhook_secret_old"):
        raise UserError("nothing_to_retire", "there is no old webhook secret")
    return {name: text for name, text in kept.items() if name != "webhook_secret_old"}


def with_new_marker_key(kept: Kept) -> dict[str, str]:
    """A new key that signs, all former ones verify. UserError where there was none: what was written without a key
    would no longer be known as ours."""
    if not kept.get("marker_key"):
        raise UserError(
            "no_marker_key",
            "there is no marker key to rotate; comments that were written without one would no longer be known as ours",
        )
    former = [kept["marker_key"], *kept.get("marker_key_old", "").split()]
    return {**kept, "marker_key": secrets.token_hex(SECRET_BYTES), "marker_key_old": "\n".join(former)}
