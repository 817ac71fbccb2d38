"""`/board`: what hurts users most, how right the answers are, what to write next, and what needs a maintainer now."""

from __future__ import annotations

from flask import abort, redirect
from flask.typing import ResponseReturnValue
from sqlalchemy import Connection

from bot.clock import iso
from bot.store import alarms, chores
from bot.store.board import overview, panics
from bot.web import panic_view
from bot.web.board import Board
from bot.web.desk import Desk, Record, show
from bot.web.overview_view import Overview, Pace, headers
from bot.web.page import MAINTAINER, Page
from bot.web.scope import Scope, scope
from bot.web.shelf import Shelf
from bot.web.visitor import Visitor

WEEKS = 12
TOP = 8
MOST_GROUPED = 500
"""Panics among which the first one without an entry is looked for."""


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """The overview of all repositories of the visitor, or of one."""
    assert desk.board is not None
    asked = scope(visitor)
    with desk.board.reader() as conn:
        found = _read(desk.board, desk.shelf(), conn, asked)
    return show("board_overview", asked=asked, seen=found, github=desk.board.github_url, weeks=WEEKS)


def _read(board: Board, shelf: Shelf, conn: Connection, asked: Scope) -> Overview:
    ids, now = asked.repo_ids, board.clock.now()
    since = now - WEEKS * overview.WEEK
    weeks, right, seconds = board.counted(
        ("overview", ids),
        lambda: (
            overview.weeks(conn, ids, now=now, count=WEEKS),
            overview.rightness(conn, ids),
            overview.seconds_to_comment(conn, ids, since=since),
        ),
    )
    frequent = panics.most_frequent(conn, ids, since=since, limit=MOST_GROUPED)
    unknown = [one for one in frequent if one.entry is None][:1]
    new = panics.new_since(conn, ids, since=now - overview.WEEK)
    named = {one.fingerprint: one for one in [*frequent[:TOP], *unknown, *new]}
    rows = dict(zip(named, panic_view.rows(conn, shelf, list(named.values()), ids, now=now, weeks=WEEKS), strict=True))
    canary = chores.read(conn, "canary")
    return Overview(
        weeks=tuple(weeks),
        starts=headers(now, WEEKS),
        record=Record(right.answers, right.wrong, right.disputed),
        pace=Pace.of(seconds),
        top=tuple(rows[one.fingerprint] for one in frequent[:TOP]),
        unknown=next((rows[one.fingerprint] for one in unknown), None),
        new=tuple(rows[one.fingerprint] for one in new),
        alarms=tuple(overview.standing_alarms(conn, ids)),
        choices=tuple(overview.chosen(conn, ids)),
        week_ago=iso(now - overview.WEEK)[:10],
        canary=canary.reason if canary else "",
    )


def dismiss(desk: Desk, visitor: Visitor, comment_id: int) -> ResponseReturnValue:
    """A maintainer has looked at a comment that raised an alarm."""
    assert desk.board is not None
    with desk.board.reader() as conn:
        repo_id = overview.repo_of_alarm(conn, comment_id)
    if repo_id is None or not visitor.may_see(repo_id):
        abort(404)
    with desk.board.change(visitor, "dismissed an alarm", repo_id, f"comment {comment_id}") as conn:
        alarms.dismiss(conn, comment_id, by=visitor.login, now=desk.clock.now())
    return redirect("/board", 303)


PAGE = Page(
    "/board",
    view,
    nav="Overview",
    order=1,
    who=MAINTAINER,
    actions={"/board/alarms/<int:comment_id>/dismiss": dismiss},
)
