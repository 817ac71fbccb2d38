"""Logging in, against the stand-in GitHub: what is refused, what a session is, what a permission is worth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, select

from bot.store.engine import open_engine
from bot.store.schema import logins, sessions
from bot.web.login import IDLE_SECONDS, LOGIN_SECONDS, WHOLE_SECONDS
from tests.bot.web import board_world
from tests.bot.web.login_world import LoginWorld, query
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles, tables_holding
from tests.fakes.github import FakeGitHub
from tests.fakes.github.faults import Fault


@pytest.fixture
def database(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(sqlite_files.make(tmp_path))
    yield engine
    engine.dispose()


@pytest.fixture
def place(database: Engine, clock: FakeClock) -> Iterator[LoginWorld]:
    with FakeGitHub(clock.now) as github:
        yield LoginWorld(github, database, clock)
        assert github.violations == []


def sessions_of(engine: Engine) -> list[str]:
    with engine.connect() as conn:
        return [row.login for row in conn.execute(select(sessions))]


def test_a_triager_logs_in_and_gets_where_they_wanted(place: LoginWorld):
    browser = place.browser()
    sent = place.get(browser, "/board?repo=1")
    assert (sent.status_code, sent.headers["Location"]) == (303, "/login?to=/board%3Frepo%3D1")
    assert "/login/github?to=%2Fboard%3Frepo%3D1" in place.get(browser, sent.headers["Location"]).text
    back = place.get(browser, place.at_github(browser, "tri", "/board?repo%3D1"))
    assert (back.status_code, back.headers["Location"]) == (303, "/board?repo=1")
    page = place.get(browser, "/board")
    assert (page.status_code, "tri" in page.text, page.headers["Cache-Control"]) == (200, True, "no-store")


def test_the_cookie_is_as_safe_as_can_be(place: LoginWorld):
    browser = place.browser()
    back = place.get(browser, place.at_github(browser, "tri"))
    cookie = next(c for c in back.headers.getlist("Set-Cookie") if "session" in c)
    name, *attributes = cookie.split("; ")
    assert name.startswith("__Host-burn-triage-session=")
    assert sorted(attributes) == ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]


def test_over_plain_http_on_loopback_there_is_no_secure_cookie(database: Engine, clock: FakeClock):
    with FakeGitHub(clock.now) as github:
        place = LoginWorld(github, database, clock, "http://127.0.0.1:8000")
        browser = place.log_in("tri")
        assert place.get(browser, "/board").status_code == 200
        assert place.door.cookie == "burn-triage-session"


def test_neither_cookie_nor_state_nor_token_is_kept(place: LoginWorld):
    browser = place.browser()
    address = place.at_github(browser, "tri")
    place.get(browser, address)
    secrets = [place.session(browser), query(address)["state"], query(address)["code"]]
    secrets += [text for text in place.github.world.tokens if text.startswith("ghu")]
    assert len(secrets) >= 4
    with place.engine.connect() as conn:
        assert [tables_holding(conn, secret) for secret in secrets] == [[]] * len(secrets)


@pytest.mark.parametrize("login", ["rea", "stranger", "owen-not"])
def test_without_triage_permission_nobody_comes_in(place: LoginWorld, login: str):
    browser = place.browser()
    answer = place.get(browser, place.at_github(browser, login))
    assert (answer.status_code, "triage permission on no repository" in answer.text) == (403, True)
    assert (place.session(browser), sessions_of(place.engine)) == ("", [])
    assert place.get(browser, "/board").status_code == 303


def test_a_forged_state_is_refused(place: LoginWorld):
    browser = place.browser()
    given = query(place.at_github(browser, "tri"))
    answer = place.get(browser, "/login/callback?" + urlencode(given | {"state": "forged"}))
    assert (answer.status_code, sessions_of(place.engine)) == (400, [])


def test_a_login_begun_in_another_browser_is_refused(place: LoginWorld):
    """Else somebody could be made to work in an attacker's account."""
    attacker, victim = place.browser(), place.browser()
    address = place.at_github(attacker, "tri")
    assert place.get(victim, address).status_code == 400
    place.at_github(victim, "tri")
    assert place.get(victim, address).status_code == 400
    assert sessions_of(place.engine) == []


