"""A value that an unwrap printed: what it tells of the place where it is an error's text of ours, and where not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Report
from kb.entry import EntrySite, Match, Stand, Status
from kb.load import load_file
from kb.model import FunctionSpan, SiteKind
from tests.bot.triage.memory_index import REPO, MemoryIndex, facts, site

TEMPLATE = load_file(Path(__file__).parents[3] / "kb/entries/burn-cubecl/KB-0024.yaml")
DATES = {"v0.1.0": "2026-01-01T00:00:00Z", "main": "2026-04-01T00:00:00Z"}
ERROR = "Unable to start the pump because the valve is shut"
SPANS = [FunctionSpan("start", 10, 30)]
WORDED = site("<PumpError as Debug>::fmt", "Unable to start the pump because the valve is shut: {err:?}", 70)
WORDED = replace(WORDED, kind=SiteKind.DEBUG_IMPL)
RUN = site("start", "", 20, 15, SiteKind.UNWRAP)
TREE = {"crates/burn-x/src/run.rs": facts(RUN, WORDED, spans=SPANS)}
UNWRAPPED = f'called `Result::unwrap()` on an `Err` value: {ERROR}: "at 4 bar"'


def entry(value=ERROR):
    own = EntrySite(REPO, "burn-x", "start", SiteKind.UNWRAP, (Stand("v0.1.0", "main"),))
    return replace(TEMPLATE.entry, sites=(own,), match=Match(value), status=Status.PUBLISHED, kb_id="KB-9000")


def found(message, *entries, tree=TREE):
    knowledge = Knowledge.of(MemoryIndex(dict.fromkeys(DATES, tree), DATES), entries, "test")
    verdict = analyze(Report("1", "burn 0.1.0 panics", f"It panics with\n```\n{message}\n```"), knowledge)
    return verdict.outcome, verdict.place.function if verdict.place else None, verdict.entry


@pytest.mark.parametrize("message", [UNWRAPPED, UNWRAPPED.replace("`", "")])
def test_the_value_leads_to_the_place_that_is_known_to_print_it(message):
    assert found(message, entry()) == (Outcome.MATCHED, "start", "KB-9000")


def test_a_value_that_no_entry_asks_for_says_nothing_of_the_place():
    assert found(UNWRAPPED) == (Outcome.UNKNOWN, None, None)


def test_a_value_that_other_software_may_print_says_nothing_of_the_place():
    bare = {"crates/burn-x/src/run.rs": facts(RUN, spans=SPANS)}
    assert found(UNWRAPPED, entry(), tree=bare) == (Outcome.UNKNOWN, None, None)


def test_a_short_value_says_nothing_of_the_place():
    assert found(UNWRAPPED, entry("the valve is shut")) == (Outcome.UNKNOWN, None, None)


FOREIGN = replace(TEMPLATE.entry, sites=(), match=Match("The driver has no such card", "tch"), kb_id="KB-9001")
FOREIGN = replace(FOREIGN, status=Status.PUBLISHED, foreign=True)
TITLES = {
    'called `Result::unwrap()` on an `Err` value: Torch("The driver has no such card")': Outcome.FOREIGN,
    "It says `The driver has no such card` before it stops": Outcome.UNKNOWN,
}


@pytest.mark.parametrize("title", TITLES)
def test_what_an_unwrap_printed_is_no_talk_about_other_software(title):
    knowledge = Knowledge.of(MemoryIndex(dict.fromkeys(DATES, TREE), DATES), [FOREIGN], "test")
    assert analyze(Report("1", title, "On two machines."), knowledge).outcome is TITLES[title]
