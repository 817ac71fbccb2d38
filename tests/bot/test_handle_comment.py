"""One comment for life: edited in place, hidden, shown again, deleted; people's hands on it respected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.triage.actions import HideComment, ShowComment, UpsertComment
from bot.triage.snapshot import IssueMemory
from tests.bot.world import AUTHOR, INSTALLED, MAINTAINER, STRANGER, World


def answered(body: str = "panic matched KB-0001") -> World:
    world = World(body)
    world.open()
    return world


def test_edited_in_place_when_the_issue_changes() -> None:
    world = answered()
    decision = world.edit_issue("panic matched KB-0002")

    assert (decision.reason, world.visible(), len(world.own)) == ("edited", ["matched KB-0002"], 1)


def test_nothing_is_written_when_the_answer_is_the_same() -> None:
    world = answered()

    assert world.edit_issue("I added a word. panic matched KB-0001").actions == ()


def test_the_issue_gets_a_reaction_when_its_edited_text_changes_the_answer() -> None:
    world = answered()
    world.edit_issue("panic matched KB-0002")

    assert world.reactions == [(None, "rocket")]


def test_the_authors_comment_gets_a_reaction_when_it_changes_the_answer() -> None:
    world = answered()
    world.say(AUTHOR, "In fact panic matched KB-0002")

    assert world.reactions == [(max(world.comments), "rocket")]


def test_the_authors_newest_comment_gets_it_when_the_event_does_not_tell() -> None:
    world = answered()
    world.write(AUTHOR, "In fact panic matched KB-0002")
    newest = world.write(AUTHOR, "I mean panic matched KB-0003")
    world.event("issue_comment", "created", STRANGER, 1)

    assert world.reactions == [(newest, "rocket")]


def test_no_reaction_to_what_was_read_before_when_somebody_else_changes_the_answer() -> None:
    world = answered()
    world.say(AUTHOR, "Thanks!")
    world.say(MAINTAINER, "/triage entry KB-0003")

    assert (world.visible(), world.reactions_to(min(world.comments))) == (["matched KB-0003"], [])


def test_no_reaction_when_the_answer_stays() -> None:
    world = answered()
    world.say(AUTHOR, "Once more: panic matched KB-0001")

    assert world.reactions == []


def test_no_reaction_when_only_the_wording_changes() -> None:
    world = answered()
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, body="old wording")
    world.memory = replace(world.memory, body_hash=None)
    decision = world.event("issues", "edited", AUTHOR)

    assert (decision.reason, world.reactions) == ("edited", [])


def test_hidden_as_outdated_when_the_panic_is_edited_away() -> None:
    world = answered()
    decision = world.edit_issue("Never mind.")

    assert (decision.actions, decision.reason, world.visible()) == ((HideComment("OUTDATED"),), "hidden_outdated", [])


@pytest.mark.parametrize("body", ["panic unknown", "panic foreign", "panic matched", "Never mind."])
def test_hidden_whenever_the_new_verdict_would_not_have_spoken(body: str) -> None:
    world = answered()
    world.edit_issue(body)

    assert world.visible() == []


def test_shown_again_when_the_panic_comes_back() -> None:
    world = answered()
    world.edit_issue("Never mind.")
    decision = world.edit_issue("panic matched KB-0001")

    assert (decision.actions[0], decision.reason, world.visible()) == (ShowComment(), "shown", ["matched KB-0001"])


def test_hidden_comment_comes_back_with_another_answer() -> None:
    world = answered()
    world.edit_issue("Never mind.")
    world.edit_issue("panic matched KB-0002")

    assert (world.visible(), len(world.own)) == (["matched KB-0002"], 1)


def test_a_closed_issue_keeps_its_comment_as_it_is() -> None:
    world = answered()
    world.facts["state"] = "closed"

    assert (world.edit_issue("Never mind.").actions, world.visible()) == ((), ["matched KB-0001"])


def test_a_question_is_replaced_by_its_answer_once() -> None:
    world = answered("panic ambiguous")
    decision = world.say(AUTHOR, "It was panic matched KB-0001")

    assert (decision.reason, decision.actions) == ("answered", (UpsertComment("matched KB-0001", anew=True),))
    assert (world.visible(), len(world.own)) == (["matched KB-0001"], 2)


def test_whoever_answers_our_question_is_told_what_came_of_it_also_where_nothing_more_is_known() -> None:
    """A match without an entry is no reason to speak; that we asked for it is."""
    world = answered("panic ambiguous")
    world.say(AUTHOR, "It was panic matched")
    world.say(AUTHOR, "Thanks!")

    assert (world.visible(), len(world.own)) == (["matched None"], 2)


@pytest.mark.parametrize("words", ["panic unknown", "panic foreign", "Never mind."])
def test_a_question_that_comes_to_nothing_is_hidden(words: str) -> None:
    world = answered("panic ambiguous")
    world.edit_issue(words)

    assert (world.visible(), len(world.own)) == ([], 1)


def test_the_second_question_is_answered_in_place() -> None:
    world = answered("panic ambiguous")
    world.say(AUTHOR, "panic matched KB-0001")
    world.say(AUTHOR, "panic ambiguous")
    world.say(AUTHOR, "panic matched KB-0002")

    assert (world.visible(), len(world.own)) == (["matched KB-0002"], 2)


def test_an_answer_that_becomes_a_question_is_edited_in_place() -> None:
    world = answered()
    world.edit_issue("panic ambiguous")

    assert (world.visible(), len(world.own)) == (["ambiguous None"], 1)


def person_edits(world: World) -> None:
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, body=own.body.replace("matched", "a maintainer's better words for"))


@pytest.mark.parametrize("body", ["panic matched KB-0002", "Never mind.", "panic ambiguous"])
def test_a_persons_edit_of_our_comment_is_never_overwritten_nor_hidden(body: str) -> None:
    world = answered()
    person_edits(world)
    decision = world.edit_issue(body)

    assert (decision.actions, world.visible()) == ((), ["a maintainer's better words for KB-0001"])


def test_words_asked_for_do_not_overwrite_a_persons_edit() -> None:
    world = answered()
    person_edits(world)
    decision = world.say(AUTHOR, "/triage help")

    assert (len(decision.actions), world.visible()) == (1, ["a maintainer's better words for KB-0001"])


def test_a_persons_edit_can_be_hidden_shown_and_deleted_by_commands() -> None:
    world = answered()
    person_edits(world)
    seen = []
    for command in ("/triage hide", "/triage show", "/triage delete"):
        world.say(AUTHOR, command)
        seen.append(len(world.visible()))

    assert seen == [0, 1, 0]


def test_line_ends_and_blanks_that_github_changes_are_not_a_persons_edit() -> None:
    world = answered()
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, body=own.body.replace("\n", "\r\n") + "\r\n")

    assert world.edit_issue("panic matched KB-0002").reason == "edited"


def test_deleted_by_hand_stays_deleted() -> None:
    world = answered()
    world.own.clear()
    decisions = [world.edit_issue("panic matched KB-0002"), world.say(AUTHOR, "panic matched KB-0003")]

    assert [d.actions for d in decisions] == [(), ()]


def test_deleted_by_hand_comes_back_for_a_command() -> None:
    world = answered()
    world.own.clear()
    world.edit_issue("panic matched KB-0002")
    world.say(AUTHOR, "/triage")

    assert world.visible() == ["matched KB-0002"]


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_deleted_answer_leaves_its_minimised_question_alone(by_hand: bool) -> None:
    world = answered("panic ambiguous")
    world.say(AUTHOR, "panic matched KB-0001")
    if by_hand:
        del world.own[max(world.own)]
    else:
        world.say(AUTHOR, "/triage delete")
    decisions = [world.edit_issue("One."), world.say(AUTHOR, "panic matched KB-0002")]

    assert ([d.actions for d in decisions], len(world.own), world.visible()) == ([(), ()], 1, [])


def test_minimised_by_hand_stays_minimised() -> None:
    world = answered()
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, minimized=True)
    world.edit_issue("panic matched KB-0002")

    assert world.visible() == []


def test_minimised_by_hand_comes_back_for_a_maintainers_command() -> None:
    world = answered()
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, minimized=True)
    refused = world.say(AUTHOR, "/triage show")
    world.say(MAINTAINER, "/triage show")

    assert ([a.content for a in refused.actions], world.visible()) == (["-1"], ["matched KB-0001"])


def test_what_a_person_shows_again_by_hand_is_not_hidden_as_outdated_a_second_time() -> None:
    world = answered()
    world.edit_issue("Never mind.")
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, minimized=False)

    assert world.edit_issue("Never mind, really.").actions == ()


def test_a_comment_that_the_store_forgot_is_taken_over() -> None:
    world = answered()
    world.memory = IssueMemory(installed_at=INSTALLED)
    world.edit_issue("panic matched KB-0002")

    assert (world.visible(), len(world.own)) == (["matched KB-0002"], 1)


def test_marker_text_in_somebody_elses_comment_is_nothing() -> None:
    world = World()
    world.write(STRANGER, "matched KB-0001\n\n<!-- burn-triage:v1 1 2 intent-1 -->")
    world.open()

    assert world.visible() == ["matched KB-0001"]


def test_deleting_a_comment_of_the_author_takes_its_panic_away() -> None:
    world = World("It crashes.")
    world.open()
    world.say(AUTHOR, "panic matched KB-0001")
    world.erase(max(world.comments))

    assert world.visible() == []


def test_no_reaction_to_an_old_comment_when_the_knowledge_base_changed_the_answer() -> None:
    world = answered()
    world.say(AUTHOR, "Thanks!")
    world.memory = replace(world.memory, answer="what an older knowledge base said")
    own = next(iter(world.own.values()))
    world.own[own.id] = replace(own, body="older words")
    world.memory = replace(world.memory, body_hash=None)
    decision = world.say(STRANGER, "+1")

    assert (decision.reason, world.reactions) == ("edited", [])
