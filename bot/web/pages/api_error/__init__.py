"""`/api/errors/<id>`: one explained error, or one bare panic site, as JSON."""

from __future__ import annotations

from flask import abort, jsonify
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.entry_json import entry_json, site_json
from bot.web.entry_view import view_entry, view_site
from bot.web.page import Page


def view(desk: Desk, name: str) -> ResponseReturnValue:
    """By the same ids as the page."""
    shelf = desk.shelf()
    entry = next((e for n in (name, name.upper(), name.lower()) if (e := shelf.entries.get(n))), None)
    if entry is None and (explained := shelf.explained_by.get(name.lower())):
        entry = explained
    if entry:
        related = {e.kb_id: e.title for other in entry.related if (e := shelf.entries.get(other))}
        return jsonify(entry_json(entry, view_entry(entry, shelf, desk.excerpts), related))
    key = shelf.sites.get(name.lower())
    if key is None:
        abort(404)
    return jsonify(site_json(key, view_site(key, shelf, desk.excerpts)))


PAGE = Page("/api/errors/<name>", view)
