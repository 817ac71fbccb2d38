"""`/logout`: ends the session, also while GitHub cannot be asked who it is of."""

from __future__ import annotations

from flask import abort, make_response, redirect, request
from flask.typing import ResponseReturnValue

from bot.web import csrf
from bot.web.desk import Desk
from bot.web.login import LoginDoor
from bot.web.page import GUEST, Page


def view(desk: Desk) -> ResponseReturnValue:
    """Back to the public pages. Only a form of the session ends it."""
    if desk.board is None or not isinstance(desk.board.door, LoginDoor):
        abort(404)
    door = desk.board.door
    cookie = request.cookies.get(door.cookie, "")
    csrf.check(request, cookie, door.origin(request))
    door.end(cookie)
    response = make_response(redirect("/", 303))
    response.delete_cookie(door.cookie, secure=door.secure, httponly=True, samesite="Lax")
    return response


PAGE = Page("/logout", view, methods=("POST",), who=GUEST)
