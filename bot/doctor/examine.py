"""Runs the checks. What a check cannot look at because of another fault is passed over: that fault is told already."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

from sqlalchemy import Engine

from bot.clock import Clock
from bot.doctor import checks
from bot.errors import TriageError
from bot.github.registration import AppFacts, Registration
from bot.ports import DeliveryLog
from bot.settings import Settings
from bot.triage.knowledge import Knowledge

GITHUB, DATABASE = "github", "database"
FIRST = ("credentials", "database")
"""They find out whether GitHub and the database can be asked at all."""

NO_ANSWER = frozenset({"connection", "timeout", "server_error", "bad_answer"})
UNREACHABLE = "see that this machine reaches BURN_TRIAGE_GITHUB_API_URL (network, DNS, proxy), and try again"
"""The remedy where GitHub did not answer, by `bot.github.failures`."""

Fault = tuple[str, str]
"""What is wrong, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault."""

    check: str
    fault: str
    remedy: str


@dataclass
class Patient:
    """What is looked at. The two first checks fill in `app` and `reachable`."""

    settings: Settings
    clock: Clock
    registration: Callable[[], Registration]
    """May raise UserError for a key that cannot be used."""
    deliveries: Callable[[], DeliveryLog]
    server_time: Callable[[], float]
    engine: Callable[[], Engine]
    knowledge: Callable[[], Knowledge]
    secret_files: Sequence[Path] = ()
    app: AppFacts | None = None
    reachable: set[str] = field(default_factory=set)


@cache
def all_checks() -> dict[str, ModuleType]:
    """Every check by name, those first that others build on."""
    names = sorted(module.name for module in pkgutil.iter_modules(checks.__path__))
    ordered = [*FIRST, *(name for name in names if name not in FIRST)]
    return {name: importlib.import_module(f"{checks.__name__}.{name}") for name in ordered}


def examine(patient: Patient) -> list[Finding]:
    """Every fault; none for a bot that is well."""
    return [finding for name, module in all_checks().items() for finding in _faults(name, module, patient)]


def _faults(name: str, module: ModuleType, patient: Patient) -> Iterator[Finding]:
    if module.NEEDS - patient.reachable:
        return
    try:
        for fault, remedy in module.check(patient):
            yield Finding(name, fault, remedy)
    except TriageError as error:
        remedy = UNREACHABLE if error.reason in NO_ANSWER else "mend that, then run `burn-triage doctor` again"
        yield Finding(name, f"could not be looked at: {error}", remedy)
