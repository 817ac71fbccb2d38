"""`/board`: how the bot does, what hurts users most, and what needs a maintainer."""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.visitor import Visitor


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """The overview of all repositories of the visitor."""
    return show("board_overview")


PAGE = Page("/board", view, nav="Overview", order=1, who=MAINTAINER)
