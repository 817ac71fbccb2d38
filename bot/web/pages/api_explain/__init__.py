"""`/api/explain`: a log in, the verdict of the analysis contract out. Nothing of it is kept."""

from __future__ import annotations

from flask import jsonify, request
from flask.typing import ResponseReturnValue

from bot.triage.analyze import analyze
from bot.triage.contract import verdict_json
from bot.triage.render import render
from bot.web.answer import LARGEST_LOG, report_of
from bot.web.asking import stated_version
from bot.web.desk import Desk
from bot.web.page import Page


def view(desk: Desk) -> ResponseReturnValue:
    """The verdict, and under `comment` the Markdown that would be posted on a new issue with this text (or null)."""
    body = _body()
    text = body.get("text") if isinstance(body, dict) else None
    version = body.get("version", "") if isinstance(body, dict) else ""
    if not isinstance(text, str) or not isinstance(version, str):
        return _refused(400, 'Send a JSON object with the log under "text" and, if you like, a "version", as strings.')
    if len(text) > LARGEST_LOG:
        return _refused(413, f"Send at most {LARGEST_LOG} characters: the end of the log, where the panic is.")
    if version and not stated_version(version):
        return _refused(400, '"version" must be one of burn, such as 0.21.0 or main.')
    shelf = desk.shelf()
    knowledge = shelf.fresh(shelf.knowledge)
    verdict = analyze(report_of(text, stated_version(version)), knowledge)
    found = verdict_json(None, verdict, render(verdict, knowledge, public_url=desk.public_url))
    return jsonify({**found, "url": f"/errors/{verdict.entry}" if verdict.entry else None})


def _body() -> object:
    """The request's JSON; None for what is none."""
    request.get_data()  # a body that is too long is told as that, which `silent` would hide
    try:
        return request.get_json(silent=True)
    except RecursionError:
        return None


def _refused(code: int, message: str) -> ResponseReturnValue:
    return jsonify({"error": {"code": code, "message": message}}), code


PAGE = Page("/api/explain", view, methods=("POST",), limit="explain")
