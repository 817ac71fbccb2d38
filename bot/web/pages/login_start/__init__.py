"""`/login/github`: begins a login and sends the person to GitHub."""

from __future__ import annotations

from flask import abort, make_response, redirect, request
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.login import LOGIN_SECONDS, LoginDoor
from bot.web.page import GUEST, Page


def view(desk: Desk) -> ResponseReturnValue:
    """The redirect, with the cookie that binds the login to this browser."""
    if desk.board is None or not isinstance(desk.board.door, LoginDoor):
        abort(404)
    door = desk.board.door
    address, browser = door.begin(request.args.get("to", ""))
    response = make_response(redirect(address, 303))
    age = int(LOGIN_SECONDS)
    response.set_cookie(door.login_cookie, browser, age, httponly=True, samesite="Lax", secure=door.secure, path="/")
    return response


PAGE = Page("/login/github", view, limit="login", who=GUEST)
