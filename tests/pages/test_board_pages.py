"""The dashboard in a real browser: quiet, alone, accessible, whole on a phone; and the maintainers' journeys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.bot.web import board_world, world
from tests.bot.web.board_rows import unknown_panic, verdict
from tests.bot.web.login_world import LoginWorld
from tests.fakes.databases import SqliteFiles
from tests.pages.board_site import local_site, login_site
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page

UNKNOWN = verdict(unknown_panic())["fingerprint"]
KNOWN = verdict(world.EMBEDDING)["fingerprint"]
ADDRESSES = {
    "overview": "/board",
    "overview of one": f"/board?repo={board_world.REPO_ID}",
    "unknowns": "/board/unknowns",
    "a panic with a draft": f"/board/panics/{UNKNOWN}",
    "a panic with an entry": f"/board/panics/{KNOWN}",
    "settings": "/board/settings",
    "nothing": "/board/panics/none",
}


@pytest.fixture(scope="module")
def board(sqlite_files: SqliteFiles, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with local_site(sqlite_files, tmp_path_factory.mktemp("board")) as address:
        yield address


@pytest.fixture(scope="module")
def empty_board(sqlite_files: SqliteFiles, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with local_site(sqlite_files, tmp_path_factory.mktemp("empty"), fill=False) as address:
        yield address


@pytest.fixture
def behind_login(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[tuple[str, LoginWorld]]:
    with login_site(sqlite_files, tmp_path) as found:
        yield found


def is_fine(page: Tab) -> None:
    assert page.violations_in_both_schemes() == {"light": [], "dark": []}
    # A page that is not there says so on the console too.
    assert [said for said in page.complaints if "404" not in said] == []
    assert page.strangers() == []
    assert page.overflow() == 0


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_quiet_alone_accessible_and_fits(tab: Callable[..., Tab], board: str, name: str, width: int):
    is_fine(tab(width=width, address=board).open(ADDRESSES[name]))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("address", ["/board", "/board/unknowns", "/board/settings"])
def test_so_is_one_with_nothing_to_show(tab: Callable[..., Tab], empty_board: str, address: str, width: int):
    is_fine(tab(width=width, address=empty_board).open(address))


@pytest.mark.parametrize("width", [390, 1280])
def test_so_is_the_login(tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld], width: int):
    is_fine(tab(width=width, address=behind_login[0]).open("/login"))


def test_log_in_find_an_unknown_and_draft(tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld]):
    address, place = behind_login
    place.github.signed_in = "tri"
    one = tab(address=address).open("/board/unknowns")
    one.page.get_by_role("button", name="Log in with GitHub").click()
    expect(one.page).to_have_url(address + "/board/unknowns")
    expect(one.page.get_by_role("banner")).to_contain_text("tri")
    one.page.locator("table a").first.click()
    expect(one.page).to_have_url(f"{address}/board/panics/{UNKNOWN}")
    expect(one.page.get_by_role("group", name="The draft, YAML")).to_contain_text("TODO")
    with one.page.expect_download() as download:
        one.page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".yaml")
    hosts = {urlsplit(url).netloc for url in one.requests}
    assert hosts == {urlsplit(address).netloc, urlsplit(place.github.url).netloc}
    assert one.complaints == []


def test_switch_off_and_back_and_read_who_did(tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld]):
    address, place = behind_login
    place.github.signed_in = "tri"
    one = tab(address=address).open("/login/github?to=/board/settings")
    one.page.get_by_role("radio", name="off nothing is read").check()
    one.page.get_by_role("button", name="Change it").click()
    expect(one.page.get_by_text("switched the bot off for the whole repository")).to_be_visible()
    expect(one.page.locator("#log + .scroll")).to_contain_text("switched off")
    one.page.get_by_role("radio", name="as the file says").check()
    one.page.get_by_role("button", name="Change it").click()
    expect(one.page.get_by_text("switched the bot off for the whole repository")).to_be_hidden()
    expect(one.page.locator("#log + .scroll tbody tr")).to_have_count(2)
    expect(one.page.locator("#log + .scroll")).to_contain_text("tri")
    assert (one.complaints, one.overflow()) == ([], 0)


def test_log_out(tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld]):
    address, place = behind_login
    place.github.signed_in = "tri"
    one = tab(address=address).open("/login/github?to=/board")
    one.page.get_by_role("button", name="Log out").click()
    expect(one.page).to_have_url(address + "/")
    one.open("/board")
    expect(one.page.get_by_role("button", name="Log in with GitHub")).to_be_visible()


@pytest.mark.parametrize("login", ["rea", "stranger"])
def test_without_permission_the_door_stays_shut(
    tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld], login: str
):
    address, place = behind_login
    place.github.signed_in = login
    one = tab(address=address).open("/login/github?to=/board")
    expect(one.page.locator("main")).to_contain_text(f"{login} has triage permission on no repository")
    one.open("/board")
    expect(one.page.get_by_role("button", name="Log in with GitHub")).to_be_visible()


def test_a_permission_withdrawn_while_logged_in(tab: Callable[..., Tab], behind_login: tuple[str, LoginWorld]):
    address, place = behind_login
    place.github.signed_in = "tri"
    one = tab(address=address).open("/login/github?to=/board/settings")
    place.repo.roles["tri"] = "read"
    one.page.get_by_role("button", name="Change it").click()
    expect(one.page.locator("main")).to_contain_text("tri has triage permission on no repository")
    one.open("/board")
    expect(one.page.get_by_role("button", name="Log in with GitHub")).to_be_visible()


def test_without_javascript_everything_works(tab: Callable[..., Tab], board: str):
    one = tab(address=board, java_script_enabled=False).open("/board")
    one.page.get_by_label("Repository").select_option("tracel-ai/cubecl")
    one.page.get_by_role("button", name="Show").click()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Overview of tracel-ai/cubecl")
    one.open("/board")
    one.page.get_by_role("button", name="Looked at").click()
    expect(one.page.get_by_text("An outsider offers")).to_have_count(0)
    expect(one.page.locator("time").first).to_contain_text("-")


def test_moments_are_in_the_readers_zone_with_iso_in_the_title(tab: Callable[..., Tab], board: str):
    one = tab(address=board, locale="de-DE", timezone_id="Asia/Tokyo").open("/board/settings")
    moment = one.page.locator("details time").first
    one.page.locator("details").first.evaluate("e => e.open = true")
    title = moment.get_attribute("title") or ""
    assert title.endswith("Z")
    shown = one.page.evaluate(f"new Date('{title}').toLocaleString()")
    expect(moment).to_have_text(shown)


def test_a_chart_has_a_name_a_description_and_its_numbers(tab: Callable[..., Tab], board: str):
    one = tab(address=board).open("/board")
    chart = one.page.get_by_role("img", name="Issues looked at, by week")
    expect(chart).to_have_accessible_description(re.compile("^Of [0-9]+ issues in 12 weeks"))
    one.page.get_by_text("Issues looked at, by week: the numbers").click()
    expect(one.page.get_by_role("table", name="Issues looked at, by week").locator("tbody tr")).to_have_count(12)
