"""The exported files behind a plain file server: quiet, and the search works on what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from bot.web.export import export
from tests.bot.web import world
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_words: object) -> None:
        """Nothing on stderr."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the exported site, below a path as on a host for many projects."""
    root = tmp_path_factory.mktemp("files")
    export(world.desk(static=True), Path(root) / "project")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/project"
    server.shutdown()
    server.server_close()
    thread.join()


def test_search_and_read(tab: Callable[..., Tab], files: str):
    one = tab(address=files).open("/")
    one.page.get_by_role("searchbox").fill("embedding backward")
    one.page.get_by_role("searchbox").press("Enter")
    expect(one.page.get_by_role("status")).to_have_text("1 explained error.")
    one.page.locator("#results article:visible a").click()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("Can't differentiate embedding backward.")
    assert (one.complaints, one.strangers(), one.violations()) == ([], [], [])


def test_sifting_as_you_type(tab: Callable[..., Tab], files: str):
    one = tab(address=files, width=390).open("/errors/")
    box = one.page.get_by_role("searchbox")
    box.press_sequentially("quantization transaction")
    expect(one.page.locator("#results article:visible")).to_have_count(1)
    box.fill("xyzzyplugh")
    expect(one.page.get_by_role("status")).to_have_text("0 explained errors.")
    assert (one.complaints, one.strangers(), one.violations(), one.overflow()) == ([], [], [], 0)
