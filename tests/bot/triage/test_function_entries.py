"""An entry about a panic that Rust raises by itself is given for its function, class and releases, and for no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report
from kb.entry import EntrySite, Match, Stand, Status
from kb.load import load_file
from kb.model import FunctionSpan, SiteKind
from kb.std_panics import StdPanic
from tests.bot.triage.memory_index import REPO, MemoryIndex, facts, site

TEMPLATE = load_file(Path(__file__).parents[3] / "kb/entries/burn-cubecl/KB-0024.yaml")
DATES = {"v0.1.0": "2026-01-01T00:00:00Z", "v0.2.0": "2026-02-01T00:00:00Z", "main": "2026-04-01T00:00:00Z"}
PATH = "crates/burn-x/src/run.rs"
TREE = {PATH: facts(site("Queue::take", "The queue is empty now", 20), spans=[FunctionSpan("Queue::take", 10, 30)])}
INDEX = "index out of bounds: the len is 1 but the index is 1"


def entry(prints=StdPanic.INDEX_OUT_OF_BOUNDS, *, value="", last="main", **more):
    stands = (Stand("v0.1.0", last),)
    own = EntrySite(REPO, "burn-x", "Queue::take", SiteKind.FUNCTION, stands, prints=prints)
    match = Match(value) if value else None
    return replace(TEMPLATE.entry, sites=(replace(own, **more),), match=match, status=Status.PUBLISHED, kb_id="KB-9000")


def given(entry, message=INDEX, place="15:9", version="0.1.0"):
    knowledge = Knowledge.of(MemoryIndex(dict.fromkeys(DATES, TREE), DATES), [entry], "test")
    where = f"/r/.cargo/registry/src/index-1/burn-x-{version}/src/run.rs:{place}"
    return analyze(Report("1", "", f"```\nthread 'main' panicked at {where}:\n{message}\n```"), knowledge).entry


def test_function_class_and_release_give_the_entry():
    assert given(entry()) == "KB-9000"


@pytest.mark.parametrize(
    "message", ["attempt to subtract with overflow", "range end index 2 out of range for slice of length 1"]
)
def test_another_class_in_the_same_function_does_not(message):
    assert given(entry(), message) is None
    assert given(entry(StdPanic.ANY), message) == "KB-9000"


def test_a_panic_with_words_in_the_same_function_is_not_the_function():
    assert given(entry(StdPanic.ANY), "The queue is empty now", "20:9") is None
    both = entry(StdPanic.ANY)
    worded = EntrySite(REPO, "burn-x", "Queue::take", SiteKind.PANIC, (), "The queue is empty now")
    assert given(replace(both, sites=(*both.sites, worded)), "The queue is empty now", "20:9") == "KB-9000"


def test_a_release_that_the_entry_does_not_claim_gives_nothing():
    assert given(entry(last="v0.1.0"), version="0.1.0") == "KB-9000"
    assert given(entry(last="v0.1.0"), version="0.2.0") is None


@pytest.mark.parametrize("more", [{"crate": "burn-y"}, {"function": "Queue::put"}, {"path": "src/walk.rs"}])
def test_another_crate_function_or_file_gives_nothing(more):
    assert given(entry(**more)) is None
    assert given(entry(path="src/run.rs")) == "KB-9000"


def test_the_value_decides_between_stories_of_one_function():
    assert given(entry(value="the len is 1")) == "KB-9000"
    assert given(entry(value="the len is 7")) is None
