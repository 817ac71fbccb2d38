"""`/errors`: search over entries and bare sites. Works with Enter; with JavaScript as you type."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import request
from flask.typing import ResponseReturnValue

from bot.web.asking import asked, find, per_page
from bot.web.desk import Desk, show
from bot.web.page import Page
from bot.web.shelf import HOME_REPO
from kb.entry import Severity


def view(desk: Desk) -> ResponseReturnValue:
    """The results of the search asked for, or all entries."""
    shelf = desk.shelf()
    question = asked(shelf)
    repo = question.query.repo or HOME_REPO
    return show(
        "errors",
        asked=question,
        found=find(shelf, question, per_page(desk)),
        repos=shelf.index.repos(),
        crates=shelf.crates,
        kinds=shelf.kinds,
        severities=[str(severity) for severity in Severity],
        versions=[revision.name for revision in reversed(shelf.index.revisions(repo))],
        to_page=_to_page,
    )


def _to_page(number: int) -> str:
    """The address of another page of the same search."""
    values = {name: value for name, value in request.args.items() if value and name != "page"}
    return "/errors?" + urlencode({**values, "page": number})


PAGE = Page("/errors", view, nav="Errors", order=1, limit="search")
