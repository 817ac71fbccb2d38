"""The README's picture in a real browser: all of it is to be seen, in light and in dark, and it loads nothing."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

PICTURE = Path(__file__).parents[2] / "docs/exchange.svg"
COLOUR = "getComputedStyle(document.querySelector('.box')).backgroundColor"

pytestmark = pytest.mark.page


def test_everything_is_to_be_seen_in_light_and_in_dark(browser: Browser):
    height = int(ElementTree.fromstring(PICTURE.read_text("utf-8")).attrib["height"])
    seen = {}
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(PICTURE.as_uri())
        shown = page.evaluate("document.querySelector('.page').getBoundingClientRect().height")
        seen[scheme] = page.evaluate(COLOUR)
        page.close()
        assert (height - 120 < shown < height, asked) == (True, [PICTURE.as_uri()])
    assert seen == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}
