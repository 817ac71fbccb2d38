"""`/board/verdicts/<number>`: one verdict: why, what was posted, how it changed, what a maintainer can do about it."""

from __future__ import annotations

import secrets

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue
from sqlalchemy import Connection

from bot.clock import iso
from bot.delivery import Delivery
from bot.errors import UserError
from bot.orders import DASHBOARD, as_delivery, placed
from bot.store import deliveries
from bot.store.board import verdicts
from bot.store.board.verdicts import Row
from bot.store.deliveries import QUEUED
from bot.web import verdict_view
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.visitor import Visitor

ASKED_ALREADY = "asked_already"
AUDITED = {
    "again": "asked to run again",
    "hide": "hid the answer",
    "show": "showed the answer",
    "unmute": "ended a mute",
    "wrong": "marked wrong",
    "entry": "set the entry",
}


def view(desk: Desk, visitor: Visitor, number: int, problem: str = "") -> ResponseReturnValue:
    """The page. Another tenant's verdict does not exist: 404."""
    assert desk.board is not None
    with desk.board.reader() as conn:
        row = _theirs(desk, visitor, number)
        rows = verdicts.revisions(conn, row)
        contents = verdicts.contents(conn, [one.id for one in rows] + [row.id])
        writes, events = verdicts.writes(conn, row), verdicts.events(conn, row)
        memory, said = verdicts.memory(conn, row), verdicts.said(conn, row)
        decided, thumbs = verdicts.decided(conn, row), verdicts.thumbs(conn, row)
    shelf, found = desk.shelf(), contents.get(row.id, {})
    revisions = verdict_view.revisions(rows, contents, writes, events)
    bodies = [write for write in writes if write.body is not None and write.state == "done"]
    return show(
        "board_verdict",
        row=row,
        found=found,
        headline=verdict_view.headline(found),
        root=verdict_view.root_of(found),
        place=verdict_view.place_of(found),
        candidates=verdict_view.candidates_of(found),
        entry=shelf.entries.get(row.entry or ""),
        entries=shelf.entries,
        revisions=revisions,
        newest=rows[-1].id if rows else row.id,
        texts=verdict_view.conversation(events),
        orders=[event for event in events if event.event == DASHBOARD][::-1],
        writes=writes,
        posted=next((write for write in bodies if write.delivery_id == row.delivery_id), None),
        standing=bodies[-1] if bodies else None,
        memory=memory,
        stands=verdict_view.STANDS.get(memory.state, ""),
        said=said,
        decided=decided,
        thumbs=thumbs,
        token=secrets.token_hex(8),
        problem=problem,
        github=desk.board.github_url,
    )


def order(desk: Desk, visitor: Visitor, number: int) -> ResponseReturnValue:
    """Ask for one of the slash commands on the verdict's issue. The job reads the permission again."""
    row = _theirs(desk, visitor, number)
    form = request.form
    name, argument = form.get("name", ""), form.get("argument", "").strip()
    try:
        _place(desk, visitor, row, name, argument, form.get("token", "")[:64])
    except UserError as error:
        status = 409 if error.reason == ASKED_ALREADY else 422
        return view(desk, visitor, number, problem=str(error)), status  # type: ignore[return-value]  # a page's text
    return redirect(f"/board/verdicts/{number}#asked", 303)


def _place(desk: Desk, visitor: Visitor, row: Row, name: str, argument: str, token: str) -> None:
    board = desk.board
    assert board is not None
    if name == "entry" and argument.lower() != "none" and argument.upper() not in desk.shelf().entries:
        raise UserError("no_such_entry", f"There is no entry “{argument[:40]}”. Write an id like KB-0003, or none.")
    with board.engine.begin() as conn:
        target = verdicts.target(conn, row)
        if target is None:
            raise UserError(
                "not_installed", "The App is not in this repository any more, so nothing can be done there."
            )
        asked = placed(visitor.login, name, argument, token, target)
        delivery, payload = as_delivery(asked)
        row_id = deliveries.add(conn, delivery, payload, desk.clock.now())
        if row_id is None:
            _refuse_second(conn, delivery)
            return
        board.queue.add(conn, row_id=row_id, guid=delivery.guid, partition=delivery.partition)
        board.audit(visitor, AUDITED[name], row.repo_id, f"{row.repo}#{row.number}", asked.argument, conn)


def _refuse_second(conn: Connection, delivery: Delivery) -> None:
    """Nothing where the same form was sent twice at once: that is one wish. UserError where it is another one."""
    first = deliveries.find(conn, delivery.guid)
    if first is not None and first.state == QUEUED and first.delivery.body_hash == delivery.body_hash:
        return
    asked = "mark wrong" if delivery.action == "wrong" else delivery.action
    at = f" at {iso(first.received_at)[11:16]} UTC" if first else ""
    raise UserError(
        ASKED_ALREADY,
        f"From this page “{asked}” was asked for already{at}, and that counts; this second time does not. What stands "
        "now is below: look at it, and ask again if it is still needed.",
    )


def _theirs(desk: Desk, visitor: Visitor, number: int) -> Row:
    assert desk.board is not None
    with desk.board.reader() as conn:
        row = verdicts.one(conn, visitor.repo_ids, number)
    return row or abort(404)


PAGE = Page("/board/verdicts/<int:number>", view, who=MAINTAINER, actions={"/board/verdicts/<int:number>/order": order})
