"""The App may do what `bot/app-manifest.json` says, on GitHub and in every installation; no more, no less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.doctor.examine import GITHUB, Fault, Patient
from bot.setup.manifest import permissions

NEEDS = frozenset({GITHUB})


def check(patient: Patient) -> Iterator[Fault]:
    """Compare, and say where to change it."""
    assert patient.app is not None
    needed, app = permissions(), patient.app
    if wrong := difference(needed, app.permissions):
        yield f"the App's permissions differ from what it needs: {wrong}", f"change them on the settings of {app.page}"
    installed = list(patient.registration().granted())
    for one in installed:
        if not one.suspended and (wrong := difference(needed, one.permissions)):
            remedy = f"its owner accepts the present permissions at {one.page}"
            yield f"the installation on {one.account} has others: {wrong}", remedy
    if not installed:
        yield "the App is installed nowhere", f"install it: {app.page}/installations/new"
    elif all(one.suspended for one in installed):
        # One among others is its owner's choice, and no fault.
        names = ", ".join(one.account for one in installed)
        yield f"the App is suspended wherever it is installed: {names}", f"its owner ends that at {installed[0].page}"


def difference(needed: Mapping[str, str], given: Mapping[str, str]) -> str:
    """What is missing and what is too much, "" where nothing is."""
    lacking = [f"{name} must be {level}" for name, level in needed.items() if given.get(name) != level]
    surplus = [f"{name} ({level}) is not needed" for name, level in sorted(given.items()) if name not in needed]
    return ", ".join(lacking + surplus)
