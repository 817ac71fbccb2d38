"""Long runs on a GitHub that keeps failing: in the end everything stands as on one that never does."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.errors import TransientError
from bot.github.marker import strip
from bot.triage.actions import Action, DeleteComment, HideComment, React, ShowComment, UpsertComment
from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock

FAULTS = ("502_before", "502_after", "503_before", "drop_before", "drop_after", "garbage_after", "truncated_after",
          "secondary", "429", "primary")  # fmt: skip


def story(seed: int) -> list[Action]:
    """What a busy issue sees: the question is replaced at most once."""
    dice = random.Random(seed)
    told: list[Action] = [UpsertComment("A question?"), UpsertComment("The answer.", anew=True)]
    ways: list[Any] = [
        lambda n: UpsertComment(f"Answer {n}"),
        lambda n: HideComment(),
        lambda n: ShowComment(),
        lambda n: React(dice.choice(["eyes", "+1", "confused"])),
        lambda n: DeleteComment() if dice.random() < 0.2 else UpsertComment(f"Answer {n}"),
    ]
    return told + [dice.choice(ways)(number) for number in range(10)]


def play(stage: Stage, actions: list[Action]) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Publish each until it succeeds, waiting as long as asked; the final state."""
    comment_id = None
    for position, action in enumerate(actions):
        for _ in range(40):
            try:
                done = stage.publish(action, intent_id=f"i-{position}", comment_id=comment_id)
            except TransientError as error:
                stage.clock.moment += error.retry_after or 1.0
            else:
                comment_id = done["comment_id"] if isinstance(action, UpsertComment) else comment_id
                break
        else:
            pytest.fail(f"{action} never succeeded")
    comments = [(strip(c.body), c.minimized) for c in stage.comments()]
    return comments, sorted(r.content for r in stage.repo.issues[1].reactions)


@pytest.mark.parametrize("seed", range(4))
def test_faults_change_nothing_but_the_time_it_takes(clock: FakeClock, seed: int) -> None:
    with staged(FakeClock()) as calm:
        wanted = play(calm, story(seed))
    with staged(clock) as stage:
        rough = [stage.github.fault(kind, times=-1, chance=0.03, path="^/(repos|graphql)") for kind in FAULTS]
        got = play(stage, story(seed))
        struck = sum(fault.hits for fault in rough)
    assert got == wanted
    assert struck > 5


def test_readers_and_writers_of_one_issue_never_make_two_comments(stage: Stage) -> None:
    """The look right before the POST is all that stands between two workers that share an intent by mistake."""
    stage.publish(UpsertComment("Hello"), intent_id="same")
    again = stage.connect()
    again.publish(UpsertComment("Hello"), stage.target(), intent_id="same")
    again.publish(UpsertComment("Hello"), stage.target(), intent_id="other")
    assert [strip(c.body) for c in stage.github.comments(REPO, 1)] == ["Hello"]
