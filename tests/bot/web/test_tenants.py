"""Nobody sees or changes what is another tenant's, and a change needs its own form and a fresh permission."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.store import audit
from bot.store.board import inbox, overview, verdicts
from bot.store.board.verdicts import Filters
from bot.store.engine import open_engine
from bot.web import csrf
from bot.web.page import MAINTAINER, found_pages
from tests.bot.web import world
from tests.bot.web.board_rows import Rows, unknown_panic, verdict
from tests.bot.web.login_world import LoginWorld
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.github import FakeGitHub

THEIR_PANIC = "thread 'main' panicked at src/main.rs:1:1:\nTheir secret panic"
OURS = verdict(world.EMBEDDING)["fingerprint"]
THEIRS = verdict(THEIR_PANIC)["fingerprint"]

OFF = {"mode": "off"}


@pytest.fixture
def database(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(sqlite_files.make(tmp_path))
    yield engine
    engine.dispose()


@pytest.fixture
def place(database: Engine, clock: FakeClock) -> Iterator[LoginWorld]:
    """`tri` may triage ours; the other repository is somebody else's."""
    with FakeGitHub(clock.now) as github:
        place = LoginWorld(github, database, clock)
        Rows(database, clock, place.repo.id).issue(world.EMBEDDING, days=1, answered=True)
        other = Rows(database, clock, place.other.id, "someone/else")
        other.alarm(other.issue(THEIR_PANIC, days=1), comment_id=88)
        yield place


def test_what_is_theirs_does_not_exist(place: LoginWorld):
    browser = place.log_in("tri")
    nothing = place.get(browser, "/board/panics/fp1:0000000000000000")
    theirs = place.get(browser, f"/board/panics/{THEIRS}")
    assert (theirs.status_code, theirs.text) == (404, nothing.text)
    unknown, other = place.get(browser, "/board?repo=1"), place.get(browser, f"/board?repo={place.other.id}")
    assert (other.status_code, other.text) == (404, unknown.text)


@pytest.mark.parametrize("address", ["/board", "/board/unknowns", "/board/settings", "/board/verdicts",
                                     "/board/entries", "/board/inbox", "/board/inbox?state=queued",
                                     f"/board/panics/{OURS}"])  # fmt: skip
def test_no_page_names_them(place: LoginWorld, address: str):
    Rows(place.engine, place.clock, place.other.id, "someone/else", 50).issue(world.EMBEDDING, days=1)
    page = place.get(place.log_in("tri"), address)
    assert page.status_code == 200
    assert [word for word in ("someone/else", "secret panic", "#51") if word in page.text] == []


def test_a_verdict_and_a_delivery_of_theirs_are_like_those_that_do_not_exist(place: LoginWorld):
    browser = place.log_in("tri")
    with place.engine.connect() as conn:
        [verdict_] = verdicts.page(conn, (place.other.id,), Filters(), before=None, limit=1)
        [came] = inbox.page(conn, (place.other.id,), limit=1)
    nothing, theirs = (place.get(browser, f"/board/verdicts/{n}") for n in (999_999, verdict_.id))
    assert (theirs.status_code, theirs.text) == (404, nothing.text)
    orders = [
        place.post(browser, f"/board/verdicts/{n}/order", data={"name": "hide", "token": "t"}).status_code
        for n in (999_999, verdict_.id)
    ]
    retries = [place.post(browser, f"/board/inbox/{n}/retry").status_code for n in (999_999, came.id)]
    assert (orders, retries) == ([404, 404], [404, 404])
    with place.engine.connect() as conn:
        assert [one.event for one in inbox.page(conn, (place.other.id,), limit=9)] == ["issues"]
        assert audit.newest(conn, (place.repo.id, place.other.id)) == []


