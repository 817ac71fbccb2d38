"""A clock that moves when it is told to."""

from __future__ import annotations


class FakeClock:
    def __init__(self, now: float = 1_796_040_000.0) -> None:
        self.moment = now
        self.slept: list[float] = []

    def now(self) -> float:
        return self.moment

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.slept.append(seconds)
            self.moment += seconds
