"""`/board/unknowns`: panics without an entry, most frequent first."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request
from flask.typing import ResponseReturnValue
from sqlalchemy import Connection

from bot.store.board import panics
from bot.web import panic_view
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.panic_view import PanicRow
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
        rows = desk.board.counted(
            ("unknowns", asked.repo_ids, page), lambda: _rows(desk, conn, asked.repo_ids, (page - 1) * PER_PAGE)
        )
    return show("board_unknowns", asked=asked, rows=rows, total=total, issues=issues, at=page, pages=pages, weeks=WEEKS)


def _rows(desk: Desk, conn: Connection, repo_ids: Sequence[int], offset: int) -> list[PanicRow]:
    found = panics.most_frequent(conn, repo_ids, unexplained=True, limit=PER_PAGE, offset=offset)
    return panic_view.rows(conn, desk.shelf(), found, repo_ids, now=desk.clock.now(), weeks=WEEKS)


PAGE = Page("/board/unknowns", view, nav="Unknowns", order=2, who=MAINTAINER)
