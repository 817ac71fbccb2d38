"""`/board/unknowns`: panics without an entry, most frequent first."""

from __future__ import annotations

from flask import request
from flask.typing import ResponseReturnValue

from bot.store.board import panics
from bot.web import panic_view
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.scope import scope
from bot.web.visitor import Visitor

WEEKS = 12
PER_PAGE = 25


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """One page of the list."""
    assert desk.board is not None
    asked = scope(visitor)
    given = request.args.get("page", "")
    with desk.board.reader() as conn:
        total, issues = desk.board.counted(
            ("unknowns", asked.repo_ids), lambda: panics.count_unexplained(conn, asked.repo_ids)
        )
        pages = max(1, -(-total // PER_PAGE))
        page = min(int(given) if given.isascii() and given.isdecimal() and len(given) < 7 else 1, pages) or 1
        found = panics.most_frequent(
            conn, asked.repo_ids, unexplained=True, limit=PER_PAGE, offset=(page - 1) * PER_PAGE
        )
        rows = panic_view.rows(conn, desk.shelf(), found, asked.repo_ids, now=desk.clock.now(), weeks=WEEKS)
    return show("board_unknowns", asked=asked, rows=rows, total=total, issues=issues, at=page, pages=pages, weeks=WEEKS)


PAGE = Page("/board/unknowns", view, nav="Unknowns", order=2, who=MAINTAINER)
