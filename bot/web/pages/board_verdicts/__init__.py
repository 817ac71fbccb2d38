"""`/board/verdicts`: everything that was decided, newest first, with filters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from flask import request
from flask.typing import ResponseReturnValue

from bot.store.board import verdicts
from bot.store.board.overview import WEEK
from bot.store.board.verdicts import Filters, Row
from bot.triage.model import Outcome
from bot.web import verdict_view
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.scope import scope
from bot.web.visitor import Visitor

PER_PAGE = 40
OUTCOMES = tuple(str(outcome) for outcome in Outcome)
_ENTRY = re.compile(r"KB-\d{4,12}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_KEY = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)-(\d{1,18})")


@dataclass(frozen=True, slots=True)
class Asked:
    """The filters as they were typed, and what cannot be answered."""

    outcome: str
    entry: str
    week: str
    problem: str = ""

    @property
    def query(self) -> dict[str, str]:
        """Those that narrow the list."""
        wanted = {"outcome": self.outcome, "entry": self.entry, "week": self.week}
        return {name: value for name, value in wanted.items() if value}


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """One page of the list."""
    assert desk.board is not None
    chosen, asked = scope(visitor), read_asked()
    rows: list[Row] = []
    with desk.board.reader() as conn:
        if not asked.problem:
            rows = verdicts.page(conn, chosen.repo_ids, filters(asked), before=_before(), limit=PER_PAGE + 1)
        shown = rows[:PER_PAGE]
        contents = verdicts.contents(conn, [row.id for row in shown])
        since = desk.clock.now() - WEEK
        lately = desk.board.counted(
            ("verdicts", chosen.repo_ids), lambda: verdicts.counts(conn, chosen.repo_ids, OUTCOMES, since)
        )
    return show(
        "board_verdicts",
        asked=chosen,
        want=asked,
        outcomes=OUTCOMES,
        lately=lately,
        rows=[(row, verdict_view.headline(contents.get(row.id, {}))) for row in shown],
        older=_address(asked, chosen.query, shown[-1]) if len(rows) > PER_PAGE else "",
        newest=_address(asked, chosen.query, None) if request.args.get("before") else "",
    )


def read_asked() -> Asked:
    """The filters of the present request."""
    args = request.args
    outcome, entry = args.get("outcome", "").strip(), args.get("entry", "").strip().upper()
    week = args.get("week", "").strip()
    problem = ""
    if outcome and outcome not in list(Outcome):
        problem = f"“{outcome[:40]}” is no outcome of a verdict."
    elif entry and not _ENTRY.fullmatch(entry):
        problem = f"“{entry[:40]}” is no entry. Write its id like KB-0003."
    elif week and _first_day(week) is None:
        problem = f"“{week[:40]}” is no day. Write the week's first day like 2026-11-23."
    return Asked(outcome, entry, week, problem)


def filters(asked: Asked) -> Filters:
    """The filters for the store."""
    since = _first_day(asked.week)
    return Filters(asked.outcome, asked.entry, since, None if since is None else since + WEEK)


def _first_day(week: str) -> float | None:
    if not _DAY.fullmatch(week):
        return None
    try:
        return datetime.fromisoformat(week).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _before() -> tuple[float, int] | None:
    """The key of the last row of the page before; anything else is the first page."""
    found = _KEY.fullmatch(request.args.get("before", ""))
    return (float(found[1]), int(found[2])) if found else None


def _address(asked: Asked, repo: str, last: Row | None) -> str:
    values = dict(asked.query)
    if repo:
        values["repo"] = repo.partition("=")[2]
    if last is not None:
        values["before"] = f"{last.created_at:.6f}-{last.id}"
    return "/board/verdicts" + (f"?{urlencode(values)}" if values else "")


PAGE = Page("/board/verdicts", view, nav="Verdicts", order=3, who=MAINTAINER)
