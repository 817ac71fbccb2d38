"""`/login`: what logging in needs and what of it is kept."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import redirect, request
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk, show
from bot.web.login import LoginDoor
from bot.web.page import GUEST, Page


def view(desk: Desk) -> ResponseReturnValue:
    """The page; in local mode nobody has to log in."""
    if desk.board is None or not isinstance(desk.board.door, LoginDoor):
        return redirect("/board", 303)
    to = request.args.get("to", "")
    return show("login", start="/login/github?" + urlencode({"to": to or "/board"}))


PAGE = Page("/login", view, who=GUEST)
