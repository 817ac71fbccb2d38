"""Commands given on the dashboard: the same as in a comment, but nobody on the issue is told of them."""

from __future__ import annotations

import pytest

from bot.triage.policy import Mode, Rules
from bot.triage.snapshot import Permission
from tests.bot.commands.saying import answered
from tests.bot.world import AUTHOR, ENTRIES, MAINTAINER, OTHER, STRANGER, World


def test_hide_and_show():
    world = answered()
    seen = []
    for name in ("hide", "show"):
        world.ask(MAINTAINER, name)
        seen.append(len(world.visible()))
    assert (seen, world.reactions) == ([0, 1], [])


def test_wrong_silences_and_is_a_maintainers_dispute():
    world = answered()
    decision = world.ask(MAINTAINER, "wrong", "another function")
    [dispute] = decision.disputes
    assert (dispute.login, dispute.by, dispute.reason, dispute.counted) == (
        MAINTAINER, "maintainer", "another function", True,
    )  # fmt: skip
    assert (world.visible(), world.memory.muted, world.reactions) == ([], True, [])
    world.ask(MAINTAINER, "unmute")
    assert len(world.visible()) == 1


def test_the_entry_is_set_and_taken_back():
    world = answered()
    world.ask(MAINTAINER, "entry", "kb-0003")
    chosen = world.visible()
    world.ask(MAINTAINER, "entry", "none")
    assert (chosen, world.visible()) == (["matched KB-0003"], ["matched KB-0001"])


def test_run_again_reads_the_whole_thread():
    world = World("It crashes")
    world.open()
    world.write(OTHER, "panic matched KB-0002")
    world.ask(MAINTAINER, "again")
    assert (world.visible(), world.reactions) == (["matched KB-0002"], [])


@pytest.mark.parametrize(("name", "argument"), [("again", ""), ("entry", "KB-9999"), ("wrong", ""), ("hide", "")])
def test_no_words_are_left_on_an_issue_that_has_no_answer(name: str, argument: str):
    world = World("It crashes")
    world.open()
    world.ask(MAINTAINER, name, argument)
    assert "KB-9999" not in ENTRIES
    assert (world.own, world.reactions) == ({}, [])


@pytest.mark.parametrize("login", [AUTHOR, STRANGER])
@pytest.mark.parametrize("name", ["hide", "wrong", "again", "entry"])
def test_a_permission_that_was_withdrawn_meanwhile_counts(login: str, name: str):
    world = answered()
    before = world.visible()
    decision = world.ask(login, name, "KB-0002")
    assert (decision.reason, decision.disputes, world.visible(), world.reactions) == ("not_permitted", (), before, [])


@pytest.mark.parametrize("login", [AUTHOR, OTHER])
def test_a_permission_that_cannot_be_read_is_asked_for_again(login: str):
    world = answered()
    world.permissions[login] = Permission.UNKNOWN
    first = world.ask(login, "hide", key="one")
    world.permissions[login] = Permission.YES
    second = world.ask(login, "hide", key="one")
    assert (first.retry, second.retry, world.visible(), world.reactions) == ("permission_unknown", "", [], [])


def test_an_order_is_carried_out_once():
    world = answered()
    world.ask(MAINTAINER, "hide", key="one")
    world.ask(MAINTAINER, "show", key="two")
    world.ask(MAINTAINER, "hide", key="one")
    assert len(world.visible()) == 1


def test_in_shadow_a_maintainers_order_is_carried_out():
    world = World(rules=Rules(mode=Mode.SHADOW))
    world.open()
    world.ask(MAINTAINER, "again")
    assert (len(world.visible()), world.reactions) == (1, [])


def test_commands_in_comments_are_still_answered_beside_it():
    world = answered()
    number = world.write(MAINTAINER, "/triage help")
    world.ask(MAINTAINER, "again")
    assert world.reactions_to(number) == ["+1"]
    assert "/triage help" in world.visible()[0]
