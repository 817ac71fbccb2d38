"""The report on paper in a real browser, opened from the disk: quiet, accessible; its ticks are kept and handed out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bot.opening import open_for_command
from bot.paper.answer import answer_on_paper
from bot.paper.report import Report, write_report
from bot.triage.snapshot import IssueSnapshot
from tests.bot.test_backfill import FENCED
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page

OPENED = "2026-03-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    knowledge, _ = open_for_command(Path(__file__).parents[2] / "kb", None)
    bodies = {3: FENCED, 2: "Hello", 1: FENCED}
    issues = [
        IssueSnapshot("tracel-ai/burn", 1, n, n, f"Issue {n}", body, "ann", False, OPENED, OPENED)
        for n, body in bodies.items()
    ]
    made = tmp_path_factory.mktemp("report")
    write_report(Report("tracel-ai/burn", [answer_on_paper(issue, knowledge) for issue in issues]), made)
    return made


@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_quiet_alone_accessible_and_fits(tab: Callable[..., Tab], folder: Path, width: int):
    one = tab(width=width, address=folder.as_uri()).open("/report.html")
    expect(one.page.locator("#count")).to_have_text("0 right, 0 wrong, of 2")
    # Before axe, which asks for the style sheet in a way that the page's policy refuses.
    assert (one.complaints, one.strangers(), one.overflow()) == ([], [], 0)
    assert one.violations_in_both_schemes() == {"light": [], "dark": []}


def test_ticks_stay_and_can_be_downloaded(tab: Callable[..., Tab], folder: Path, tmp_path: Path):
    one = tab(address=folder.as_uri()).open("/report.html")
    one.page.get_by_role("group", name="Issue 3 is answered").get_by_label("right").check()
    one.page.get_by_role("group", name="Issue 1 is answered").get_by_label("wrong").check()
    one.page.reload()
    expect(one.page.locator("#count")).to_have_text("1 right, 1 wrong, of 2")
    one.page.get_by_role("group", name="Issue 1 is answered").get_by_label("not looked at").check()
    expect(one.page.locator("#count")).to_have_text("1 right, 0 wrong, of 2")
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name="Download ticks").click()
    waiting.value.save_as(tmp_path / "ticks.json")
    assert waiting.value.suggested_filename == "ticks.json"
    assert json.loads((tmp_path / "ticks.json").read_text()) == {
        "format": "burn-triage ticks 1",
        "repo": "tracel-ai/burn",
        "ticks": {"3": "right"},
    }
    assert one.complaints == []


def test_without_javascript_it_points_to_the_markdown(tab: Callable[..., Tab], folder: Path):
    one = tab(address=folder.as_uri(), java_script_enabled=False).open("/report.html")
    expect(one.page.get_by_text("tick the boxes in report.md instead")).to_be_visible()
    expect(one.page.get_by_role("button", name="Download ticks")).to_be_hidden()
    expect(one.page.locator("#issue-3 .comment")).to_contain_text("HandleContainer")
