"""Commands that steer: hide, show, delete, mute, unmute, entry. Through the whole pipeline."""

from __future__ import annotations

import pytest

from bot.triage.snapshot import Permission
from tests.bot.commands.saying import answered, said
from tests.bot.world import AUTHOR, MAINTAINER, World

# Hide, show, delete, mute, unmute.


def test_hide_and_show() -> None:
    world = answered()
    seen = [(said(world, AUTHOR, command), len(world.visible())) for command in ("/triage hide", "/triage show")]

    assert seen == [(["+1"], 0), (["+1"], 1)]


def test_hidden_stays_hidden_when_the_answer_changes() -> None:
    world = answered()
    said(world, AUTHOR, "/triage hide")
    world.edit_issue("panic matched KB-0002")

    assert world.visible() == []


def test_hide_before_an_answer_keeps_it_away() -> None:
    world = World("It crashes.")
    said(world, AUTHOR, "/triage hide")
    world.edit_issue("panic matched KB-0001")

    assert world.own == {}


def test_the_author_cannot_show_what_a_maintainer_hid() -> None:
    world = answered()
    said(world, MAINTAINER, "/triage hide")

    assert (said(world, AUTHOR, "/triage show", "/triage"), world.visible()) == (["-1", "-1"], [])


@pytest.mark.parametrize("first", [AUTHOR, MAINTAINER])
@pytest.mark.parametrize("command", ["/triage", "/triage show"])
def test_deleted_stays_deleted_until_a_command_asks(first: str, command: str) -> None:
    world = answered()
    said(world, first, "/triage delete")
    world.edit_issue("panic matched KB-0002")
    world.say(AUTHOR, "panic matched KB-0003")
    gone = dict(world.own)
    said(world, AUTHOR, command)

    assert (gone, world.visible()) == ({}, ["matched KB-0003"])


def test_words_after_a_deletion_do_not_bring_the_answer_back() -> None:
    world = answered()
    said(world, AUTHOR, "/triage delete", "/triage help")
    world.edit_issue("panic matched KB-0002")

    assert [text.startswith("**Asked**") for text in world.visible()] == [True]


def test_deletion_does_not_undo_a_maintainers_mute() -> None:
    world = answered()
    said(world, MAINTAINER, "/triage mute")

    assert said(world, AUTHOR, "/triage delete", "/triage unmute", "/triage", "/triage show") == [
        "+1",
        "-1",
        "eyes",
        "eyes",
    ]
    assert world.own == {}


def test_muted_means_a_reaction_and_nothing_else() -> None:
    world = answered()
    said(world, AUTHOR, "/triage mute")
    commands = ["/triage", "/triage help", "/triage show", "/triage explain KB-0001", "/triage nonsense"]

    assert (said(world, AUTHOR, *commands), world.visible()) == (["eyes"] * 4 + ["confused"], [])


def test_unmute_brings_a_hidden_answer_back() -> None:
    world = answered()

    assert (said(world, AUTHOR, "/triage mute", "/triage unmute"), world.visible()) == (
        ["+1", "+1"],
        ["matched KB-0001"],
    )


def test_unmute_of_what_is_not_muted_does_nothing() -> None:
    world = World(created_at="2026-01-01T00:00:00Z")

    assert (said(world, AUTHOR, "/triage unmute"), world.own) == (["eyes"], {})


def test_what_was_muted_before_an_answer_is_answered_after_the_unmute() -> None:
    world = World("It crashes.")
    said(world, AUTHOR, "/triage mute")
    world.edit_issue("panic matched KB-0001")
    silent = dict(world.own)
    said(world, AUTHOR, "/triage unmute")

    assert (silent, world.visible()) == ({}, ["matched KB-0001"])


# Entry.


def test_a_maintainer_sets_the_entry() -> None:
    world = answered()
    said(world, MAINTAINER, "/triage entry KB-0003")
    world.edit_issue("One word more. panic matched KB-0001")

    assert world.visible() == ["matched KB-0003"]


@pytest.mark.parametrize(
    "command", ["/triage entry kb-0003", "/triage entry `KB-0003`", "/triage entry KB-0003, I think"]
)
def test_ways_to_name_an_entry(command: str) -> None:
    world = answered()
    said(world, MAINTAINER, command)

    assert world.visible() == ["matched KB-0003"]


def test_an_entry_explains_also_a_panic_without_a_known_place() -> None:
    world = World("panic unknown")
    said(world, MAINTAINER, "/triage entry KB-0003")

    assert world.visible() == ["ambiguous KB-0003"]


def test_none_takes_the_entry_back() -> None:
    world = answered()
    said(world, MAINTAINER, "/triage entry KB-0003", "/triage entry none")

    assert world.visible() == ["matched KB-0001"]


def test_the_author_may_not_set_the_entry() -> None:
    world = answered()
    world.permissions[AUTHOR] = Permission.NO

    assert (said(world, AUTHOR, "/triage entry KB-0003"), world.visible()) == (["-1"], ["matched KB-0001"])


@pytest.mark.parametrize(
    ("command", "words"),
    [("/triage entry KB-0099", "There is no entry `KB-0099`."), ("/triage entry", "Write `/triage entry KB-0003`.")],
)
def test_an_entry_that_is_none(command: str, words: str) -> None:
    world = answered()

    assert (said(world, MAINTAINER, command), words in world.visible()[0]) == (["confused"], True)


def test_no_entry_without_a_panic() -> None:
    world = World("It is slow.")

    assert said(world, MAINTAINER, "/triage entry KB-0003") == ["confused"]


def test_the_right_entry_ends_a_dispute() -> None:
    world = answered()
    said(world, AUTHOR, "/triage wrong")
    said(world, MAINTAINER, "/triage entry KB-0002")

    assert world.visible() == ["matched KB-0002"]


def test_a_maintainers_word_comes_on_top_of_the_authors() -> None:
    world = answered()
    said(world, AUTHOR, "/triage hide")
    said(world, MAINTAINER, "/triage hide")

    assert (said(world, AUTHOR, "/triage show"), world.visible()) == (["-1"], [])


def test_unmute_brings_the_answer_back_also_where_we_would_not_speak_by_ourselves() -> None:
    world = World(created_at="2026-01-01T00:00:00Z")
    said(world, AUTHOR, "/triage", "/triage mute", "/triage unmute")

    assert world.visible() == ["matched KB-0001"]
