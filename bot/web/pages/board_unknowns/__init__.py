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
        every = desk.board.counted(("unknowns", asked.repo_ids), lambda: panics.unexplained(conn, asked.repo_ids))
        pages = max(1, -(-len(every) // PER_PAGE))
        page = min(int(given) if given.isascii() and given.isdecimal() and len(given) < 7 else 1, pages) or 1
        names = [fingerprint for fingerprint, _ in every[(page - 1) * PER_PAGE : page * PER_PAGE]]
        rows = desk.board.counted(("unknowns", asked.repo_ids, page), lambda: _rows(desk, conn, asked.repo_ids, names))
    return show(
        "board_unknowns",
        asked=asked,
        rows=rows,
        total=len(every),
        issues=sum(n for _, n in every),
        at=page,
        pages=pages,
        weeks=WEEKS,
    )


def _rows(desk: Desk, conn: Connection, repo_ids: Sequence[int], names: Sequence[str]) -> list[PanicRow]:
    found = panics.several(conn, repo_ids, names)
    return panic_view.rows(conn, desk.shelf(), found, repo_ids, now=desk.clock.now(), weeks=WEEKS)


PAGE = Page("/board/unknowns", view, nav="Unknowns", order=2, who=MAINTAINER)
