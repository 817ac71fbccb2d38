"""What the App needs: metadata read, issues write, contents read, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.errors import PermanentError
from bot.triage.actions import Action, DeleteComment, HideComment, React, SetLabels, ShowComment, UpsertComment
from tests.bot.github.stage import REPO, Stage
from tests.fakes.github.hub import PERMISSIONS

NEEDED = {"metadata": "read", "issues": "write", "contents": "read"}

EVERY_ACTION: list[Any] = [
    UpsertComment("A question"),
    UpsertComment("Its answer", anew=True),
    UpsertComment("Another answer"),
    HideComment(),
    ShowComment(),
    React("eyes"),
    SetLabels(add=("panic",)),
    SetLabels(remove=("panic",)),
    DeleteComment(),
]
WRITES = re.compile(
    rf"POST /repos/{REPO}/issues/1/(?:comments|reactions|labels)"
    rf"|DELETE /repos/{REPO}/issues/1/labels/\w+"
    rf"|(?:PATCH|DELETE) /repos/{REPO}/issues/comments/\d+"
    r"|POST /(?:graphql|app/installations/\d+/access_tokens)"
)
"""Of the requests that change something, those that issues write alone allows, and the two of the App itself."""


def test_the_page_for_operators_names_them_and_the_stand_in_grants_no_more() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs" / "operators.md").read_text(encoding="utf-8").split())
    (sentence,) = re.findall(r"make a GitHub App with (.+?), the events", page)
    assert sentence == "read access to metadata and contents, write access to issues"
    assert PERMISSIONS == NEEDED


def test_every_action_is_a_write_to_the_issues_comments_reactions_or_labels(stage: Stage) -> None:
    """Nothing closes, locks or assigns."""
    issue = stage.repo.issues[1]
    assert {type(action) for action in EVERY_ACTION} == set(Action.__args__)
    for number, action in enumerate(EVERY_ACTION):
        stage.publish(action, intent_id=f"intent-{number}")
    changes = [line for line in stage.requests() if not line.startswith("GET ")]
    assert len(changes) > len(EVERY_ACTION)
    assert [line for line in changes if not WRITES.fullmatch(line)] == []
    assert (issue.state, issue.locked) == ("open", False)


@pytest.mark.parametrize("action", [UpsertComment("Hello"), React("eyes"), SetLabels(add=("panic",))], ids=repr)
def test_without_write_access_it_says_so_and_writes_nothing(stage: Stage, action: Any) -> None:
    stage.installation.permissions["issues"] = "read"
    with pytest.raises(PermanentError) as caught:
        stage.publish(action)
    issue = stage.repo.issues[1]
    assert (caught.value.reason, issue.comments, issue.reactions, issue.labels) == ("forbidden", [], [], [])
