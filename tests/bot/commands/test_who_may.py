"""Who may use a command, and what becomes of commands that nobody carried out yet."""

from __future__ import annotations

import pytest

from bot.commands import COMMANDS
from bot.errors import TransientError
from bot.handle import people, raise_for_retry
from bot.triage.snapshot import Permission
from tests.bot.commands.saying import answered, said
from tests.bot.world import AUTHOR, MAINTAINER, OTHER, STRANGER, World


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"wrong"}))
def test_others_get_a_reaction_and_nothing_else(name: str) -> None:
    world = answered()
    before = world.visible()
    reactions = said(world, STRANGER, "/triage" if name == "again" else f"/triage {name} KB-0002")

    assert (reactions, world.visible()) == (["-1"], before)


def test_unknown_permission_is_said_and_tried_again() -> None:
    world = answered()
    world.permissions[STRANGER] = Permission.UNKNOWN
    decision = world.say(STRANGER, "/triage hide")
    with pytest.raises(TransientError) as caught:
        raise_for_retry(decision)
    world.permissions[STRANGER] = Permission.YES
    world.event("issue_comment", "created", STRANGER, max(world.comments))

    assert (caught.value.reason, world.reactions_to(max(world.comments)), world.visible()) == (
        "permission_unknown",
        ["eyes", "+1"],
        [],
    )


def test_the_author_needs_no_permission() -> None:
    world = answered()
    world.permissions[AUTHOR] = Permission.UNKNOWN

    assert said(world, AUTHOR, "/triage hide") == ["+1"]


def test_a_decision_without_retry_raises_nothing() -> None:
    raise_for_retry(answered().open())


@pytest.mark.parametrize("fact", ["is_pull_request", "moved_here"])
def test_a_reaction_is_all_that_a_command_gets(fact: str) -> None:
    world = World(facts={fact: True})
    world.say(MAINTAINER, "/triage")
    world.edit(max(world.comments), "/triage\n\n(edited)")

    assert (world.reactions, world.own) == ([(max(world.comments), "confused")], {})


def test_deleting_a_command_runs_nothing() -> None:
    world = answered()
    said(world, AUTHOR, "/triage hide", "/triage show")
    first = min(world.comments)

    assert (world.erase(first).actions, world.visible()) == ((), ["matched KB-0001"])


def test_a_command_whose_event_was_lost_runs_with_the_next_event() -> None:
    world = answered()
    number = world.write(AUTHOR, "/triage hide")
    world.event("issues", "edited", AUTHOR)

    assert (world.reactions_to(number), world.visible()) == (["+1"], [])


def test_people_are_command_writers_and_first_speakers() -> None:
    world = World()
    world.write(STRANGER, "I know this.")
    world.write(OTHER, "/triage wrong")
    world.write("ci[bot]", "/triage")
    world.write(AUTHOR, "More facts.")

    assert people(world.snapshot(), world.memory) == {STRANGER, OTHER}


def test_people_are_not_asked_about_twice() -> None:
    world = World()
    world.write(STRANGER, "I know this.\n/triage wrong")
    world.open()
    world.open()

    assert people(world.snapshot(), world.memory) == frozenset()
