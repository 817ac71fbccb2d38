"""Verdicts, entries and inbox of the dashboard over rows: what they show, what can be done, whose it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError

from bot.jobs import PARKED, JobQueue, job_id
from bot.ports import Target
from bot.store import audit, chores, deliveries, intents, issues
from bot.store.engine import open_engine
from bot.store.schema import deliveries as delivery_table
from bot.store.schema import verdicts as verdict_table
from bot.triage.snapshot import IssueMemory
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import Rows, unknown_panic
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles

OTHER = 909
FORM = {"token": "a form", "argument": ""}


@pytest.fixture
def rows(sqlite_files: SqliteFiles, tmp_path: Path, clock: FakeClock) -> Iterator[Rows]:
    engine = open_engine(sqlite_files.make(tmp_path))
    board_world.install(engine)
    yield Rows(engine, clock)
    engine.dispose()


@pytest.fixture
def browser(rows: Rows) -> FlaskClient:
    return board_world.client(rows.engine, rows.clock)


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))).split())


def number_of(engine: Engine, target: Target) -> int:
    """The newest verdict of an issue."""
    query = select(verdict_table.c.id).where(verdict_table.c.issue_id == target.issue_id)
    with engine.connect() as conn:
        return int(conn.execute(query.order_by(verdict_table.c.id.desc())).scalars().first() or 0)


def came(engine: Engine, via: str = "board") -> list[tuple[str, str, str, str]]:
    table = delivery_table.c
    query = select(table.event, table.action, table.sender, table.state).where(table.via == via).order_by(table.id)
    with engine.connect() as conn:
        return [tuple(row) for row in conn.execute(query)]  # type: ignore[misc]


def changes(engine: Engine) -> list[tuple[str, str, str]]:
    with engine.connect() as conn:
        return [(one.action, one.subject, one.detail) for one in audit.newest(conn, (board_world.REPO_ID,))]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/board/verdicts", "Nothing was decided yet."),
        ("/board/verdicts?outcome=matched", "Nothing fits."),
        ("/board/verdicts?outcome=odd", "“odd” is no outcome of a verdict."),
        ("/board/verdicts?entry=x", "“X” is no entry."),
        ("/board/verdicts?week=2026-13-01", "“2026-13-01” is no day."),
        ("/board/inbox", "Nothing came in yet."),
        ("/board/inbox?state=parked", "No job was given up."),
        ("/board/inbox?state=queued", "Nothing waits"),
        ("/board/entries", "no answer yet"),
    ],
)
def test_an_empty_page_explains_itself(browser: FlaskClient, address: str, told: str):
    answer = browser.get(address)
    assert (answer.status_code, told in text_of(answer.text)) == (200, True)


def test_the_list_is_narrowed_and_paged_by_key(rows: Rows, browser: FlaskClient):
    for day in range(45):
        rows.issue(world.EMBEDDING if day % 9 else unknown_panic(), days=50 - day)
    first = browser.get("/board/verdicts").text
    older = unescape(re.search(r'href="([^"]*before=[^"]*)" rel="next"', first)[1])  # type: ignore[index]
    rows.issue(world.EMBEDDING, days=0)
    second = browser.get(older).text
    shown = [re.findall(r"/issues/(\d+)", page) for page in (first, second)]
    assert [len(one) for one in shown] == [40, 5]
    assert [int(n) for one in shown for n in one] == list(range(45, 0, -1))
    narrowed = browser.get("/board/verdicts?entry=kb-0001&outcome=matched").text
    assert len(re.findall(r"/issues/\d+", narrowed)) == 40
    week = browser.get("/board/verdicts?week=2026-11-01").text
    assert {int(n) for n in re.findall(r"/issues/(\d+)", week)} == set(range(22, 29))


def test_a_verdict_tells_why_what_was_said_and_what_was_posted(rows: Rows, browser: FlaskClient):
    target = rows.issue(world.EMBEDDING, days=1, answered=True)
    raw = {
        "issue": {
            "title": "It panics",
            "body": f"```\n{world.EMBEDDING}```\nwrite ann@mail.de",
            "user": {"login": "ann"},
        }
    }
    with rows.engine.begin() as conn:
        conn.execute(delivery_table.update().values(payload=json.dumps(raw).encode()))
        conn.execute(intents.intents.update().values(body="### The title\n\nOur **words**"))
        issues.write(conn, target, IssueMemory(state="answer", comment_id=900), rows.clock.now())
    page = browser.get(f"/board/verdicts/{number_of(rows.engine, target)}").text
    shown = text_of(page)
    assert "matched answered" in shown
    assert "crates/burn-autodiff/src/ops/module.rs:56" in shown
    assert "Our answer stands on the issue." in shown
    assert ("It panics" in shown, "ann@mail.de" in page, "[email]" in page, "/home/ann" in page) == (
        True, False, True, False,
    )  # fmt: skip
    assert "<strong>words</strong>" in page
    assert "#issuecomment-900" in page


def test_a_text_whose_time_is_over_is_said_to_be(rows: Rows, browser: FlaskClient):
    target = rows.issue(world.EMBEDDING, days=9)
    with rows.engine.begin() as conn:
        deliveries.drop_payloads(conn, before=rows.clock.now())
    shown = text_of(browser.get(f"/board/verdicts/{number_of(rows.engine, target)}").text)
    assert "Its raw text is kept for 72 hours at most and is gone" in shown


def test_revisions_show_what_changed(rows: Rows, browser: FlaskClient):
    target = rows.issue("How do I save?", days=2)
    second = rows.issue(world.EMBEDDING, days=1)
    with rows.engine.begin() as conn:
        moved = verdict_table.update().where(verdict_table.c.issue_id == second.issue_id)
        conn.execute(moved.values(issue_id=target.issue_id, number=target.number))
    number = number_of(rows.engine, target)
    page = browser.get(f"/board/verdicts/{number}").text
    assert "taken out: </span>Outcome: none</del>" in page
    assert "put in: </span>Outcome: matched</ins>" in page
    old = text_of(browser.get(f"/board/verdicts/{number - 1}").text)
    assert "This is an earlier revision." in old


@pytest.mark.parametrize(
    ("name", "argument", "told"),
    [
        ("hide", "", ("hid the answer", "")),
        ("again", "", ("asked to run again", "")),
        ("wrong", "another function", ("marked wrong", "another function")),
        ("entry", "kb-0001", ("set the entry", "kb-0001")),
        ("entry", "none", ("set the entry", "none")),
    ],
)
def test_an_order_is_a_job_once_and_stands_in_the_audit_log(
    rows: Rows, browser: FlaskClient, name: str, argument: str, told: tuple[str, str]
):
    target = rows.issue(world.EMBEDDING, days=1, answered=True)
    number = number_of(rows.engine, target)
    address = f"/board/verdicts/{number}/order"
    for _ in range(2):
        answer = board_world.post(browser, address, name=name, argument=argument, token="a form")
        assert (answer.status_code, answer.location) == (303, f"/board/verdicts/{number}#asked")
    waiting = JobQueue(rows.engine).find()
    assert came(rows.engine) == [("dashboard", name, "local", "queued")]
    assert [status.queue_partition_key for status in waiting] == [f"{board_world.REPO}#{target.number}"]
    assert changes(rows.engine) == [(told[0], f"{board_world.REPO}#{target.number}", told[1])]
    assert "waits for a worker" in text_of(browser.get(f"/board/verdicts/{number}").text)


@pytest.mark.parametrize("later", ["another reason", "the place is wrong"])
def test_a_second_order_from_a_page_that_is_old_is_refused_in_words(rows: Rows, browser: FlaskClient, later: str):
    """It would be the first one's delivery. A double click is one wish; after the job ended it is another one."""
    number = number_of(rows.engine, rows.issue(world.EMBEDDING, days=1, answered=True))
    address, said = f"/board/verdicts/{number}/order", {"name": "wrong", "token": "a form"}
    assert board_world.post(browser, address, argument="the place is wrong", **said).status_code == 303
    if later == "the place is wrong":
        with rows.engine.begin() as conn:
            conn.execute(update(delivery_table).where(delivery_table.c.event == "dashboard").values(state="done"))
    answer = board_world.post(browser, address, argument=later, **said)
    text = text_of(answer.text)
    assert (answer.status_code, "“mark wrong” was asked for already" in text) == (409, True)
    assert [detail for *_, detail in changes(rows.engine)] == ["the place is wrong"]
    assert board_world.post(browser, address, argument=later, name="wrong", token="a new form").status_code == 303


