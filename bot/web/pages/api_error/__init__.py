"""`/api/errors/<id>`: one explained error, or one bare panic site, as JSON."""

from __future__ import annotations

from flask import abort, jsonify
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.entry_json import entry_json, site_json
from bot.web.entry_view import view_entry, view_site
from bot.web.page import Page
from kb.entry import Entry


def view(desk: Desk, name: str) -> ResponseReturnValue:
    """By the same ids as the page."""
    shelf = desk.shelf()
    found = shelf.named(name)
    if found is None:
        abort(404)
    if isinstance(found, Entry):
        related = {e.kb_id: e.title for other in found.related if (e := shelf.entries.get(other))}
        return jsonify(entry_json(found, view_entry(found, shelf, desk.excerpts), related))
    return jsonify(site_json(found, view_site(found, shelf, desk.excerpts)))


PAGE = Page("/api/errors/<name>", view)
