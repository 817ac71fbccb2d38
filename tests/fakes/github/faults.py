"""Misbehaviour on demand: what to answer wrongly, how often, and whether the request is carried out all the same."""

from __future__ import annotations

import random
import re
import threading
from dataclasses import dataclass, field

PLAIN = {
    "401": (401, "Bad credentials"),
    "403": (403, "Resource not accessible by integration"),
    "404": (404, "Not Found"),
    "410": (410, "This issue was deleted"),
    "422": (422, "Validation Failed"),
    "500_before": (500, "Server Error"),
    "502_before": (502, "Server Error"),
    "503_before": (503, "Service Unavailable"),
    "502_after": (502, "Server Error"),
    "500_after": (500, "Server Error"),
    "429": (429, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."),
    "secondary": (403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."),
    "abuse": (422, "Validation Failed: was submitted too quickly"),
    "primary": (403, "API rate limit exceeded for installation ID 1."),
    "suspended": (403, "This installation has been suspended"),
}
SPECIAL = frozenset(
    {
        "timeout_before",
        "timeout_after",
        "drop_before",
        "drop_after",
        "slow",
        "garbage_after",
        "truncated_after",
        "stale",
    }
)
KINDS = frozenset(PLAIN) | SPECIAL
"""`_before`: nothing is stored; `_after`: the request is carried out first. `timeout`: no answer for `delay` seconds,
then the connection is closed; `drop`: it is closed at once; `slow`: a good answer after `delay` seconds; `garbage`: an
HTML page with status 200; `truncated`: JSON cut in half; `stale`: lists leave out what was written in the last `delay`
seconds."""


@dataclass
class Fault:
    """One rule. `verb` and `path` are regular expressions (full match, search); `times` -1 means for ever."""

    kind: str
    verb: str = ".*"
    path: str = ""
    times: int = 1
    skip: int = 0
    chance: float = 1.0
    delay: float = 0.0
    retry_after: str | None = None
    reset_in: int = 600
    hits: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no fault {self.kind!r}; there are {', '.join(sorted(KINDS))}")

    @property
    def after(self) -> bool:
        """Whether the request is carried out first."""
        return self.kind.endswith("_after")


class Faults:
    """The rules in force, tried in the order in which they were added."""

    def __init__(self, seed: int = 0) -> None:
        self._rules: list[Fault] = []
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def add(self, fault: Fault) -> Fault:
        """Put a rule in force. `fault.hits` counts how often it struck."""
        with self._lock:
            self._rules.append(fault)
        return fault

    def clear(self) -> None:
        """Behave."""
        with self._lock:
            self._rules.clear()

    def strike(self, verb: str, path: str) -> Fault | None:
        """The fault for this request, if any; uses it up."""
        with self._lock:
            for rule in self._rules:
                if self._strikes(rule, verb, path):
                    return rule
            return None

    def _strikes(self, rule: Fault, verb: str, path: str) -> bool:
        if rule.times == 0 or not re.fullmatch(rule.verb, verb) or not re.search(rule.path, path):
            return False
        if rule.chance < 1.0 and self._random.random() >= rule.chance:
            return False
        if rule.skip > 0:
            rule.skip -= 1
            return False
        rule.times -= rule.times > 0
        rule.hits += 1
        return True
