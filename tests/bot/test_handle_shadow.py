"""Shadow: everything is decided, nothing is written but what a maintainer asks for."""

from __future__ import annotations

import pytest

from bot.triage.model import Outcome
from bot.triage.policy import Mode, Rules
from bot.triage.snapshot import Permission
from tests.bot.world import AUTHOR, MAINTAINER, OTHER, STRANGER, World

SHADOW = Rules(mode=Mode.SHADOW, labels={Outcome.MATCHED: ("panic",)})


def quiet(body: str = "panic matched KB-0001", **more: object) -> World:
    return World(body, rules=SHADOW, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", ["panic matched KB-0001", "panic ambiguous", "panic foreign KB-0002", "nothing"])
def test_a_new_issue_is_decided_and_left_alone(body: str):
    world, loud = quiet(body), World(body)
    assert (world.open().verdict, world.reactions, world.own) == (loud.open().verdict, [], {})
    assert world.decisions[0].reason == f"shadow_{loud.decisions[0].reason}"


def test_a_maintainer_gets_the_answer_that_was_asked_for_and_no_label_comes_with_it():
    world = quiet()
    world.open()
    world.say(MAINTAINER, "/triage")
    assert [text.split("\n")[0] for text in world.visible()] == ["matched KB-0001"]
    assert "labels" not in world.facts


def test_a_maintainers_other_command_brings_its_words_and_no_answer():
    world = quiet()
    world.open()
    world.say(MAINTAINER, "/triage help")
    [text] = world.visible()
    assert ("matched KB-0001" in text, "/triage mute" in text) == (False, True)


@pytest.mark.parametrize("who", [AUTHOR, STRANGER, OTHER])
@pytest.mark.parametrize(
    "line", ["/triage", "/triage explain KB-0001", "/triage help", "/triage wrong", "/triage nonsense"]
)
def test_nobody_else_gets_as_much_as_a_reaction(who: str, line: str):
    world = quiet()
    world.open()
    decision = world.say(who, line)
    assert (decision.actions, decision.disputes, decision.retry) == ((), (), "")


def test_what_a_maintainer_made_appear_is_not_renewed_by_itself():
    world = quiet()
    world.open()
    world.say(MAINTAINER, "/triage")
    edited = world.edit_issue("panic matched KB-0002")
    assert edited.actions == ()
    world.say(MAINTAINER, "/triage")
    assert [text.split("\n")[0] for text in world.visible()] == ["matched KB-0002"]


def test_a_maintainers_command_among_others_runs_alone_and_all_of_them_once():
    world = quiet()
    world.write(STRANGER, "/triage help")
    number = world.write(MAINTAINER, "/triage hide")
    world.event("issue_comment", "created", MAINTAINER, number)
    again = world.event("issue_comment", "edited", MAINTAINER, number)
    assert (world.reactions_to(number) != [], len(world.reactions), again.actions) == (True, 1, ())


def test_who_cannot_be_checked_is_asked_about_again_without_a_sign():
    world = quiet(permissions={STRANGER: Permission.UNKNOWN})
    decision = world.say(STRANGER, "/triage help")
    assert (decision.actions, decision.retry) == ((), "permission_unknown")
    world.permissions[STRANGER] = Permission.YES
    world.event("issue_comment", "created", STRANGER)
    assert len(world.visible()) == 1