@pytest.mark.parametrize(
    ("name", "argument", "told"),
    [
        ("entry", "KB-9999", "There is no entry “KB-9999”."),
        ("entry", "", "There is no entry “”."),
        ("delete", "", "“delete” is nothing that can be asked for here."),
    ],
)
def test_what_cannot_be_asked_for_changes_nothing(
    rows: Rows, browser: FlaskClient, name: str, argument: str, told: str
):
    number = number_of(rows.engine, rows.issue(world.EMBEDDING, days=1, answered=True))
    answer = board_world.post(browser, f"/board/verdicts/{number}/order", name=name, argument=argument, token="t")
    assert (answer.status_code, told in text_of(answer.text)) == (422, True)
    assert (came(rows.engine), changes(rows.engine)) == ([], [])


def test_a_reason_is_kept_as_what_of_it_prints(rows: Rows, browser: FlaskClient):
    number = number_of(rows.engine, rows.issue(world.EMBEDDING, days=1, answered=True))
    said = {"name": "wrong", "argument": "an\0other \u202efunction\x1b[2J\r\nX-Header: x", "token": "t"}
    assert board_world.post(browser, f"/board/verdicts/{number}/order", **said).status_code == 303
    assert [detail for *_, detail in changes(rows.engine)] == ["another function[2J X-Header: x"]


