"""The App hears of what `bot/app-manifest.json` says."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.examine import GITHUB, Fault, Patient
from bot.setup.manifest import ALWAYS_SENT, events

NEEDS = frozenset({GITHUB})


def check(patient: Patient) -> Iterator[Fault]:
    """Events that are not subscribed to, or for nothing."""
    assert patient.app is not None
    given, page = patient.app.events - ALWAYS_SENT, patient.app.page
    if missing := events() - given:
        yield f"the App is not told of {', '.join(sorted(missing))}", f"subscribe to it on the settings of {page}"
    if surplus := given - events():
        yield f"the App is told of {', '.join(sorted(surplus))} for nothing", f"unsubscribe on the settings of {page}"
