"""The public pages in a real browser: quiet, self-contained, accessible, whole on a phone; and the two journeys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.bot.web import world
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page

BARE = next(doc.id for doc in world.shelf().docs if not doc.explained)
ADDRESSES = {
    "home": "/",
    "all errors": "/errors",
    "a search": "/errors?q=tensor&severity=error",
    "a search without a result": "/errors?q=xyzzyplugh",
    "an entry": "/errors/KB-0001",
    "an entry with a fixed range": "/errors/KB-0006",
    "a foreign entry": "/errors/KB-0008",
    "an entry of many places": "/errors/KB-0016",
    "a place without an entry": f"/errors/{BARE}",
    "explain": "/explain",
    "about": "/about",
}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_quiet_alone_accessible_and_fits(tab: Callable[..., Tab], name: str, width: int):
    page = tab(width=width).open(ADDRESSES[name])
    assert page.violations_in_both_schemes() == {"light": [], "dark": []}
    assert page.complaints == []
    assert page.strangers() == []
    assert page.overflow() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_paste_and_read_the_answer(tab: Callable[..., Tab], width: int):
    """From the first page to the answer in one step."""
    one = tab(width=width).open("/")
    one.page.get_by_label("Paste the panic").fill(world.EMBEDDING)
    one.page.get_by_role("button", name="Explain it").click()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("embedding inside a nested Autodiff")
    expect(one.page.locator(".facts")).to_contain_text("crates/burn-autodiff/src/ops/module.rs:56")
    assert one.violations_in_both_schemes() == {"light": [], "dark": []}
    assert (one.complaints, one.strangers(), one.overflow()) == ([], [], 0)
    one.page.get_by_role("link", name="the full page").click()
    expect(one.page).to_have_url(one.site + "/errors/KB-0001")


def test_search_as_you_type_and_read(tab: Callable[..., Tab]):
    """From the first page to an explanation in two steps."""
    one = tab().open("/errors")
    one.page.get_by_role("searchbox").press_sequentially("embedding backward")
    result = one.page.locator("#results").get_by_role("link", name="Can't differentiate embedding backward").first
    expect(one.page.locator("#results article")).not_to_have_count(20)
    expect(one.page).to_have_url(one.site + "/errors?q=embedding+backward")
    result.click()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("Can't differentiate embedding backward.")
    assert (one.complaints, one.strangers()) == ([], [])


def test_a_filter_acts_at_once(tab: Callable[..., Tab]):
    one = tab().open("/errors")
    one.page.get_by_label("Severity").select_option("usage")
    expect(one.page).to_have_url(one.site + "/errors?severity=usage")
    badges = one.page.locator("#results .badge")
    expect(badges.first).to_have_text("usage")
    assert set(badges.all_text_contents()) == {"usage"}


def test_another_repository_offers_its_own_releases(tab: Callable[..., Tab]):
    one = tab().open("/errors?version=v0.21.0")
    one.page.get_by_label("Repository").select_option("tracel-ai/cubecl")
    expect(one.page.get_by_label("Version of cubecl")).to_be_visible()
    one.page.get_by_label("Version of cubecl").select_option("v0.6.0")
    expect(one.page.locator("#results")).to_contain_text("KB-0008")
    assert (one.complaints, one.strangers()) == ([], [])


def test_without_javascript_search_needs_enter(tab: Callable[..., Tab]):
    one = tab(java_script_enabled=False).open("/")
    one.page.get_by_role("searchbox").fill("embedding backward")
    one.page.get_by_role("searchbox").press("Enter")
    expect(one.page).to_have_url(one.site + "/errors?q=embedding+backward")
    one.page.get_by_label("Severity").select_option("error")
    one.page.get_by_role("button", name="Search").click()
    expect(one.page.locator("#results article").first).to_contain_text("KB-0001")


def test_the_keyboard_reaches_the_content_first(tab: Callable[..., Tab]):
    one = tab().open("/errors/KB-0001")
    one.page.keyboard.press("Tab")
    expect(one.page.get_by_role("link", name="Skip to the content")).to_be_focused()
    one.page.keyboard.press("Enter")
    expect(one.page.locator("main")).to_be_focused()


def test_dates_are_in_the_readers_way_with_iso_in_the_title(tab: Callable[..., Tab]):
    one = tab(locale="de-DE").open("/errors/KB-0001")
    date = one.page.locator("time").first
    expect(date).to_have_attribute("title", "2023-09-06")
    expect(date).to_have_text("06.09.2023")


def test_the_colours_follow_the_reader(tab: Callable[..., Tab]):
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = (tab(scheme=s).open("/").page.evaluate(colour) for s in ("light", "dark"))
    assert light != dark
