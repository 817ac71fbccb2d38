"""`/sitemap.xml`: the page of each explained error, for search engines. Needs the site's own address."""

from __future__ import annotations

from flask import Response, abort, render_template
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.page import Page


def view(desk: Desk) -> ResponseReturnValue:
    """Addresses with the day on which each entry was written; 404 where the site does not know its address."""
    if not desk.public_url:
        abort(404)
    page = render_template("pages/sitemap/page.xml", root=desk.public_url, entries=desk.shelf().published)
    return Response(page, mimetype="application/xml")


PAGE = Page("/sitemap.xml", view)
