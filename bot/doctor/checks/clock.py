"""This machine's clock and GitHub's agree: tokens are dated."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.examine import Fault, Patient

NEEDS: frozenset[str] = frozenset()
MOST_SECONDS = 30.0
"""GitHub refuses tokens from the future; ours are dated a minute back."""


def check(patient: Patient) -> Iterator[Fault]:
    """Compare with the date of an answer."""
    ahead = patient.clock.now() - patient.server_time()
    if abs(ahead) > MOST_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        yield f"this machine's clock is {abs(ahead):.0f} s {side} GitHub's", "set it, and keep it set with NTP"
