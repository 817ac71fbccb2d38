"""`/`: what this is, a box to paste a log into, a box to search."""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from bot.web.desk import Desk, show
from bot.web.page import Page
from bot.web.shelf import HOME_REPO

MOST_SHOWN = 6


def view(desk: Desk) -> ResponseReturnValue:
    """The first page."""
    shelf = desk.shelf()
    bare = len(shelf.docs) - len(shelf.published)
    reported = sorted(shelf.published, key=lambda entry: (-len(entry.issues), entry.kb_id))
    newest = shelf.index.newest_release(HOME_REPO)
    return show("home", entries=shelf.published, reported=reported[:MOST_SHOWN], bare=bare, newest=newest)


PAGE = Page("/", view)
