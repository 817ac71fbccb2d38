"""Time, so that tests can hand in their own."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the edges ask of time. The pure core asks nothing."""

    def now(self) -> float:
        """Seconds since 1970-01-01 UTC, with fractions."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait. Zero or less returns at once."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Seconds since 1970-01-01 UTC, with fractions."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait. Zero or less returns at once."""
        if seconds > 0:
            time.sleep(seconds)


def iso(seconds: float) -> str:
    """A moment as GitHub writes it: ISO 8601 in UTC, whole seconds, `Z`."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
