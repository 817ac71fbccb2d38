"""The set-up in a real browser: its form may go to GitHub, and to nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bot.clock import SystemClock
from bot.credentials import read_kept
from bot.setting_values import Address
from bot.setup.gate import Gate
from bot.setup.pages import PLACE, SetUp, create_pages
from bot.setup.register import register
from bot.setup.server import PageServer
from tests.fakes.github import FakeGitHub
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        yield github
        assert github.violations == []


@pytest.fixture
def setup(github: FakeGitHub, tmp_path: Path) -> Iterator[SetUp]:
    server, done = PageServer(Address("127.0.0.1", 0)), threading.Event()
    path = tmp_path / "app.json"
    made = SetUp(
        gate=Gate(SystemClock()),
        server_url="https://bot.example.org",
        # Another origin than the page's, as the real one is.
        github_url=github.url,
        register=lambda code: register(code, api_url=github.url, path=path),
        exists=path.exists,
        local_host=str(server.address),
    )
    thread = threading.Thread(target=server.run, args=(create_pages(made), done, lambda: False))
    thread.start()
    yield made
    done.set()
    thread.join()


def test_from_the_terminals_address_to_the_kept_keys(
    tab: Callable[..., Tab], setup: SetUp, github: FakeGitHub, tmp_path: Path
):
    one = tab(address=f"http://{setup.local_host}").open(f"{PLACE}?token={setup.gate.token}")
    expect(one.page).to_have_url(f"http://{setup.local_host}{PLACE}")
    assert one.violations_in_both_schemes() == {"light": [], "dark": []}
    assert (one.strangers(), one.overflow()) == ([], 0)
    one.page.get_by_role("button", name="Go on to").click()
    one.page.get_by_role("button", name="Create GitHub App").click()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("burn-triage is made")
    assert one.violations_in_both_schemes() == {"light": [], "dark": []}
    assert one.complaints == []
    assert read_kept(tmp_path / "app.json")["bot_login"] == "burn-triage[bot]"


def test_the_form_goes_nowhere_else(tab: Callable[..., Tab], setup: SetUp):
    with FakeGitHub() as another:
        one = tab(address=f"http://{setup.local_host}").open(f"{PLACE}?token={setup.gate.token}")
        one.page.evaluate(f"document.forms[0].action = '{another.url}/settings/apps/new'")
        with one.page.expect_console_message(lambda message: "form-action" in message.text):
            one.page.evaluate("document.forms[0].requestSubmit()")
        assert another.world.manifests == {}


def test_who_comes_without_the_token_sees_nothing(tab: Callable[..., Tab], setup: SetUp):
    stranger = tab(address=f"http://{setup.local_host}").open(PLACE)
    assert stranger.page.locator("body").inner_text().strip() == "404 Not Found"
    assert stranger.page.locator("form").count() == 0
