"""A year of 2,000 issues: edits, commands from all roles, floods, deletions, lost and doubled events."""

from __future__ import annotations

import random

from bot.triage.actions import ShowComment, UpsertComment
from tests.bot.test_handle_sequences import COMMANDS, PEOPLE, TEXTS
from tests.bot.world import World

ISSUES = 2_000
EVENTS = 8


def one_issue(dice: random.Random, today: dict[str, int]) -> World:
    backlog = dice.random() < 0.2
    world = World(
        dice.choice(TEXTS),
        created_at="2026-05-01T00:00:00Z" if backlog else "2026-06-01T00:01:00Z",
        wrong_today=today,
    )
    world.open()
    for _ in range(dice.randrange(EVENTS)):
        event(world, dice)
        assert len(world.visible()) <= (0 if world.memory.muted else 1)
    return world


def event(world: World, dice: random.Random) -> None:
    kind = dice.randrange(7)
    who = dice.choice(PEOPLE)
    known = sorted(world.comments)
    if kind == 0:
        world.edit_issue(dice.choice(TEXTS))
    elif kind == 1:
        world.say(who, "\n".join(dice.choices(COMMANDS, k=30)))
    elif kind == 2 and known:
        world.erase(dice.choice(known))
    elif kind == 3 and known:
        world.edit(dice.choice(known), dice.choice(TEXTS + COMMANDS))
    elif kind == 4:
        for _ in range(3):
            world.event("issues", "reopened", who)
    else:
        world.say(who, dice.choice(TEXTS + COMMANDS))


def test_a_year() -> None:
    dice = random.Random(2026)
    today: dict[str, int] = {}
    spoke = on_backlog = written_while_muted = 0
    for number in range(ISSUES):
        if number % 6 == 0:
            today = {}
        world = one_issue(dice, today)
        spoke += bool(world.own)
        on_backlog += bool(world.own) and world.created_at < "2026-06" and not world.memory.commands_run
        written_while_muted += sum(
            decision.memory.muted and any(isinstance(a, UpsertComment | ShowComment) for a in decision.actions)
            for decision in world.decisions
        )

    assert (spoke > ISSUES / 4, on_backlog, written_while_muted) == (True, 0, 0)
