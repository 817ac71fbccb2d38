"""`/board/panics/<fingerprint>`: one panic with its issues, and the draft of an entry for it."""

from __future__ import annotations

from flask import Response, abort, request
from flask.typing import ResponseReturnValue

from bot.clock import iso
from bot.store.board import panics
from bot.web import drafting, panic_view
from bot.web.desk import Desk, show
from bot.web.overview_view import headers
from bot.web.page import MAINTAINER, Page
from bot.web.visitor import Visitor

WEEKS = 26


def view(desk: Desk, visitor: Visitor, fingerprint: str) -> ResponseReturnValue:
    """The page, or with `?draft=file` the draft as a file. A panic that no issue of theirs shows: 404."""
    assert desk.board is not None
    ids, now, shelf = visitor.repo_ids, desk.clock.now(), desk.shelf()
    with desk.board.reader() as conn:
        found = panics.one(conn, ids, fingerprint)
        if found is None:
            abort(404)
        verdicts = panics.newest_verdicts(conn, ids, [fingerprint])[fingerprint]
        issues = panics.issues_of(conn, ids, fingerprint)
        numbers = panics.verdict_ids(conn, issues)
        weeks = panics.by_week(conn, ids, [fingerprint], now=now, count=WEEKS)[fingerprint]
    newest = verdicts[0] if verdicts else {}
    made = drafting.draft(shelf, fingerprint, newest, iso(now)[:10]) if found.entry is None else None
    if request.args.get("draft") == "file":
        return _file(made)
    return show(
        "board_panic",
        row=panic_view.shown(found, verdicts, shelf, weeks),
        entry=shelf.entries.get(found.entry or ""),
        newest=newest,
        text=drafting.panic_text(newest),
        issues=issues,
        numbers=numbers,
        starts=headers(now, WEEKS),
        made=made,
        edit=drafting.edit_address(desk.report_url, made) if made else "",
        github=desk.board.github_url,
    )


def _file(made: drafting.Draft | None) -> Response:
    if made is None:
        abort(404)
    response = Response(made.text, mimetype="text/yaml")
    response.headers.set("Content-Disposition", "attachment", filename=made.name.rsplit("/", 1)[-1])
    return response


PAGE = Page("/board/panics/<fingerprint>", view, who=MAINTAINER)
