"""`/about`: how it works, and how often it is right."""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from bot.web.desk import Desk, show
from bot.web.page import Page
from kb.model import MAIN


def view(desk: Desk) -> ResponseReturnValue:
    """The page, with the numbers of the knowledge base and of the store."""
    shelf = desk.shelf()
    indexed = [
        (repo, shelf.index.newest_release(repo), shelf.index.revision(repo, MAIN)) for repo in shelf.index.repos()
    ]
    bare = len(shelf.docs) - len(shelf.published)
    return show("about", shelf=shelf, indexed=indexed, bare=bare, record=desk.record())


PAGE = Page("/about", view, nav="How it works", order=3)