def test_what_is_theirs_cannot_be_changed(place: LoginWorld):
    browser = place.log_in("tri")
    codes = [
        place.post(browser, address, data=dict(OFF)).status_code
        for address in (
            f"/board/settings/{place.other.id}/switch",
            "/board/settings/1/switch",
            "/board/alarms/88/dismiss",
            "/board/alarms/1/dismiss",
        )
    ]
    assert codes == [404] * 4
    with place.engine.connect() as conn:
        assert overview.chosen(conn, (place.other.id,)) == []
        assert len(overview.standing_alarms(conn, (place.other.id,))) == 1
        assert audit.newest(conn, (place.repo.id, place.other.id)) == []


def test_a_change_is_made_by_its_own_form_and_written_down_with_the_account(place: LoginWorld):
    browser = place.log_in("tri")
    assert place.post(browser, f"/board/settings/{place.repo.id}/switch", data=dict(OFF)).status_code == 303
    with place.engine.connect() as conn:
        assert [(one.login, one.action) for one in audit.newest(conn, (place.repo.id,))] == [("tri", "switched off")]


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("", {}),
        ("guess", {}),
        ("of another session", {}),
        (None, {"Origin": "https://evil.example"}),
        (None, {"Origin": "null"}),
        (None, {"Sec-Fetch-Site": "cross-site"}),
        (None, {"Sec-Fetch-Site": "same-site"}),
        (None, {"Origin": "http://triage.example"}),
    ],
)
def test_a_forged_form_changes_nothing(place: LoginWorld, token: str | None, headers: dict[str, str]):
    browser = place.log_in("tri")
    if token == "of another session":
        token = csrf.token(place.session(place.log_in("ann")))
    answer = place.post(
        browser, f"/board/settings/{place.repo.id}/switch", token=token, headers=headers, data=dict(OFF)
    )
    assert answer.status_code == 403
    with place.engine.connect() as conn:
        assert overview.chosen(conn, (place.repo.id,)) == []


def test_a_form_of_our_own_pages_is_taken(place: LoginWorld):
    headers = {"Origin": "https://triage.example", "Sec-Fetch-Site": "same-origin"}
    answer = place.post(place.log_in("tri"), f"/board/settings/{place.repo.id}/switch", headers=headers, data=dict(OFF))
    assert answer.status_code == 303


def test_a_change_asks_for_the_permission_anew(place: LoginWorld):
    """For reading, an answer of GitHub holds a minute; for a change it does not."""
    browser = place.log_in("tri")
    assert place.get(browser, "/board").status_code == 200
    place.repo.roles["tri"] = "read"
    assert place.post(browser, f"/board/settings/{place.repo.id}/switch", data=dict(OFF)).status_code == 403
    with place.engine.connect() as conn:
        assert overview.chosen(conn, (place.repo.id,)) == []


def test_every_page_and_action_is_behind_the_login(place: LoginWorld):
    stranger = place.browser()
    pages = [page for page in found_pages().values() if page.who == MAINTAINER]
    assert pages
    for page in pages:
        for rule, post in [(page.rule, False), *((rule, True) for rule in page.actions)]:
            address = "".join("1" if part.startswith("<") else part for part in _parts(rule))
            answer = (place.post(stranger, address, token="x")) if post else place.get(stranger, address)
            assert (address, answer.status_code) == (address, 303)
            assert answer.headers["Location"].startswith("/login")


def _parts(rule: str) -> list[str]:
    import re

    return re.split(r"(<[^>]+>)", rule)


def test_all_rules_of_the_dashboard_are_behind_the_door():
    for name, page in found_pages().items():
        for rule in (page.rule, *page.actions):
            assert (name, rule.startswith("/board")) == (name, page.who == MAINTAINER)
        assert name.startswith("board_") == (page.who == MAINTAINER)
        assert not page.actions or page.who == MAINTAINER


def test_drafts_are_of_ones_own_panics(place: LoginWorld):
    Rows(place.engine, place.clock, place.other.id, "someone/else", 50).issue(unknown_panic(), days=1)
    hidden = f"/board/panics/{verdict(unknown_panic())['fingerprint']}?draft=file"
    assert place.get(place.log_in("tri"), hidden).status_code == 404
    assert place.get(place.log_in("owen"), hidden).status_code == 200
