"""`/api/openapi.json`: the description of the API, OpenAPI 3.1."""

from __future__ import annotations

from flask import jsonify
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.openapi import description
from bot.web.page import Page


def view(desk: Desk) -> ResponseReturnValue:
    """The document, with this server's own address if it has one."""
    return jsonify(description(desk.public_url or "/"))


PAGE = Page("/api/openapi.json", view)
