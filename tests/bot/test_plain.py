"""Actions and memories as plain JSON: what a job stores of them, and reads again in another version."""

from __future__ import annotations

from typing import Any

import pytest

from bot.plain import action_from_json, action_to_json, memory_from_json, memory_to_json
from bot.triage.actions import DeleteComment, HideComment, React, SetLabels, ShowComment, UpsertComment
from bot.triage.snapshot import IssueMemory


@pytest.mark.parametrize(
    "action",
    [
        UpsertComment("b", anew=True),
        HideComment(),
        ShowComment(),
        DeleteComment(),
        React("eyes", 5),
        React("+1"),
        SetLabels(("a",), ("b", "c")),
    ],
)
def test_actions_survive_json(action: Any):
    assert action_from_json(action_to_json(action)) == action


def test_memories_survive_json_and_unknown_fields_are_passed_over():
    memory = IssueMemory(
        5, "h", "answer", True, asked=("a", "b"), commands_run=frozenset({"1:x#1"}), installed_at="now"
    )
    assert memory_from_json(memory_to_json(memory) | {"from_the_future": 1}) == memory
