"""`/explain`: paste a log, read the answer. Nothing of it is kept."""

from __future__ import annotations

from flask import request
from flask.typing import ResponseReturnValue

from bot.web.answer import explain
from bot.web.asking import stated_version
from bot.web.desk import Desk, show
from bot.web.page import Page


def view(desk: Desk) -> ResponseReturnValue:
    """The empty form, or the answer to what was posted."""
    log = request.form.get("log", "")
    version = stated_version(request.form.get("version", ""))
    if request.method != "POST" or not log.strip():
        return show("explain", answer=None, log="", version=version, empty=request.method == "POST")
    shelf = desk.shelf()
    answer = explain(log, version, shelf.fresh(shelf.knowledge))
    site = answer.place.site if answer.place else None
    # From a clone or what is kept already: a visitor's log must not make us fetch.
    excerpt = desk.excerpts.read(site, fetch=False) if site else None
    known = site.key.id if site and site.key.id in shelf.sites else ""
    return show("explain", answer=answer, log=log, version=version, site=known, excerpt=excerpt)


PAGE = Page("/explain", view, methods=("GET", "POST"), nav="Explain a log", order=2, limit="explain")
