"""`/errors/<id>`: one explained error, or one panic site that has no explanation yet."""

from __future__ import annotations

from flask import abort, redirect
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk, show
from bot.web.entry_view import view_entry, view_site
from bot.web.page import Page


def view(desk: Desk, name: str) -> ResponseReturnValue:
    """By KB id, 16-hex id or alias (in any case), or by the id of a panic site."""
    shelf = desk.shelf()
    for wanted in (name, name.upper(), name.lower()):
        if entry := shelf.entries.get(wanted):
            related = {e.kb_id: e for other in entry.related if (e := shelf.entries.get(other))}
            return show("error", entry=entry, view=view_entry(entry, shelf, desk.excerpts), related=related.values())
    key = shelf.sites.get(name.lower())
    if key is None:
        abort(404)
    if explained := shelf.explained_by.get(key.id):
        return redirect(f"/errors/{explained.kb_id}")
    return show("error", entry=None, key=key, view=view_site(key, shelf, desk.excerpts))


PAGE = Page("/errors/<name>", view)
