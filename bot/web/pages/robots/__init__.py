"""`/robots.txt`: everything may be read but searches, whose number has no end."""

from __future__ import annotations

from flask import Response
from flask.typing import ResponseReturnValue

from bot.web.desk import Desk
from bot.web.page import Page

RULES = "User-agent: *\nDisallow: /errors?\nDisallow: /api/\n"


def view(desk: Desk) -> ResponseReturnValue:
    """The rules, and where the site map is if the site knows its own address."""
    where = f"Sitemap: {desk.public_url}/sitemap.xml\n" if desk.public_url else ""
    return Response(RULES + where, mimetype="text/plain")


PAGE = Page("/robots.txt", view)
