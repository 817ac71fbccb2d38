"""Random lives of an issue, half of whose runs are cancelled: the next one catches up, another one changes nothing."""

from __future__ import annotations

import os
import random

import pytest

from tests.bot.action.scene import OTHER_PANIC, PANIC, REPO, Scene, reactions

TEXTS = (PANIC, OTHER_PANIC, "Never mind.", f"{PANIC}\n{OTHER_PANIC}", "attempt to subtract with overflow")
COMMANDS = (
    "/triage", "/triage help", "/triage hide", "/triage show", "/triage mute", "/triage unmute", "/triage delete",
    "/triage wrong", "/triage entry KB-0004", "/triage entry none", "/triage explain KB-0004", "/triage hepl",
)  # fmt: skip
PEOPLE = ("ann", "mel", "bob", "eve")
DEEDS = 7


def deed(scene: Scene, number: int, dice: random.Random) -> None:
    """Something that people do."""
    kind = dice.randrange(10)
    ours = scene.ours(number)
    if kind < 6:
        scene.say(number, dice.choice(PEOPLE), dice.choice(COMMANDS))
    elif kind < 8:
        scene.github.people.edit_issue(REPO, number, body=dice.choice(TEXTS))
    elif ours and kind == 8:
        scene.github.people.delete_comment(ours[-1].id, by="mel")
    elif ours:
        scene.github.people.minimize_comment(ours[-1].id, "OFF_TOPIC")
    else:
        scene.say(number, "bob", "The same here.")


@pytest.mark.parametrize("seed", range(int(os.environ.get("BURN_TRIAGE_TEST_SEEDS", "8"))))
def test_whatever_is_cancelled_the_next_run_catches_up(scene: Scene, seed: int):
    dice = random.Random(seed)
    number = scene.open(dice.choice(TEXTS))
    for _ in range(DEEDS):
        deed(scene, number, dice)
        if dice.random() < 0.5:
            scene.commented(number)
        assert len(scene.visible(number)) <= 1
    scene.commented(number)
    writes = scene.writes()
    again = scene.commented(number)
    commands = [c for c in scene.github.comments(REPO, number) if c.body.startswith("/triage")]
    assert (scene.writes() - writes, [c.body for c in commands if not reactions(c)]) == (0, []), again
    assert len(scene.visible(number)) <= 1
