"""What one text makes the analysis ask for is not kept: neither by the pages nor for an assistant."""

from __future__ import annotations

import pytest

from bot.mcp.tools.explain_panic import answer
from bot.settings import read_settings
from bot.triage.knowledge import RecordedSource
from bot.web.shelf import Shelf
from bot.wiring_mcp import make_shelf
from bot.wiring_pages import open_shelf
from tests.bot.mcp.asking import ROOT

CHECKOUT = "/home/ann/.cargo/git/checkouts/burn-1234567890abcdef/{commit}/crates/burn-ir/src/handle.rs"


@pytest.mark.parametrize("of", ["pages", "assistant"])
def test_commits_that_a_text_names_are_forgotten_with_it(of: str):
    settings = read_settings({"BURN_TRIAGE_KB": str(ROOT / "kb")})
    shelf: Shelf = open_shelf(settings, None) if of == "pages" else make_shelf(settings, None, None)
    first = shelf.fresh(shelf.knowledge)
    place = CHECKOUT.format(commit="abcdef0")
    answer(shelf, {"text": f"thread 'main' panicked at {place}:88:32:\nShould have handle for tensor 7\n"})
    kept = shelf.knowledge.source
    assert isinstance(kept, RecordedSource)
    assert (kept.missing, first.source is kept) == (set(), False)
