"""`/board/entries`: which entries help, which are disputed, what they cover, which the source has left behind."""

from __future__ import annotations

import re

from flask import request
from flask.typing import ResponseReturnValue

from bot.store.board import entries
from bot.web import entries_view
from bot.web.desk import Desk, show
from bot.web.entries_view import SORTS
from bot.web.page import MAINTAINER, Page
from bot.web.scope import scope
from bot.web.visitor import Visitor

PER_PAGE = 40
_NUMBER = re.compile(r"[1-9]\d{0,4}")


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """One page of the list, with the coverage below."""
    board = desk.board
    assert board is not None
    asked, shelf = scope(visitor), desk.shelf()
    with board.reader() as conn:
        uses = board.counted(("entries", asked.repo_ids), lambda: entries.uses(conn, asked.repo_ids))
    drifts = shelf.once("drift", entries_view.drifts)
    sort = request.args.get("sort", "")
    sort = sort if sort in SORTS else "hits"
    rows = entries_view.rows(shelf, uses, drifts, sort)
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = _NUMBER.fullmatch(request.args.get("page", ""))
    at = min(int(number[0]), pages) if number else 1
    return show(
        "board_entries",
        asked=asked,
        rows=rows[(at - 1) * PER_PAGE : at * PER_PAGE],
        count=len(rows),
        used=sum(1 for row in rows if row.use.hits),
        total=entries_view.total_of(uses),
        behind=sum(1 for drift in drifts.values() if drift.needs_work),
        moved=sum(1 for drift in drifts.values() if drift.change == "moved"),
        coverage=shelf.once("coverage", entries_view.coverage),
        sort=sort,
        sorts=SORTS,
        at=at,
        pages=pages,
    )


PAGE = Page("/board/entries", view, nav="Entries", order=4, who=MAINTAINER)
