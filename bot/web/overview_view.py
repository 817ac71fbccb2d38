"""The overview as values that a template shows. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import iso
from bot.store.alarms import Alarm
from bot.store.board.overview import WEEK, Week
from bot.store.configurations import StoredConfiguration
from bot.web.desk import Record
from bot.web.panic_view import PanicRow


@dataclass(frozen=True, slots=True)
class Pace:
    """How long reporters waited for a comment."""

    median: str
    slowest: str
    """Nine of ten were faster."""
    n: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Pace | None:
        """From sorted seconds; None without any."""
        if not seconds:
            return None
        ninth = seconds[min(len(seconds) - 1, int(len(seconds) * 0.9))]
        return cls(duration(seconds[len(seconds) // 2]), duration(ninth), len(seconds))


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on the page."""

    weeks: tuple[Week, ...]
    """Oldest first; the last one ends now."""
    starts: tuple[str, ...]
    """Day on which each week begins."""
    record: Record
    pace: Pace | None
    top: tuple[PanicRow, ...]
    unknown: PanicRow | None
    """What to write next."""
    new: tuple[PanicRow, ...]
    alarms: tuple[Alarm, ...]
    choices: tuple[StoredConfiguration, ...]
    week_ago: str
    canary: str
    """Why the bot's own test report was not recognised; "" where it was, or was never read."""

    @property
    def faulty(self) -> tuple[StoredConfiguration, ...]:
        """Repositories whose file cannot be used."""
        return tuple(one for one in self.choices if one.error)

    @property
    def quiet(self) -> tuple[StoredConfiguration, ...]:
        """Repositories in which nothing is answered."""
        return tuple(one for one in self.choices if one.in_force in ("shadow", "off"))

    @property
    def total(self) -> Week:
        """All weeks together."""
        return Week(*(sum(getattr(week, name) for week in self.weeks) for name in ("reports", "answered", "quiet")))


def headers(now: float, count: int) -> tuple[str, ...]:
    """The days on which the last `count` weeks began, ISO."""
    return tuple(iso(now - back * WEEK)[:10] for back in range(count, 0, -1))


def duration(seconds: float) -> str:
    """In words, as exact as it matters."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86_400:.0f} days"
