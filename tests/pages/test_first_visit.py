"""A first-time visitor with a panic of a real report finds its answer within two steps from the first page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import expect

from tests.bot.web import world
from tests.pages.conftest import Tab

pytestmark = pytest.mark.page

REPORTS = Path(__file__).parents[1] / "corpus" / "reports"


def reports() -> list[dict[str, Any]]:
    """Reports that print the version beside the place and are answered right, every second one."""
    right = {
        name for name, outcome in json.loads((REPORTS / "outcomes.json").read_text()).items() if outcome == "right"
    }
    found = [{"id": path.stem, **yaml.safe_load(path.read_text())} for path in sorted(REPORTS.glob("*.yaml"))]
    known = [one for one in found if one["id"] in right and one["expect"]["answer"] == "site"]
    versioned = [one for one in known if one["expect"]["panic"]["version"]]
    return versioned[::2][:8]


CASES = reports()


def test_there_are_some():
    assert len(CASES) >= 6


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_paste_the_report_and_read_where_and_why(tab: Callable[..., Tab], case: dict[str, Any], script: bool):
    """One step: paste. The place at the reporter's version is seen without scrolling, and what to do beside it."""
    one = tab(width=390, java_script_enabled=script).open("/")
    one.page.get_by_label("Paste the panic").fill("\n\n".join([case["body"], *case["comments"]]))
    one.page.get_by_role("button", name="Explain it").click()
    site = case["expect"]["site"]
    facts = one.page.locator(".facts")
    expect(facts).to_contain_text(f"{site['path']}:{site['line']}")
    expect(facts).to_contain_text("First thing to try")
    assert (one.complaints, one.strangers()) == ([], [])


@pytest.mark.parametrize("kb_id", ["KB-0001", "KB-0003", "KB-0004", "KB-0007", "KB-0019"])
def test_search_the_words_and_open_the_first_result(tab: Callable[..., Tab], kb_id: str):
    """Two steps: search for the message, open what is found first."""
    message = world.shelf().entries[kb_id].message.split("\n")[0]
    one = tab().open("/")
    one.page.get_by_role("searchbox").fill(message[:200])
    one.page.get_by_role("searchbox").press("Enter")
    one.page.locator("#results article").filter(has_text=kb_id).first.get_by_role("link").click()
    expect(one.page).to_have_url(f"{one.site}/errors/{kb_id}")
    expect(one.page.locator("main")).to_contain_text("What it means")
    assert (one.complaints, one.strangers()) == ([], [])