def parked(rows: Rows, name: str = "forbidden") -> int:
    """A job that was given up; the row of its delivery."""
    target = rows.issue(world.EMBEDDING, days=0.1)
    queue = JobQueue(rows.engine)
    with rows.engine.begin() as conn:
        found = conn.execute(
            select(delivery_table.c.id, delivery_table.c.guid).where(delivery_table.c.issue_id == target.issue_id)
        ).one()
        queue.add(conn, row_id=found.id, guid=found.guid, partition=f"{target.repo}#{target.number}")
    queue._client.cancel_workflow(job_id(found.id, found.guid))
    with rows.engine.begin() as conn:
        deliveries.settle(conn, found.id, state="parked", reason=name, now=rows.clock.now())
    return int(found.id)


def test_a_parked_job_is_shown_with_its_reason_and_runs_again(rows: Rows, browser: FlaskClient):
    row = parked(rows)
    shown = text_of(browser.get("/board/inbox?state=parked").text)
    assert "GitHub forbids it" in shown
    answer = board_world.post(browser, f"/board/inbox/{row}/retry")
    again = board_world.post(browser, f"/board/inbox/{row}/retry")
    assert (answer.status_code, answer.location, again.status_code) == (303, "/board/inbox?retried=1", 409)
    assert "only parked jobs run again" in text_of(again.text)
    assert "1 job is queued again." in text_of(browser.get("/board/inbox?retried=1").text)
    assert JobQueue(rows.engine).find(PARKED) == []
    assert changes(rows.engine) == [("retried", f"{board_world.REPO}#1", "forbidden")]


def test_a_retry_that_cannot_be_written_down_is_not_made(
    rows: Rows, browser: FlaskClient, monkeypatch: pytest.MonkeyPatch
):
    row = parked(rows)

    def away(*_args: object, **_more: object) -> None:
        raise OperationalError("INSERT", {}, OSError("disk full"))

    monkeypatch.setattr("bot.store.audit.write", away)
    assert board_world.post(browser, f"/board/inbox/{row}/retry").status_code == 503
    with rows.engine.connect() as conn:
        assert conn.execute(select(delivery_table.c.state).where(delivery_table.c.id == row)).scalar() == "parked"
    assert len(JobQueue(rows.engine).find(PARKED)) == 1


def test_all_parked_jobs_run_again(rows: Rows, browser: FlaskClient):
    for _ in range(3):
        parked(rows)
    answer = board_world.post(browser, "/board/inbox/retry")
    assert answer.location == "/board/inbox?retried=3"
    assert (len(changes(rows.engine)), JobQueue(rows.engine).find(PARKED)) == (3, [])


def test_gaps_and_regular_work_are_told(rows: Rows, browser: FlaskClient):
    rows.issue(world.EMBEDDING, days=1)
    with rows.engine.begin() as conn:
        conn.execute(delivery_table.update().values(via="swept", state="done", settled_at=2.0))
        for name in ("sweep", "canary"):
            chores.claim(conn, name, now=rows.clock.now() - 60, every=1)
        chores.succeed(conn, "sweep", now=rows.clock.now(), covered_until=1.0, found=1)
        chores.fail(conn, "canary", now=rows.clock.now(), reason="canary_silent")
    shown = text_of(browser.get("/board/inbox").text)
    assert "1 delivery that never arrived was found in GitHub's delivery log; 1 of them dealt with" in shown
    assert "Canary: a report whose answer is known" in shown
    assert "failed its own example was not answered as it should be" in shown
    assert "never GitHub has sent nothing about these repositories yet" in shown


def test_entries_are_counted_in_the_visitors_repositories(rows: Rows, browser: FlaskClient):
    for n in range(3):
        target = rows.issue(world.EMBEDDING, days=n, answered=True)
    rows.dispute(target)
    board_world.install(rows.engine, OTHER, "tracel-ai/cubecl", 72)
    Rows(rows.engine, rows.clock, OTHER, "tracel-ai/cubecl").issue(world.EMBEDDING, days=1, answered=True)
    one = browser.get(f"/board/entries?repo={board_world.REPO_ID}").text
    assert f'<a href="/board/verdicts?entry=KB-0001&repo={board_world.REPO_ID}">3</a>' in unescape(one)
    assert "66.7 to 100.0 % n = 3" in text_of(one)
    assert "Places explained, of all, by crate of tracel-ai/burn" in text_of(one)


@pytest.mark.parametrize("sort", ["hits", "disputed", "drift", "id", "odd"])
def test_entries_in_every_order_on_every_page(browser: FlaskClient, sort: str):
    found: list[str] = []
    page = 1
    while True:
        html = browser.get(f"/board/entries?sort={sort}&page={page}").text
        found += re.findall(r'<th scope="row"><a href="/errors/(KB-\d+)"', html)
        if 'rel="next"' not in html:
            break
        page += 1
    assert sorted(found) == [entry.kb_id for entry in world.shelf().published]