def test_a_code_works_once(place: LoginWorld):
    browser = place.browser()
    address = place.at_github(browser, "tri")
    cookie = browser.get_cookie(place.door.login_cookie, domain="triage.example")
    assert cookie is not None
    assert place.get(browser, address).status_code == 303
    browser.set_cookie(place.door.login_cookie, cookie.value, domain="triage.example")
    assert place.get(browser, address).status_code == 400


def test_a_replayed_code_is_refused_under_a_state_of_ones_own(place: LoginWorld):
    """The code of one login does not open another: it was used, and is bound to the first one's verifier."""
    victim, thief = place.browser(), place.browser()
    stolen = query(place.at_github(victim, "ann"))["code"]
    mine = query(place.at_github(thief, "rea"))
    answer = place.get(thief, "/login/callback?" + urlencode({"code": stolen, "state": mine["state"]}))
    assert (answer.status_code, sessions_of(place.engine)) == (400, [])


def test_a_login_may_take_ten_minutes(place: LoginWorld):
    browser = place.browser()
    address = place.at_github(browser, "tri")
    place.clock.sleep(LOGIN_SECONDS)
    assert place.get(browser, address).status_code == 400


def test_logins_that_ran_out_are_forgotten(place: LoginWorld):
    for _ in range(2):
        place.at_github(place.browser(), "tri")
        place.clock.sleep(LOGIN_SECONDS)
    with place.engine.connect() as conn:
        assert len(conn.execute(select(logins)).all()) == 1


def test_saying_no_at_github_is_no_failure(place: LoginWorld):
    answer = place.get(place.browser(), "/login/callback?error=access_denied&state=x")
    assert (answer.status_code, "nothing happened" in answer.text) == (400, True)


@pytest.mark.parametrize("to", ["https://evil.example", "//evil.example", "/board\\@evil", "/boardx", "", "/login"])
def test_the_way_back_stays_on_the_dashboard(place: LoginWorld, to: str):
    browser = place.browser()
    back = place.get(browser, place.at_github(browser, "tri", to))
    assert back.headers["Location"] == "/board"


def test_each_login_has_a_new_cookie_and_ends_the_former(place: LoginWorld):
    browser = place.log_in("tri")
    first = place.session(browser)
    place.get(browser, place.at_github(browser, "ann"))
    assert place.session(browser) not in ("", first)
    assert sessions_of(place.engine) == ["ann"]


def test_a_login_that_is_refused_ends_the_former_too(place: LoginWorld):
    browser = place.log_in("tri")
    refused = place.get(browser, place.at_github(browser, "rea"))
    assert (refused.status_code, "You are logged out" in refused.text) == (403, True)
    assert sessions_of(place.engine) == []
    assert place.get(browser, "/board").status_code == 303


def test_a_cookie_that_somebody_planted_is_not_taken_on(place: LoginWorld):
    browser = place.browser()
    browser.set_cookie(place.door.cookie, "planted", domain="triage.example", secure=True)
    place.get(browser, place.at_github(browser, "tri"))
    assert place.session(browser) != "planted"


@pytest.mark.parametrize(
    ("step", "steps", "still"),
    [
        (IDLE_SECONDS - 1, 1, True),
        (IDLE_SECONDS, 1, False),
        (IDLE_SECONDS - 1, 14, True),
        (WHOLE_SECONDS / 16, 16, False),
    ],
)
def test_a_session_ends_idle_and_in_any_case(place: LoginWorld, step: float, steps: int, still: bool):
    browser = place.log_in("tri")
    for _ in range(steps):
        place.clock.sleep(step)
        last = place.get(browser, "/board").status_code
    assert last == (200 if still else 303)
    assert sessions_of(place.engine) == (["tri"] if still else [])


def test_logging_out(place: LoginWorld):
    browser = place.log_in("tri")
    cookie = place.session(browser)
    answer = place.post(browser, "/logout")
    assert (answer.status_code, sessions_of(place.engine), place.session(browser)) == (303, [], "")
    browser.set_cookie(place.door.cookie, cookie, domain="triage.example", secure=True)
    assert place.get(browser, "/board").status_code == 303


def test_logging_out_needs_the_sessions_own_form(place: LoginWorld):
    browser = place.log_in("tri")
    assert place.post(browser, "/logout", token="guess").status_code == 403
    assert sessions_of(place.engine) == ["tri"]


