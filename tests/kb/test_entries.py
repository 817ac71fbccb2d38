"""Every entry's examples through the whole analysis, as the worker runs it: that entry, and no other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.opening import open_knowledge
from bot.triage.analyze import analyze
from bot.triage.model import Outcome, Report
from bot.triage.render import render
from kb.folder import find_kb
from kb.load import load_entries

ROOT = Path(__file__).parents[2]
ENTRIES = load_entries(ROOT / "kb/entries")
EXAMPLES = [(entry, example) for entry in ENTRIES for example in entry.examples]
SEEDS = {"KB-0001": "fd0de0d722285fea", "KB-0002": "460dd0d378116128"}


@pytest.fixture(scope="module")
def knowledge():
    return open_knowledge(find_kb(ROOT / "kb", os.environ, ROOT))


@pytest.mark.parametrize(
    ("entry", "example"), EXAMPLES, ids=[f"{entry.kb_id}-{entry.examples.index(ex)}" for entry, ex in EXAMPLES]
)
def test_an_example_is_answered_with_its_entry(knowledge, entry, example):
    verdict = analyze(Report(id=None, title="", body=f"```\n{example.text}\n```"), knowledge)
    assert verdict.outcome in (Outcome.MATCHED, Outcome.FOREIGN, Outcome.AMBIGUOUS)
    assert verdict.entry == entry.kb_id


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kb_id)
def test_the_comment_is_short_and_holds_the_cause(knowledge, entry):
    report = Report(id=None, title="", body=f"```\n{entry.examples[0].text}\n```")
    comment = render(analyze(report, knowledge), knowledge)
    before_fold = comment.split("<details>")[0]
    assert " ".join(entry.meaning.split()) in comment
    assert before_fold.count("\n") <= 60


@pytest.mark.parametrize(("kb_id", "alias"), SEEDS.items())
def test_ids_of_pages_elsewhere_lead_to_our_own_entry(kb_id, alias):
    assert [entry.kb_id for entry in ENTRIES if alias in entry.ids] == [kb_id]


def test_our_own_entries_do_not_repeat_the_false_claims():
    by_id = {entry.kb_id: entry for entry in ENTRIES}
    assert "q_from_data" not in str(by_id["KB-0001"])
    assert "server" not in str(by_id["KB-0002"]).replace("observer", "")


def test_there_are_at_least_twenty_five_entries_with_proof():
    assert len([entry for entry in ENTRIES if entry.live and entry.proof]) >= 25
