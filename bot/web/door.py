"""The one door to the dashboard: who comes in, whether a change was meant, and what no cache may keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from flask import Request, Response, abort, current_app, g, make_response, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from bot.web import csrf
from bot.web.board import Board, Passage
from bot.web.desk import Desk
from bot.web.page import View

HEADERS = {
    "Cache-Control": "no-store",
    # With "no-referrer" browsers hide the origin of our own forms from us too (Fetch standard, "append a request
    # `Origin` header").
    "Referrer-Policy": "same-origin",
}


class SignedOut(Exception):
    """There is no session, or it is over."""


def open_to_guests(view: View, desk: Desk) -> Callable[..., ResponseReturnValue]:
    """A page of the dashboard that is there before the login."""

    def shown(**parts: Any) -> ResponseReturnValue:
        _board(desk)
        return kept_nowhere(current_app.make_response(view(desk, **parts)))

    return shown


def behind_login(view: View, desk: Desk) -> Callable[..., ResponseReturnValue]:
    """A view of maintainers: called with the visitor, on a POST only when its form was ours."""

    def shown(**parts: Any) -> ResponseReturnValue:
        board = _board(desk)
        try:
            passage = board.door.admit(request, fresh=request.method == "POST")
        except SignedOut:
            return kept_nowhere(_to_login(request))
        g.passage = passage
        if request.method == "POST":
            csrf.check(request, passage.secret, board.door.origin(request))
        response = kept_nowhere(current_app.make_response(view(desk, passage.visitor, **parts)))
        if passage.new_cookie:
            set_cookie(response, board, passage.new_cookie)
        return response

    return shown


def kept_nowhere(response: Response) -> Response:
    """The same response, which no cache keeps."""
    response.headers.update(HEADERS)
    return response


def set_cookie(response: Response, board: Board, value: str) -> None:
    """Give the browser its session: for as long as it is open, for no script, and for no other site's forms."""
    door = board.door
    response.set_cookie(door.cookie, value, httponly=True, samesite="Lax", secure=door.secure, path="/")


def present() -> Passage | None:
    """Who was let in with the present request; None on a public page."""
    found: Passage | None = g.get("passage")
    return found


def form_token() -> Markup:
    """The hidden field of every form of the dashboard: `{{ csrf() }}`."""
    passage = present()
    assert passage is not None, "a form of the dashboard on a page without a visitor"
    return Markup('<input type="hidden" name="{}" value="{}">').format(csrf.FIELD, csrf.token(passage.secret))


def _board(desk: Desk) -> Board:
    if desk.board is None:
        abort(404)
    return desk.board


def _to_login(asked: Request) -> Response:
    """To the login and back; a change is not repeated after it."""
    back_to = asked.full_path.rstrip("?") if asked.method in ("GET", "HEAD") else "/board"
    return make_response(redirect(f"/login?to={quote(back_to)}", 303))