def test_logging_out_works_while_github_is_away(place: LoginWorld):
    browser = place.log_in("tri")
    place.github.faults.add(Fault("502_before", path="/collaborators/", times=9))
    assert place.post(browser, "/logout").status_code == 303


def test_a_withdrawn_permission_is_gone_within_a_minute(place: LoginWorld):
    browser = place.log_in("tri")
    place.repo.roles["tri"] = "read"
    place.clock.sleep(59.0)
    assert place.get(browser, "/board").status_code == 200
    place.clock.sleep(1.0)
    assert place.get(browser, "/board").status_code == 403
    assert (sessions_of(place.engine), place.get(browser, "/board").status_code) == ([], 303)


def test_a_login_that_changed_hands_is_another_person(place: LoginWorld):
    browser = place.log_in("tri")
    place.github.world.users["tri"].id += 100_000
    place.clock.sleep(60.0)
    assert place.get(browser, "/board").status_code == 403


def test_where_github_does_not_answer_nobody_is_let_in_on_a_guess(place: LoginWorld):
    browser = place.log_in("tri")
    place.clock.sleep(60.0)
    place.github.faults.add(Fault("502_before", path="/collaborators/", times=9))
    answer = place.get(browser, "/board")
    assert (answer.status_code, "Try again in a minute" in answer.text) == (503, True)
    assert sessions_of(place.engine) == ["tri"]


def test_the_login_is_limited(place: LoginWorld):
    from bot.web.desk import Desk
    from bot.web.public import create_public
    from tests.bot.web import world

    browser = create_public(Desk.of(world.shelf, place.clock, board=place.board)).test_client()
    codes = [place.get(browser, "/login/github").status_code for _ in range(12)]
    assert set(codes) == {303, 429}


def test_each_sees_their_own_repositories(place: LoginWorld):
    passages = {login: [repo.full_name for repo in repos(place, login)] for login in ("tri", "owen")}
    assert passages == {"tri": ["tracel-ai/burn"], "owen": ["someone/else"]}


def repos(place: LoginWorld, login: str):
    return place.door.rights.repos(login, place.github.world.users[login].id, fresh=False)


def test_an_app_that_was_suspended_or_taken_out_shows_nothing(place: LoginWorld, clock: FakeClock):
    from bot.store import installations

    browser: FlaskClient = place.log_in("tri")
    with place.engine.begin() as conn:
        installations.remove_repositories(conn, [place.repo.id], 1.0)
    assert place.get(browser, "/board").status_code == 403


def test_a_login_asks_about_the_repositories_that_the_account_can_reach_alone(place: LoginWorld):
    """However many have the App: GitHub's own list for the account says which may be theirs."""
    for number in range(20):
        repo = place.github.create_repo(f"org-{number}/model", roles={"owen": "admin"})
        installation = place.github.install(place.app, [repo])
        board_world.install(place.engine, repo.id, repo.full_name, installation.id)
    before = len(place.github.seen)
    browser = place.log_in("tri")
    assert place.get(browser, "/board").status_code == 200
    asked = [one.path for one in place.github.seen[before:] if "/collaborators/" in one.path]
    assert asked == ["/repos/tracel-ai/burn/collaborators/tri/permission"]


def test_who_can_reach_nothing_costs_no_question(place: LoginWorld):
    browser, before = place.browser(), len(place.github.seen)
    assert place.get(browser, place.at_github(browser, "stranger")).status_code == 403
    assert [one.path for one in place.github.seen[before:] if "/collaborators/" in one.path] == []


def test_what_an_account_may_only_read_is_not_asked_about(place: LoginWorld):
    browser, before = place.browser(), len(place.github.seen)
    assert place.get(browser, place.at_github(browser, "rea")).status_code == 403
    assert [one.path for one in place.github.seen[before:] if "/collaborators/" in one.path] == []


def test_a_session_of_before_the_list_was_kept_goes_on(place: LoginWorld, database: Engine):
    browser = place.log_in("tri")
    with database.begin() as conn:
        conn.execute(sessions.update().values(reach=None))
    assert place.get(browser, "/board").status_code == 200


def test_a_refused_login_leads_to_a_new_one(place: LoginWorld):
    page = place.get(place.browser(), "/login/callback?state=forged&code=no")
    assert (page.status_code, 'href="/login"' in page.text) == (400, True)
