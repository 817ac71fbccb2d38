"""Commands that ask for something: again, help, explain; hints. Through the whole pipeline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.commands import COMMANDS, Call, Context, Role, explain
from bot.commands._words import told
from bot.triage.actions import React, UpsertComment
from bot.triage.model import Report
from bot.triage.rendered import strangers
from bot.triage.snapshot import IssueMemory
from tests.bot.commands.saying import answered, said
from tests.bot.world import AUTHOR, KNOWLEDGE, MAINTAINER, STRANGER, World, analyze

# Again.


def test_again_reads_the_whole_thread() -> None:
    world = World("It crashes.")
    world.open()
    world.say(STRANGER, "Same here: panic matched KB-0002")

    assert (said(world, AUTHOR, "/triage"), world.visible()) == (["+1"], ["matched KB-0002"])


def test_what_again_read_stays_read() -> None:
    world = World("It crashes.")
    world.open()
    world.say(STRANGER, "Same here: panic matched KB-0002")
    said(world, MAINTAINER, "/triage")
    world.edit_issue("It crashes badly.")

    assert world.visible() == ["matched KB-0002"]


def test_what_others_write_after_again_is_not_read() -> None:
    world = World("It crashes.")
    said(world, AUTHOR, "/triage")
    world.say(STRANGER, "panic matched KB-0002")

    assert "KB-0002" not in "".join(world.visible())


def test_a_comment_that_holds_both_panic_and_command_is_read() -> None:
    world = World("It crashes.")
    world.open()
    said(world, MAINTAINER, "/triage\n\nI got this: panic matched KB-0003")

    assert world.visible() == ["matched KB-0003"]


@pytest.mark.parametrize(
    "facts",
    [{"created_at": "2026-01-01T00:00:00Z"}, {"state": "closed"}, {"locked": True}, {"author_is_bot": True}],
)
def test_a_command_is_answered_where_we_do_not_speak_by_ourselves(facts: dict[str, object]) -> None:
    world = World(facts=facts)
    world.open()
    said(world, MAINTAINER, "/triage")

    assert world.visible() == ["matched KB-0001"]


def test_an_old_issue_is_left_alone_again_after_its_answer() -> None:
    world = World(created_at="2026-01-01T00:00:00Z")
    said(world, MAINTAINER, "/triage")

    assert world.edit_issue("panic matched KB-0002").actions == ()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("It is slow.", "No panic was found in what was read."),
        ("panic unknown", "`the unknown message` could not be traced to a place in the source."),
        ("panic foreign", "`the foreign message` is not raised by burn or its family."),
    ],
)
def test_whoever_asks_gets_words_where_there_is_no_answer(body: str, words: str) -> None:
    world = World(body)
    said(world, AUTHOR, "/triage")

    assert (f"`/triage`: {words}" in world.visible()[0], strangers(world.visible()[0])) == (True, ())


def test_those_words_are_followed_by_the_answer_when_the_panic_comes() -> None:
    world = World("It is slow.")
    said(world, AUTHOR, "/triage")
    world.edit_issue("panic matched KB-0001")

    assert (len(world.own), world.visible()[0].startswith("matched KB-0001")) == (1, True)


def test_whoever_asks_gets_the_card_that_is_no_reason_to_speak_and_it_stays() -> None:
    world = World("panic matched")
    world.open()
    said(world, AUTHOR, "/triage")
    world.edit_issue("Now with a word more. panic matched")

    assert world.visible() == ["matched None"]


# Help, explain, hints: words in the one comment.


def test_help_is_added_to_the_one_comment() -> None:
    world = answered()
    said(world, AUTHOR, "/triage help")

    assert (len(world.own), "| `/triage mute` |" in world.visible()[0]) == (1, True)
    assert world.visible()[0].startswith("matched KB-0001\n\n`/triage help`: ")


def test_help_makes_a_comment_where_there_is_none_and_gives_no_answer_there() -> None:
    world = World(created_at="2026-01-01T00:00:00Z")
    said(world, AUTHOR, "/triage help")

    assert ("KB-0001" in "".join(world.visible()), len(world.own)) == (False, 1)


def test_the_last_three_are_kept() -> None:
    world = answered()
    said(world, AUTHOR, *(f"/triage explain KB-000{n}" for n in (1, 2, 3)), "/triage explain KB-0009")
    shown = world.visible()[0]

    assert ["KB-0001, " in shown, "KB-0002, " in shown, "KB-0003, " in shown, "no entry `KB-0009`" in shown] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("command", ["/triage explain KB-0002", "/triage explain kb-0002", "/triage explain `KB-0002`"])
def test_explain_an_entry(command: str) -> None:
    world = answered()
    said(world, AUTHOR, command)

    assert "KB-0002, **Title of KB-0002**: Summary of KB-0002." in world.visible()[0]


@pytest.mark.parametrize(
    "comment",
    [
        "/triage explain panic foreign KB-0003",
        "/triage explain\n\n```\npanic foreign KB-0003\n```",
        "/triage explain this\n\npanic foreign KB-0003",
    ],
)
def test_explain_a_pasted_panic_without_changing_the_answer(comment: str) -> None:
    world = answered()
    said(world, MAINTAINER, comment)

    assert world.visible()[0].startswith("matched KB-0001")
    assert "is not raised by burn or its family. KB-0003, **Title of KB-0003**" in world.visible()[0]


def test_explain_nothing_is_said() -> None:
    assert said(answered(), AUTHOR, "/triage explain") == ["confused"]


@pytest.mark.parametrize(
    ("typed", "meant"), [("expain", "explain"), ("hlep", "help"), ("unmut", "unmute"), ("worng", "wrong")]
)
def test_a_typo_gets_one_hint(typed: str, meant: str) -> None:
    world = answered()

    assert said(world, AUTHOR, f"/triage {typed}", f"/triage {typed} again") == ["confused", "confused"]
    assert world.visible()[0].count(f"Did you mean `/triage {meant}`?") == 1


def test_a_word_that_is_like_none_is_not_guessed() -> None:
    world = answered()
    said(world, AUTHOR, "/triage @octocat")

    assert ("Did you mean" in world.visible()[0], strangers(world.visible()[0])) == (False, ())


def test_hide_hides_words_too() -> None:
    world = answered()
    said(world, AUTHOR, "/triage hide", "/triage help")
    seen = len(world.visible())
    said(world, AUTHOR, "/triage hide")

    assert (seen, world.visible()) == (1, [])


def test_nothing_private_is_shown_or_remembered() -> None:
    token = "ghp_" + "a" * 36
    world = answered()
    said(world, AUTHOR, f"/triage explain {token}", f"/triage {token}")

    assert (token in "".join(world.visible()), token in repr(world.memory.commands_run)) == (False, False)


def test_what_is_taken_out_does_not_make_a_new_edit_each_time() -> None:
    world = answered()
    said(world, AUTHOR, "/triage explain ghp_" + "a" * 36)

    assert world.event("issues", "edited", AUTHOR).reason == "unchanged"


def test_explain_takes_the_line_for_a_message() -> None:
    read: list[str] = []
    context = Context(
        call=Call(
            "explain", "Some words", "", "", AUTHOR, 5, "/triage explain Some `words`\nmore", "2026-06-02T00:00:00Z"
        ),
        role=Role.AUTHOR,
        snapshot=World().snapshot(),
        memory=IssueMemory(),
        knowledge=KNOWLEDGE,
        analyze=lambda report: read.append(report.body) or analyze(report, KNOWLEDGE),  # type: ignore[func-returns-value]
    )
    explain.plan(context)

    assert read == ["Some `words`\nmore", "Panic message: `` Some `words` ``"]


def test_again_reads_no_machines() -> None:
    world = World("It crashes.")
    world.write("ci[bot]", "panic matched KB-0002")
    world.write(STRANGER, "panic matched KB-0003", via_app=True)
    said(world, AUTHOR, "/triage")

    assert "No panic was found" in world.visible()[0]


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize("body", ["panic matched KB-0001", "panic ambiguous", "It is slow."])
@pytest.mark.parametrize("before", ["", "/triage mute", "/triage hide", "/triage delete"])
def test_every_command_gets_one_reaction_whatever_it_comes_to(name: str, body: str, before: str) -> None:
    world = answered(body)
    if before:
        said(world, MAINTAINER, before)
    line = {"again": "/triage", "explain": "/triage explain KB-0002", "entry": "/triage entry KB-0002"}

    assert len(said(world, MAINTAINER, line.get(name, f"/triage {name}"))) == 1


@pytest.mark.parametrize("line", ["/triage", "/triage help", "/triage explain KB-0002", "/triage hlep"])
def test_the_reaction_comes_first_and_then_the_words(line: str) -> None:
    decision = World("It is slow.").say(AUTHOR, line)

    assert [type(action) for action in decision.actions] == [React, UpsertComment]


@pytest.mark.parametrize(("question", "asks"), [("location", True), (None, False)])
def test_words_ask_for_the_deciding_line_only_where_it_would_decide(question: str | None, asks: bool) -> None:
    verdict = replace(analyze(Report(None, "", "panic ambiguous"), KNOWLEDGE), question=question)

    assert ("would tell which" in told(verdict, KNOWLEDGE)) is asks
