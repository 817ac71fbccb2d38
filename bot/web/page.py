"""One page is one folder of `pages/`: its view beside its template. Found by walking, listed nowhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flask.typing import ResponseReturnValue

from bot.web import pages

View = Callable[..., ResponseReturnValue]
"""Takes the desk, the visitor where the page is behind the login, then the parts of the address by name."""

PUBLIC = ""
GUEST = "guest"
"""A page of the dashboard that is open before the login: kept by no cache, and not there where no dashboard is."""
MAINTAINER = "maintainer"


@dataclass(frozen=True, slots=True)
class Page:
    """What a page's folder declares as `PAGE`."""

    rule: str
    """Address as Flask writes it: `/errors/<name>`."""
    view: View
    methods: tuple[str, ...] = ("GET",)
    nav: str = ""
    """Its words in the navigation (the dashboard has its own); "" for a page that is not there."""
    order: int = 0
    """Place in the navigation."""
    limit: str = ""
    """Which rate limit holds: "search", "explain", "login", or "" for none."""
    who: str = PUBLIC
    """PUBLIC, GUEST or MAINTAINER: who may see it. MAINTAINER views are called with the visitor after the desk."""
    actions: Mapping[str, View] = field(default_factory=dict)
    """Changes that this page makes: a rule of its own for each, POST only, called as the view is."""


@cache
def found_pages() -> dict[str, Page]:
    """Every page by the name of its folder, in the order of the navigation."""
    names = sorted(module.name for module in pkgutil.iter_modules(pages.__path__))
    found: dict[str, Any] = {name: importlib.import_module(f"{pages.__name__}.{name}").PAGE for name in names}
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[0])))
