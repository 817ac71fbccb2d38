"""`/api/errors`: the search as JSON."""

from __future__ import annotations

from flask import jsonify
from flask.typing import ResponseReturnValue

from bot.web.asking import asked, find, per_page
from bot.web.desk import Desk
from bot.web.entry_json import results_json
from bot.web.page import Page


def view(desk: Desk) -> ResponseReturnValue:
    """One page of results; 400 where the version is none that is indexed."""
    shelf = desk.shelf()
    question = asked(shelf)
    if question.problem:
        return jsonify({"error": {"code": 400, "message": question.problem}}), 400
    return jsonify(results_json(find(shelf, question, per_page(desk))))


PAGE = Page("/api/errors", view, limit="search")
