"""A real Chromium, and the committed pages served to it on loopback. Without Chromium all is skipped, with one line."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from bot.web.desk import Record
from bot.web.public import create_public
from tests.bot.web import world
from tests.fakes.serving import served
from tests.vendor import axe

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Here and not in the fixture: skipped at one place, all page tests are one line of the summary."""
    if CHROMIUM is None and item.get_closest_marker("page") and not os.environ.get("CI"):
        pytest.skip("no chromium: install the package chromium to run the page tests")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail("the page tests need chromium, and with CI set they may not be skipped")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, headless=True, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the public pages of the committed knowledge base."""
    desk = world.desk(record=lambda: Record(answers=1204, wrong=9, disputed=4))
    with served(create_public(desk)) as address:
        yield address


@dataclass
class Tab:
    """A page under watch: what the console said, what was asked for."""

    page: Page
    site: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, path: str) -> Tab:
        self.page.goto(self.site + path)
        return self

    def strangers(self) -> list[str]:
        """Requests to anything but the site itself."""
        return [url for url in self.requests if urlsplit(url).netloc != urlsplit(self.site).netloc]

    def violations_in_both_schemes(self) -> dict[str, list[str]]:
        """What axe finds in light and in dark, on the page as it stands."""
        found = {}
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found[scheme] = self.violations()
        return found

    def violations(self) -> list[str]:
        """What axe finds, a line each. Evaluated from outside: the page's own policy would refuse a script tag."""
        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(axe())
        found = self.page.evaluate("axe.run()")["violations"]
        return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.fixture
def tab(browser: Browser, site: str) -> Iterator[Callable[..., Tab]]:
    """Opens watched tabs: `tab(scheme="dark", width=390, **more)`."""
    contexts = []

    def make(*, scheme: str = "light", width: int = 1280, address: str = site, **more: Any) -> Tab:
        more.setdefault("reduced_motion", "reduce")  # colours on their way from light to dark have no contrast
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, **more)  # type: ignore[arg-type]
        contexts.append(context)
        made = Tab(context.new_page(), address)
        made.page.on("console", lambda message: made.complaints.append(message.text))
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.on("request", lambda request: made.requests.append(request.url))
        return made

    yield make
    for context in contexts:
        context.close()
