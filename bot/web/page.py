"""One page is one folder of `pages/`: its view beside its template. Found by walking, listed nowhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask.typing import ResponseReturnValue

from bot.web import pages

View = Callable[..., ResponseReturnValue]
"""Takes the desk, then the parts of the address by name."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page's folder declares as `PAGE`."""

    rule: str
    """Address as Flask writes it: `/errors/<name>`."""
    view: View
    methods: tuple[str, ...] = ("GET",)
    nav: str = ""
    """Its words in the navigation; "" for a page that is not there."""
    order: int = 0
    """Place in the navigation."""
    limit: str = ""
    """Which rate limit holds: "search", "explain", or "" for none."""


@cache
def found_pages() -> dict[str, Page]:
    """Every page by the name of its folder, in the order of the navigation."""
    names = sorted(module.name for module in pkgutil.iter_modules(pages.__path__))
    found: dict[str, Any] = {name: importlib.import_module(f"{pages.__name__}.{name}").PAGE for name in names}
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[0])))
