"""Verdicts, entries and inbox in a real browser: quiet, accessible, whole on a phone; and what maintainers do there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect
from sqlalchemy import Engine, select

from bot.jobs import JobQueue, job_id
from bot.store import chores, deliveries, issues
from bot.store.engine import open_engine
from bot.store.schema import deliveries as delivery_table
from bot.store.schema import intents as intent_table
from bot.store.schema import verdicts as verdict_table
from bot.triage.snapshot import IssueMemory
from bot.web.local import LocalDoor
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import Rows, unknown_panic
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.pages.board_site import site
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page

BODY = """\
### Why does `embedding` panic?

**Cause.** It is not there.

<details><summary>More</summary>

Yes.

</details>"""


@dataclass
class Desk:
    """A dashboard with something on each of its lists."""

    address: str
    engine: Engine
    verdict: int
    bare: int
    parked: int


def fill(engine: Engine, clock: FakeClock) -> tuple[int, int, int]:
    """The numbers of a verdict with everything, of one without a panic, and the row of a job that was given up."""
    board_world.install(engine)
    board_world.install(engine, 777, "tracel-ai/cubecl", 72)
    rows = Rows(engine, clock)
    rows.season()
    first = rows.issue("It crashes", days=0.3)
    target = rows.issue(world.EMBEDDING, days=0.2, answered=True)
    rows.issue(unknown_panic(), days=0.1)
    rows.dispute(rows.issue(world.EMBEDDING, days=0.15, answered=True))
    raw = {"issue": {"title": "It panics", "body": f"```\n{world.EMBEDDING}```\nann@mail.de", "user": {"login": "ann"}}}
    with engine.begin() as conn:
        mine = delivery_table.c.issue_id == target.issue_id
        conn.execute(delivery_table.update().where(mine).values(payload=json.dumps(raw).encode()))
        row = conn.execute(select(delivery_table.c.id).where(mine)).scalar_one()
        conn.execute(intent_table.update().where(intent_table.c.delivery_id == row).values(body=BODY))
        earlier = verdict_table.update().where(verdict_table.c.issue_id == first.issue_id)
        conn.execute(earlier.values(issue_id=target.issue_id, number=target.number))
        issues.write(conn, target, IssueMemory(state="answer", comment_id=900), clock.now())
        number = conn.execute(select(verdict_table.c.id).where(verdict_table.c.delivery_id == row)).scalar_one()
        lost = conn.execute(select(delivery_table.c.id, delivery_table.c.guid).order_by(delivery_table.c.id)).first()
        assert lost is not None
        JobQueue(engine).add(conn, row_id=lost.id, guid=lost.guid, partition="tracel-ai/burn#1")
        chores.claim(conn, "sweep", now=clock.now() - 60, every=1)
        chores.succeed(conn, "sweep", now=clock.now(), covered_until=1.0, found=0)
    JobQueue(engine)._client.cancel_workflow(job_id(lost.id, lost.guid))
    with engine.begin() as conn:
        deliveries.settle(conn, lost.id, state="parked", reason="forbidden", now=clock.now())
    return int(number), int(number) - 1, int(lost.id)


@pytest.fixture
def desk(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Desk]:
    engine, clock = open_engine(sqlite_files.make(tmp_path)), FakeClock()
    numbers = fill(engine, clock)
    with site(engine, clock, LocalDoor(engine)) as address:
        yield Desk(address, engine, *numbers)
    engine.dispose()


def is_fine(page: Tab, whole: bool = True) -> None:
    if whole:
        assert page.violations_in_both_schemes() == {"light": [], "dark": []}
    assert page.complaints == []
    assert page.strangers() == []
    assert page.overflow() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_are_quiet_alone_accessible_and_fit(tab: Callable[..., Tab], desk: Desk, width: int):
    one = tab(width=width, address=desk.address)
    for address in (
        "/board/verdicts", "/board/verdicts?outcome=foreign", "/board/verdicts?week=x", "/board/entries",
        "/board/inbox", "/board/inbox?state=parked", f"/board/verdicts/{desk.verdict}", f"/board/verdicts/{desk.bare}",
    ):  # fmt: skip
        one.open(address)
        one.page.evaluate("document.querySelectorAll('main details').forEach(fold => { fold.open = true })")
        is_fine(one)


def test_open_a_verdict_hide_mark_wrong_and_set_the_entry(tab: Callable[..., Tab], desk: Desk):
    one = tab(address=desk.address).open("/board")
    one.page.get_by_role("link", name="Verdicts").click()
    one.page.get_by_label("Entry").fill("KB-0001")
    one.page.get_by_role("button", name="Show").click()
    one.page.goto(f"{desk.address}/board/verdicts/{desk.verdict}")
    expect(one.page.locator(".facts")).to_contain_text("crates/burn-autodiff/src/ops/module.rs:56")
    expect(one.page.locator("main")).to_contain_text("[email]")
    expect(one.page.locator(".comment strong")).to_have_text("Cause.")
    one.page.get_by_role("button", name="Hide").click()
    one.page.get_by_label("Why it is wrong").fill("another function")
    one.page.get_by_role("button", name="Mark wrong").click()
    one.page.get_by_label("The right entry").fill("KB-0002")
    one.page.get_by_role("button", name="Set entry").click()
    asked = one.page.locator("#asked tbody th")
    assert asked.all_text_contents() == ["entry", "wrong", "hide"]
    expect(one.page.locator("#asked")).to_contain_text("waits for a worker")
    one.page.get_by_label("The right entry").fill("KB-9999")
    one.page.get_by_role("button", name="Set entry").click()
    expect(one.page.get_by_role("alert")).to_contain_text("There is no entry “KB-9999”.")
    is_fine(Tab(one.page, one.site, [said for said in one.complaints if "422" not in said], one.requests))


def test_retry_a_job_that_was_given_up(tab: Callable[..., Tab], desk: Desk):
    one = tab(width=390, address=desk.address).open("/board/inbox")
    expect(one.page.locator(".facts")).to_contain_text("1 job waiting for a person")
    one.page.get_by_role("link", name="which").click()
    one.page.get_by_role("button", name="issues.opened of tracel-ai/burn").click()
    expect(one.page.get_by_role("status")).to_have_text("1 job is queued again.")
    expect(one.page.locator(".facts")).to_contain_text("no job waits for a person")
    is_fine(one)


def test_all_of_it_works_without_javascript(tab: Callable[..., Tab], desk: Desk):
    one = tab(address=desk.address, java_script_enabled=False).open(f"/board/verdicts/{desk.verdict}")
    one.page.get_by_role("button", name="Run again").click()
    expect(one.page.locator("#asked tbody th")).to_have_text("run again")
    one.open("/board/inbox")
    one.page.get_by_role("button", name="Run all again").click()
    expect(one.page.get_by_role("status")).to_contain_text("queued again")
    assert (one.complaints, one.strangers()) == ([], [])
