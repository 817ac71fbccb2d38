"""At a commit between two releases an entry is given for a wording that no release has, if it is the same sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.triage.analyze import analyze
from bot.triage.knowledge import BlobRef, Knowledge, RecordedSource
from bot.triage.model import Report
from kb.entry import EntrySite, Stand, Status
from kb.load import load_file
from kb.model import Commit, FunctionSpan, SiteKind
from tests.bot.triage.memory_index import REPO, MemoryIndex, facts, site

TEMPLATE = load_file(Path(__file__).parents[3] / "kb/entries/burn-cubecl/KB-0024.yaml")
DATES = {"v0.1.0": "2026-01-01T00:00:00Z", "v0.2.0": "2026-03-01T00:00:00Z", "main": "2026-04-01T00:00:00Z"}
PATH = "crates/burn-x/src/run.rs"
SHA = "ab" * 20
INDEX = MemoryIndex({name: {} for name in DATES}, DATES, (Commit(REPO, SHA, "2026-02-01T00:00:00Z", "v0.2.0"),))
RELEASED = "The pump needs at least {MINIMUM} litres of oil, or a dry seal"


def given(template, message, *, function="start", kind=SiteKind.PANIC):
    own = EntrySite(REPO, "burn-x", "start", SiteKind.PANIC, (Stand("v0.2.0", "main"),), template=RELEASED)
    entry = replace(TEMPLATE.entry, sites=(own,), match=None, status=Status.PUBLISHED, kb_id="KB-9000")
    there = facts(site(function, template, 20, 9, kind), spans=[FunctionSpan(function, 10, 30)])
    source = RecordedSource(blobs={BlobRef(REPO, SHA, PATH): there})
    where = f"/r/.cargo/git/checkouts/burn-0123456789abcdef/{SHA[:7]}/crates/burn-x/src/run.rs:20:9"
    report = Report("1", "", f"```\nthread 'main' panicked at {where}:\n{message}\n```")
    released = facts(site("start", RELEASED, 25), spans=[FunctionSpan("start", 10, 30)])
    tree = {name: {PATH: released} for name in DATES}
    found = analyze(report, Knowledge.of(replace(INDEX, trees=tree), [entry], "test", source))
    assert found.place is not None
    return found.entry


SAME = {
    "The pump needs at least 4 litres of oil, or a dry seal": "The pump needs at least 4 litres of oil, or a dry seal",
    "The pump needs at least {} litres of oil or dry seals": "The pump needs at least 4 litres of oil or dry seals",
}


@pytest.mark.parametrize("template", SAME)
def test_the_same_sentence_in_the_same_function_gets_the_entry(template):
    assert given(template, SAME[template]) == "KB-9000"


@pytest.mark.parametrize(
    "other",
    [
        {"template": "The pump is shut", "message": "The pump is shut"},
        {"template": RELEASED, "message": "The pump needs at least 4 litres of oil, or a dry seal", "function": "stop"},
    ],
)
def test_another_sentence_or_function_does_not(other):
    assert given(**other) is None
