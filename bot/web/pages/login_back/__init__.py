"""`/login/callback`: GitHub sends the person back here."""

from __future__ import annotations

from flask import abort, make_response, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from bot.web.desk import Desk
from bot.web.door import set_cookie
from bot.web.login import BACK, LoginDoor
from bot.web.page import GUEST, Page


def view(desk: Desk) -> ResponseReturnValue:
    """Opens the session and leads to the page that was asked for first."""
    if desk.board is None or not isinstance(desk.board.door, LoginDoor):
        abort(404)
    door = desk.board.door
    if request.args.get("error") == "access_denied":
        raise BadRequest("You did not allow the login at GitHub, so nothing happened.")
    welcome = door.finish(
        state=request.args.get("state", ""),
        code=request.args.get("code", ""),
        browser=request.cookies.get(door.login_cookie, ""),
        former=request.cookies.get(door.cookie, ""),
    )
    response = make_response(redirect(welcome.back_to, 303))
    response.delete_cookie(door.login_cookie, secure=door.secure, httponly=True, samesite="Lax")
    set_cookie(response, desk.board, welcome.cookie)
    return response


PAGE = Page(BACK, view, limit="login", who=GUEST)
