"""`/triage wrong`: whose word does what, and how often."""

from __future__ import annotations

import pytest

from bot.triage.snapshot import Dispute
from tests.bot.commands.saying import answered, said
from tests.bot.world import AUTHOR, MAINTAINER, OTHER, STRANGER, World


@pytest.mark.parametrize("who", [AUTHOR, MAINTAINER])
def test_the_authors_or_a_maintainers_word_mutes_at_once(who: str) -> None:
    world = answered()

    assert (said(world, who, "/triage wrong"), world.visible(), world.memory.muted) == (["+1"], [], True)


def test_nothing_is_written_afterwards() -> None:
    world = answered()
    said(world, AUTHOR, "/triage wrong")
    world.edit_issue("panic matched KB-0002")
    said(world, MAINTAINER, "/triage help")

    assert world.visible() == []


def test_one_other_account_only_counts() -> None:
    world = answered()

    assert (said(world, STRANGER, "/triage wrong"), len(world.visible())) == (["+1"], 1)


def test_the_same_account_counts_once() -> None:
    world = answered()

    assert said(world, STRANGER, "/triage wrong", "/triage wrong", "/triage wrong really") == ["+1", "eyes", "eyes"]
    assert (len(world.visible()), sum(len(d.disputes) for d in world.decisions)) == (1, 1)


def test_two_other_accounts_hide_it() -> None:
    world = answered()
    said(world, STRANGER, "/triage wrong")
    said(world, OTHER.upper(), "/triage wrong")

    assert (world.visible(), world.memory.muted) == ([], False)


def test_until_a_maintainer_decides() -> None:
    world = answered()
    said(world, STRANGER, "/triage wrong")
    said(world, OTHER, "/triage wrong")
    world.edit_issue("One word more. panic matched KB-0001")
    refused = said(world, AUTHOR, "/triage show", "/triage")
    hidden = world.visible()
    said(world, MAINTAINER, "/triage show")

    assert (refused, hidden, world.visible()) == (["-1", "-1"], [], ["matched KB-0001"])


def test_after_that_decision_others_do_not_hide_the_same_answer_again() -> None:
    world = answered()
    for who in (STRANGER, OTHER):
        said(world, who, "/triage wrong")
    said(world, MAINTAINER, "/triage show")
    for who in ("third", "fourth"):
        said(world, who, "/triage wrong")

    assert world.visible() == ["matched KB-0001"]


def test_a_new_answer_starts_from_zero() -> None:
    world = answered()
    said(world, STRANGER, "/triage wrong")
    world.edit_issue("panic matched KB-0002")
    said(world, OTHER, "/triage wrong")

    assert world.visible() == ["matched KB-0002"]


def test_three_a_day_and_account_count() -> None:
    worlds = [answered() for _ in range(4)]
    for world in worlds:
        world.wrong_today = worlds[0].wrong_today
        said(world, STRANGER, "/triage wrong")
        said(world, OTHER, "/triage wrong")

    assert [len(world.visible()) for world in worlds] == [0, 0, 0, 1]


def test_the_fourth_is_kept_without_weight() -> None:
    world = answered()
    world.wrong_today = {STRANGER: 3}
    decision = world.say(STRANGER, "/triage wrong")

    assert [(d.counted, d.by) for d in decision.disputes] == [(False, "others")]


def test_the_authors_word_mutes_also_the_fourth_time() -> None:
    world = answered()
    world.wrong_today = {AUTHOR: 3}
    said(world, AUTHOR, "/triage wrong")

    assert world.visible() == []


def test_what_is_recorded() -> None:
    world = answered()
    decision = world.say(AUTHOR, "/triage wrong it is  my own code")
    at = world.comments[max(world.comments)].updated_at

    assert decision.disputes == (
        Dispute(AUTHOR, at, "it is my own code", "author", "matched|KB-0001|fingerprint of matched", counted=True),
    )


@pytest.mark.parametrize("who", [AUTHOR, MAINTAINER, STRANGER])
def test_where_nothing_was_answered_nothing_is_wrong(who: str) -> None:
    world = World("It is slow.")

    assert (said(world, who, "/triage wrong"), world.memory.muted, world.decisions[-1].disputes) == (
        ["confused"],
        False,
        (),
    )


def test_the_author_takes_it_back() -> None:
    world = answered()
    said(world, AUTHOR, "/triage wrong", "/triage unmute")

    assert world.visible() == ["matched KB-0001"]


def test_the_author_cannot_take_a_maintainers_word_back() -> None:
    world = answered()
    said(world, MAINTAINER, "/triage wrong")

    assert (said(world, AUTHOR, "/triage unmute"), world.visible()) == (["-1"], [])
