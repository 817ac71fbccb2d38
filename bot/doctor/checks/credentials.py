"""The App's keys are there, and GitHub knows them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.examine import GITHUB, UNREACHABLE, Fault, Patient
from bot.errors import PermanentError, TransientError, UserError
from bot.rotation import PENDING

NEEDS: frozenset[str] = frozenset()
NEEDED = ("app_id", "private_key", "webhook_secret")
NEW_KEY = "make a new one on its page on GitHub and keep it with `burn-triage secrets set private-key`"
SAID = {
    "unauthorized": f"take the private key of this very App: {NEW_KEY}; if the clock is off, set the clock first",
    "not_found": "no App has this id: set BURN_TRIAGE_APP_ID to the one on the App's page on GitHub; where it was "
    "deleted there, take the credentials away and run `burn-triage setup`",
}


def check(patient: Patient) -> Iterator[Fault]:
    """Missing, refused, or not those of the login that is set."""
    missing = [name for name in NEEDED if getattr(patient.settings, name) is None]
    if missing:
        names = ", ".join(f"BURN_TRIAGE_{name.upper()}" for name in missing)
        yield f"not set: {names}", "run `burn-triage setup`, or set them"
    if {"app_id", "private_key"} & set(missing):
        return
    try:
        patient.app = patient.registration().read()
    except UserError as error:
        yield str(error), f"GitHub does not show a key twice: {NEW_KEY}"
        return
    except (PermanentError, TransientError) as error:
        remedy = SAID.get(error.reason, UNREACHABLE)
        yield f"GitHub does not take the App's key: {error}", remedy
        return
    patient.reachable.add(GITHUB)
    login, wanted = f"{patient.app.slug}[bot]", patient.settings.bot_login
    if wanted is not None and wanted.casefold() != login.casefold():
        yield f"BURN_TRIAGE_BOT_LOGIN is {wanted}, but the App writes as {login}", f"set it to {login}"
    yield from _pending(patient)


def _pending(patient: Patient) -> Iterator[Fault]:
    from bot.credentials import read_kept

    try:
        kept = read_kept(patient.settings.credentials)
    except ValueError as error:
        yield str(error), "restore it from a copy, or set the keys as variables"
        return
    if kept.get(PENDING):
        yield "a rotation of the webhook secret has not reached GitHub", "run `burn-triage secrets rotate` again"
