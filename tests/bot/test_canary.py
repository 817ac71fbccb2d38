"""The canary sings when the pipeline recognises what it must, and only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.canary import canary, sing
from bot.errors import PermanentError
from bot.opening import open_for_command
from bot.triage.knowledge import Knowledge

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(ROOT / "kb", None)[0]


def test_the_packaged_knowledge_base_lets_it_sing(knowledge: Knowledge):
    assert sing(knowledge) == "KB-0001"
    assert canary(lambda _: knowledge)(None) == 0


def test_it_falls_silent_without_entries(knowledge: Knowledge):
    with pytest.raises(PermanentError, match="no published entry"):
        sing(replace(knowledge, entries={}))


def test_it_falls_silent_when_the_answer_is_another(knowledge: Knowledge):
    (_, first), (_, second) = sorted(knowledge.entries.items())[:2]
    swapped = replace(first, examples=second.examples)
    with pytest.raises(PermanentError) as caught:
        sing(replace(knowledge, entries={**knowledge.entries, first.kb_id: swapped}))
    assert caught.value.reason == "canary_silent"
