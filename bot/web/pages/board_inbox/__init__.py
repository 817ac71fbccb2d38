"""`/board/inbox`: what came in, what waits, what was given up and why, what was missing; and the way back."""

from __future__ import annotations

import re

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue

from bot.backlog import Backlog
from bot.errors import TriageError
from bot.store import chores, executors
from bot.store.board import inbox
from bot.store.board.inbox import MOST_RETRIED, Came
from bot.store.chores import ChoreRow
from bot.store.deliveries import PARKED
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.scope import scope
from bot.web.visitor import Visitor

PER_PAGE = 40
MONTH = 30 * 86_400.0
STATES = {"": "all", "parked": "given up", "queued": "waiting"}
CHORES = {
    "sweep": "Sweep of GitHub's delivery log",
    "reconcile": "Walk through changed issues",
    "canary": "Canary: a report whose answer is known",
    "configurations": "Look at the configurations",
    "reactions": "Count of reactions",
}
_NUMBER = re.compile(r"[1-9]\d{0,17}")


def view(desk: Desk, visitor: Visitor, problem: str = "") -> ResponseReturnValue:
    """One page of the deliveries, with the figures above."""
    assert desk.board is not None
    asked, now = scope(visitor), desk.clock.now()
    state = request.args.get("state", "")
    state = state if state in STATES else ""
    before = _NUMBER.fullmatch(request.args.get("before", ""))
    ids = asked.repo_ids
    with desk.board.reader() as conn:
        rows = inbox.page(conn, ids, state=state, before=int(before[0]) if before else None, limit=PER_PAGE + 1)
        waiting, parked = inbox.waiting(conn, ids), inbox.parked_by_reason(conn, ids)
        missing = inbox.found_missing(conn, ids, now - MONTH)
        last = inbox.last_webhook(conn, ids)
        done, workers = chores.all_chores(conn), executors.alive(conn, now)
    return show(
        "board_inbox",
        asked=asked,
        rows=rows[:PER_PAGE],
        older=rows[PER_PAGE - 1].id if len(rows) > PER_PAGE else None,
        first=before is None,
        state=state,
        states=STATES,
        waiting=waiting,
        parked=parked,
        given_up=sum(n for _, n in parked),
        missing=_missing(missing),
        last=last,
        workers=workers,
        chores=sorted(done, key=_place),
        names=CHORES,
        now=now,
        problem=problem,
        told=_told(),
        most=MOST_RETRIED,
        github=desk.board.github_url,
    )


def retry(desk: Desk, visitor: Visitor, row_id: int) -> ResponseReturnValue:
    """Run one given-up job again."""
    assert desk.board is not None
    with desk.board.reader() as conn:
        came = inbox.one(conn, visitor.repo_ids, row_id)
    if came is None:
        abort(404)
    try:
        _retry(desk, visitor, came)
    except TriageError as error:
        return view(desk, visitor, problem=str(error)), 409  # type: ignore[return-value]  # a page's text
    return redirect("/board/inbox?retried=1", 303)


def retry_all(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """Run every given-up job of the repositories shown again, so many at a time."""
    assert desk.board is not None
    ids = scope(visitor).repo_ids
    with desk.board.reader() as conn:
        rows = inbox.page(conn, ids, state=PARKED, limit=MOST_RETRIED)
    again = failed = 0
    for came in reversed(rows):
        try:
            _retry(desk, visitor, came)
            again += 1
        except TriageError:
            failed += 1
    return redirect(f"/board/inbox?retried={again}" + (f"&failed={failed}" if failed else ""), 303)


def _retry(desk: Desk, visitor: Visitor, came: Came) -> None:
    board = desk.board
    assert board is not None
    where = f"{came.repo}#{came.issue}" if came.issue else came.repo
    Backlog(board.engine).retry(
        str(came.id), lambda conn: board.audit(visitor, "retried", came.repo_id, where, came.reason, conn)
    )


def _told() -> tuple[int, int]:
    """How many jobs the last click put back, and how many it could not."""
    found = [_NUMBER.fullmatch(request.args.get(name, "")) for name in ("retried", "failed")]
    again, failed = (int(match[0]) if match and len(match[0]) < 6 else 0 for match in found)
    return again, failed


def _missing(found: dict[tuple[str, str], int]) -> list[tuple[str, int, int]]:
    """How it was found, how many, and how many of them are dealt with."""
    ways = sorted({via for via, _ in found})
    return [
        (via, sum(n for (way, _), n in found.items() if way == via),
         sum(n for (way, state), n in found.items() if way == via and state in ("done", "ignored")))
        for via in ways
    ]  # fmt: skip


def _place(row: ChoreRow) -> tuple[int, str]:
    names = list(CHORES)
    return names.index(row.name) if row.name in names else len(names), row.name


PAGE = Page(
    "/board/inbox",
    view,
    nav="Inbox",
    order=5,
    who=MAINTAINER,
    actions={"/board/inbox/<int:row_id>/retry": retry, "/board/inbox/retry": retry_all},
)
