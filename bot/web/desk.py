"""What the views work with: the shelf, the excerpts, the published precision, the clock, and how to answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import render_template, request

from bot.clock import Clock
from bot.setting_values import Network
from bot.web.excerpt import Excerpts
from bot.web.guard import Limiter, Rate
from bot.web.shelf import Shelf

if TYPE_CHECKING:
    from bot.web.board import Board

SEARCH_RATE = Rate(burst=40, seconds=0.5)
EXPLAIN_RATE = Rate(burst=10, seconds=5.0)
LOGIN_RATE = Rate(burst=10, seconds=6.0)


@dataclass(frozen=True, slots=True)
class Record:
    """How the bot's answers did on GitHub, as far as anybody said."""

    answers: int
    """All that were given: the n of both shares."""
    wrong: int
    """Found wrong by a maintainer."""
    disputed: int
    """Called wrong by somebody, and not decided."""

    @property
    def at_least(self) -> float | None:
        """Percentage that is right if every open dispute is; None without answers."""
        return 100 * (1 - (self.wrong + self.disputed) / self.answers) if self.answers else None

    @property
    def at_most(self) -> float | None:
        """Percentage that is right if no open dispute is, and nobody kept quiet; None without answers."""
        return 100 * (1 - self.wrong / self.answers) if self.answers else None


@dataclass(frozen=True)
class Desk:
    """Handed to every view. `record` gives None where there is no store, or it does not answer."""

    shelf: Callable[[], Shelf]
    excerpts: Excerpts
    clock: Clock
    record: Callable[[], Record | None]
    limiters: dict[str, Limiter]
    public_url: str | None = None
    report_url: str | None = None
    """Where a reader reports an error in a page."""
    static: bool = False
    """Pages for a folder of files: nothing answers there, so no form is shown."""
    proxies: tuple[Network, ...] = ()
    """Believed about who asks, beside those on this machine."""
    board: Board | None = None
    """The maintainers' dashboard; None where there is none."""

    @classmethod
    def of(
        cls,
        shelf: Callable[[], Shelf],
        clock: Clock,
        *,
        excerpts: Excerpts | None = None,
        record: Callable[[], Record | None] = lambda: None,
        **more: Any,
    ) -> Desk:
        """A desk with the usual rate limits."""
        rates = {"search": SEARCH_RATE, "explain": EXPLAIN_RATE, "login": LOGIN_RATE}
        limiters = {name: Limiter(clock, rate) for name, rate in rates.items()}
        return cls(shelf, excerpts or Excerpts(None, None, None, clock), clock, record, limiters, **more)


def show(page: str, **values: Any) -> str:
    """The template of a page with these values."""
    return render_template(f"pages/{page}/page.html", page=page, **values)


def wants_json() -> bool:
    """Whether the present request is one of the API."""
    return request.path.startswith("/api/")
