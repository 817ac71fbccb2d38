"""The dashboard's pages over rows: the facts that they show, the changes that they make, whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import yaml
from flask.testing import FlaskClient
from sqlalchemy import Engine

from bot.store import audit, configurations
from bot.store.board import overview
from bot.store.engine import open_engine
from bot.web.page import MAINTAINER, found_pages
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import Rows, unknown_panic, verdict
from tests.bot.web.test_public import Links
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles

KNOWN = verdict(world.EMBEDDING)["fingerprint"]
UNKNOWN = verdict(unknown_panic())["fingerprint"]
SETTINGS = f"/board/settings/{board_world.REPO_ID}"


@pytest.fixture
def database(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(sqlite_files.make(tmp_path))
    yield engine
    engine.dispose()


@pytest.fixture
def rows(database: Engine, clock: FakeClock) -> Rows:
    board_world.install(database)
    return Rows(database, clock)


@pytest.fixture
def browser(rows: Rows) -> FlaskClient:
    return board_world.client(rows.engine, rows.clock)


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))).split())


def changes(rows: Rows) -> list[tuple[str, str, str]]:
    with rows.engine.connect() as conn:
        return [(one.login, one.action, one.subject) for one in audit.newest(conn, (board_world.REPO_ID,))]


def test_an_empty_dashboard_explains_itself(browser: FlaskClient):
    shown = text_of(browser.get("/board").text)
    assert "No issue showed a panic." in shown
    assert "No answer yet, so no figure." in shown
    assert "No issue was looked at in these 12 weeks" in shown
    assert "Every panic that was met so far has an entry" in text_of(browser.get("/board/unknowns").text)
    assert "Nobody has changed anything here yet" in text_of(browser.get("/board/settings").text)


def test_without_a_repository_it_says_what_to_do(database: Engine, clock: FakeClock):
    browser = board_world.client(database, clock)
    for address in ("/board", "/board/unknowns", "/board/settings"):
        answer = browser.get(address)
        assert (answer.status_code, "installed on no repository" in answer.text) == (200, True)


def test_the_three_facts_come_first(rows: Rows, browser: FlaskClient):
    rows.season()
    rows.dispute(rows.issue(world.EMBEDDING, days=1, answered=True))
    shown = text_of(browser.get("/board").text)
    facts = re.search(
        r"Hurts most, last 12 weeks (\d+) issues (.*?) Answers right, all time (.*?) "
        r"To write next, last 12 weeks (.*?) Rep",
        shown,
    )
    assert facts
    assert int(facts[1]) > 12
    assert "embedding" in facts[2]
    assert re.fullmatch(r"\d+\.\d to 100\.0 % n = \d+; 0 found wrong, 1 disputed and not decided", facts[3])
    assert facts[4].startswith("6 issues without an entry")


def test_the_overview_shows_what_needs_a_maintainer(rows: Rows, browser: FlaskClient):
    rows.configuration(error="`mode` must be one of on, shadow, off, not `loud`")
    rows.alarm(rows.issue(world.EMBEDDING, days=1))
    shown = text_of(browser.get("/board").text)
    assert "the last good one stays in force: mode must be one of on, shadow, off" in shown
    assert "An outsider offers an archive or a program as a fix in a comment on tracel-ai/burn#1" in shown


def test_an_alarm_is_dismissed_and_that_is_written_down(rows: Rows, browser: FlaskClient):
    rows.alarm(rows.issue(world.EMBEDDING, days=1))
    assert board_world.post(browser, "/board/alarms/77/dismiss").status_code == 303
    assert "An outsider" not in browser.get("/board").text
    assert changes(rows) == [("local", "dismissed an alarm", "comment 77")]


@pytest.mark.parametrize("number", ["78", "0", str(2**63), "9" * 40])
def test_an_alarm_that_cannot_be_is_not_found(rows: Rows, browser: FlaskClient, number: str):
    assert board_world.post(browser, f"/board/alarms/{number}/dismiss").status_code == 404
    assert changes(rows) == []


def test_new_this_week(rows: Rows, browser: FlaskClient):
    rows.issue(world.EMBEDDING, days=60)
    rows.issue(world.EMBEDDING, days=2)
    rows.issue(unknown_panic(), days=2)
    new = browser.get("/board").text.split('id="new"')[1]
    assert f"/board/panics/{UNKNOWN}" in new
    assert KNOWN not in new


def test_unknowns_are_listed_most_frequent_first_and_lead_to_a_draft(rows: Rows, browser: FlaskClient):
    rows.season()
    rows.issue(unknown_panic(), days=1)
    page = browser.get("/board/unknowns").text
    assert KNOWN not in page
    assert "1 panic in 7 issues" in text_of(page)
    detail = browser.get(f"/board/panics/{UNKNOWN}")
    assert detail.status_code == 200
    assert "TODO" in detail.text
    file = browser.get(f"/board/panics/{UNKNOWN}?draft=file")
    drafted = yaml.safe_load(file.text)
    site = verdict(unknown_panic())["place"]["site"]["key"]
    assert drafted["sites"][0]["function"] == site["function"]
    assert "attachment" in file.headers["Content-Disposition"]


def test_a_panic_of_rust_itself_is_drafted_by_its_function(rows: Rows, browser: FlaskClient):
    path = "burn-tensor-0.10.0/src/benchmark/base.rs:35:9"
    printed = f"thread 'main' panicked at /home/ann/.cargo/registry/src/index-1949cf8c6b5b557f/{path}:\n"
    text = printed + "index out of bounds: the len is 3 but the index is 5"
    rows.issue(text, days=1)
    file = browser.get(f"/board/panics/{verdict(text)['fingerprint']}?draft=file")
    site = yaml.safe_load(file.text)["sites"][0]
    assert (site["function"], site["prints"]) == ("<BenchmarkResult as Display>::fmt", "index_out_of_bounds")
    assert "/home/ann" not in file.text


def test_where_the_index_knows_nothing_there_is_no_draft(rows: Rows, browser: FlaskClient):
    text = "thread 'main' panicked at src/main.rs:1:1:\nmy own words of my own program"
    rows.issue(text, days=1)
    page = browser.get(f"/board/panics/{verdict(text)['fingerprint']}")
    assert "there is nothing to begin from" in page.text


def test_the_draft_can_be_opened_on_github_where_the_entries_are_known(rows: Rows):
    rows.issue(unknown_panic(), days=1)
    from bot.web.board import Board
    from bot.web.local import LocalDoor
    from bot.web.public import create_public

    board = Board(rows.engine, rows.clock, LocalDoor(rows.engine))
    desk = world.desk(clock=rows.clock, board=board, report_url="https://github.com/o/entries/issues/new")
    page = create_public(desk).test_client().get(f"/board/panics/{UNKNOWN}").text
    assert "https://github.com/o/entries/new/main?filename=kb%2Fentries%2F" in page


def test_an_explained_panic_leads_to_its_entry(rows: Rows, browser: FlaskClient):
    rows.issue(world.EMBEDDING, days=1)
    page = browser.get(f"/board/panics/{KNOWN}").text
    assert 'href="/errors/KB-0001"' in page
    assert browser.get(f"/board/panics/{KNOWN}?draft=file").status_code == 404


def test_a_panic_whose_words_are_forgotten_still_has_its_page(rows: Rows, browser: FlaskClient):
    from bot.store.schema import verdicts

    rows.issue(unknown_panic(), days=1)
    with rows.engine.begin() as conn:
        conn.execute(verdicts.delete())
    page = browser.get(f"/board/panics/{UNKNOWN}")
    assert (page.status_code, "forgotten with them" in page.text) == (200, True)


def stored(rows: Rows) -> configurations.StoredConfiguration:
    with rows.engine.connect() as conn:
        found = configurations.read(conn, board_world.REPO_ID)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("mode", "told", "shown"),
    [
        ("off", "switched off", "switched the bot off for the whole repository"),
        ("shadow", "switched to shadow", "local chose that here, whatever the file says"),
        ("on", "switched on", "local chose that here, whatever the file says"),
    ],
)
def test_switching_a_repository_and_back(rows: Rows, browser: FlaskClient, mode: str, told: str, shown: str):
    rows.configuration()
    answer = board_world.post(browser, f"{SETTINGS}/switch", mode=mode)
    assert answer.headers["Location"] == f"/board/settings#r{board_world.REPO_ID}"
    assert (stored(rows).in_force, stored(rows).switched_off_by) == (mode, "local")
    page = browser.get("/board/settings").text
    assert (shown in page, f'value="{mode}" checked' in page) == (True, True)
    board_world.post(browser, f"{SETTINGS}/switch", mode="file")
    assert (stored(rows).switched_off_at, stored(rows).switched_to) == (None, "")
    assert changes(rows) == [
        ("local", "switched back to the file", board_world.REPO),
        ("local", told, board_world.REPO),
    ]
    assert 'value="file" checked' in browser.get("/board/settings").text


def test_a_mode_that_there_is_not_changes_nothing(rows: Rows, browser: FlaskClient):
    rows.configuration()
    answer = board_world.post(browser, f"{SETTINGS}/switch", mode="loud")
    assert (answer.status_code, "“loud” is no mode" in answer.text) == (422, True)
    assert (stored(rows).in_force, changes(rows)) == ("on", [])


def test_settings_show_the_choice_and_what_is_wrong_with_the_file(rows: Rows, browser: FlaskClient):
    good = {"mode": "shadow", "labels": {"unknown": ["panic"]}, "opt_out_label": "no-triage"}
    rows.configuration(good=good, in_force="shadow", error="`sepak` is no key here: did you mean `speak`?")
    shown = text_of(browser.get("/board/settings").text)
    assert "did you mean `speak`?" in shown
    assert "mode shadow" in shown
    assert "unknown: panic" in shown


def test_a_failed_change_leaves_no_line_in_the_log(rows: Rows, clock: FakeClock):
    from bot.web.board import Board
    from bot.web.local import LocalDoor
    from bot.web.visitor import BoardRepo, Visitor

    board = Board(rows.engine, clock, LocalDoor(rows.engine))
    visitor = Visitor("ann", (BoardRepo(board_world.REPO_ID, board_world.REPO, "triage"),))
    with pytest.raises(OSError, match="away"), board.change(visitor, "tried", board_world.REPO_ID):
        raise OSError("away")
    assert changes(rows) == []
    board.audit(visitor, "did", board_world.REPO_ID, "#3", "because")
    assert changes(rows) == [("ann", "did", "#3")]


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}"])
def test_what_reports_and_files_say_is_shown_as_text(rows: Rows, browser: FlaskClient, hostile: str):
    rows.issue(f"thread 'main' panicked at src/main.rs:1:1:\n{hostile}", days=1)
    rows.configuration(error=hostile)
    fingerprint = verdict(f"thread 'main' panicked at src/main.rs:1:1:\n{hostile}")["fingerprint"]
    for address in ("/board", "/board/unknowns", f"/board/panics/{fingerprint}", "/board/settings"):
        page = browser.get(address)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert Links(page.text).inline == []


def test_each_page_is_private_whole_and_small(rows: Rows, browser: FlaskClient):
    rows.season()
    fixed = [p.rule for p in found_pages().values() if p.who == MAINTAINER and "<" not in p.rule]
    for address in (*fixed, f"/board/panics/{KNOWN}", f"/board/panics/{UNKNOWN}"):
        answer = browser.get(address)
        links = Links(answer.text)
        assert (address, answer.status_code, answer.headers["Cache-Control"]) == (address, 200, "no-store")
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert (address, links.inline, sorted(links.ids)) == (address, [], sorted(set(links.ids)))
        assert len(answer.data) < 200_000


def test_one_repository_of_several(rows: Rows, browser: FlaskClient):
    board_world.install(rows.engine, 777, "tracel-ai/cubecl", 72)
    rows.issue(world.EMBEDDING, days=1)
    assert "Overview of tracel-ai/cubecl" in text_of(browser.get("/board?repo=777").text)
    assert KNOWN not in browser.get("/board?repo=777").text
    assert [browser.get(f"/board?repo={x}").status_code for x in ("778", "x", "9" * 30, "²")] == [404] * 4


def test_pages_beyond_the_last_are_the_last(rows: Rows, browser: FlaskClient):
    rows.issue(unknown_panic(), days=1)
    for page in ("0", "5", "-1", "x", "9" * 40):
        answer = browser.get(f"/board/unknowns?page={page}")
        assert (answer.status_code, UNKNOWN in answer.text) == (200, True)


def test_the_overviews_functions_agree_with_the_pages(rows: Rows):
    rows.season()
    with rows.engine.connect() as conn:
        weeks = overview.weeks(conn, (board_world.REPO_ID,), now=rows.clock.now(), count=12)
    assert sum(week.reports for week in weeks) == rows.number


def test_the_settings_of_many_say_first_how_many_answer_and_which_file_is_broken(rows: Rows, browser: FlaskClient):
    rows.configuration()
    for repo_id, name, values in ((601, "o/quiet", {"in_force": "shadow"}), (602, "o/broken", {"error": "`mode`: no"})):
        board_world.install(rows.engine, repo_id, name, repo_id)
        Rows(rows.engine, rows.clock, repo_id, name).configuration(**values)
    shown = text_of(browser.get("/board/settings").text)
    assert "Answering 2 of 3 repositories Quiet 1 1 in shadow, 0 off Files that cannot be used 1 o/broken" in shown
