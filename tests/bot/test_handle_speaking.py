"""When to speak: each sentence of the contract is a test."""

from __future__ import annotations

from typing import Any

import pytest

from bot.triage.actions import UpsertComment
from bot.triage.model import Outcome
from bot.triage.policy import Mode, Rules
from bot.triage.snapshot import IssueMemory, Permission
from tests.bot.world import AUTHOR, INSTALLED, MAINTAINER, STRANGER, World


def test_a_match_with_an_entry_is_answered() -> None:
    world = World()

    assert (world.open().reason, world.visible()) == ("answered", ["matched KB-0001"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("It is slow.", "no_panic"),
        ("panic none", "no_panic"),
        ("panic unknown", "unknown_panic"),
        ("panic foreign", "foreign_without_entry"),
        ("panic matched", "nothing_to_add"),
    ],
)
def test_silent_where_there_is_nothing_to_add_and_the_verdict_is_recorded(body: str, reason: str) -> None:
    world = World(body)
    decision = world.open()

    assert (decision.reason, decision.actions, decision.verdict is not None) == (reason, (), True)


def test_a_foreign_panic_with_an_entry_is_answered() -> None:
    world = World("panic foreign KB-0002")
    world.open()

    assert world.visible() == ["foreign KB-0002"]


def test_an_ambiguous_panic_is_asked_about_once() -> None:
    world = World("panic ambiguous")
    reasons = [world.open().reason, world.event("issues", "edited", AUTHOR).reason]

    assert (reasons, world.visible()) == (["asked", "unchanged"], ["ambiguous None"])


def test_candidates_that_share_an_entry_are_answered_with_it() -> None:
    world = World("panic ambiguous KB-0003")

    assert world.open().reason == "answered"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"created_at": "2026-05-31T23:59:59Z"}, "issue_older_than_install"),
        ({"created_at": "2026-06-01T01:30:00+02:00"}, "issue_older_than_install"),
        ({"state": "closed"}, "closed"),
        ({"locked": True}, "locked"),
        ({"is_pull_request": True}, "pull_request"),
        ({"author_is_bot": True}, "author_is_bot"),
        ({"via_app": True}, "opened_by_app"),
        ({"gone": True}, "gone"),
        ({"moved_here": True}, "moved_here"),
    ],
)
@pytest.mark.parametrize("action", ["opened", "edited", "reopened"])
def test_not_answered_by_itself(facts: dict[str, Any], reason: str, action: str) -> None:
    world = World(facts=facts)
    decision = world.event("issues", action, AUTHOR)

    assert (decision.reason, decision.actions) == (reason, ())


def test_an_issue_of_the_very_second_of_the_installation_is_new() -> None:
    world = World(created_at=INSTALLED)

    assert world.open().reason == "answered"


def test_silent_where_the_installation_has_no_date() -> None:
    world = World(memory=IssueMemory())

    assert world.open().reason == "install_date_unknown"


@pytest.mark.parametrize("action", ["deleted", "transferred"])
def test_an_issue_that_left_is_left_alone_whatever_the_snapshot_shows(action: str) -> None:
    world = World()

    assert world.event("issues", action, MAINTAINER).reason == "gone"


def test_edited_does_not_make_an_old_issue_new() -> None:
    world = World("It is slow.", created_at="2026-01-01T00:00:00Z")
    world.open()

    assert world.edit_issue("panic matched KB-0001").reason == "issue_older_than_install"


def test_a_panic_that_the_author_adds_to_a_new_issue_is_answered() -> None:
    world = World("It crashes.")
    world.open()
    world.say(AUTHOR, "Here it is: panic matched KB-0002")

    assert world.visible() == ["matched KB-0002"]


def test_comments_of_others_are_not_read() -> None:
    world = World("It crashes.")
    world.open()
    decision = world.say(STRANGER, "Me too: panic matched KB-0002")

    assert (decision.reason, world.visible()) == ("no_panic", [])


@pytest.mark.parametrize("facts", [{"is_bot": True}, {"via_app": True}])
def test_comments_under_the_authors_name_that_a_machine_wrote_are_not_read(facts: dict[str, bool]) -> None:
    world = World("It crashes.")
    world.open()

    assert world.say(AUTHOR, "panic matched KB-0002", **facts).reason == "no_panic"


def test_a_deleted_account_is_not_the_author() -> None:
    world = World("It crashes.", facts={"author": "ghost"})
    world.open()

    assert world.say("ghost", "panic matched KB-0002").reason == "no_panic"


def test_silent_after_a_maintainer_spoke_first_and_the_verdict_is_recorded() -> None:
    world = World()
    world.write(MAINTAINER, "That is the known limit.")
    decision = world.open()

    assert (decision.reason, decision.actions, decision.verdict and decision.verdict.outcome) == (
        "maintainer_first",
        (),
        Outcome.MATCHED,
    )


def test_silent_also_later_when_a_maintainer_spoke_before_the_panic_came() -> None:
    world = World("It crashes.")
    world.open()
    world.say(MAINTAINER, "Which version is it?")

    assert world.say(AUTHOR, "panic matched KB-0001").reason == "maintainer_first"


def test_words_to_a_command_do_not_become_an_uninvited_answer() -> None:
    world = World()
    world.write(MAINTAINER, "That is the known limit.")
    world.open()
    world.say(AUTHOR, "/triage explain KB-0002")
    said = world.visible()
    decision = world.edit_issue("panic matched KB-0001, and more of the log")

    assert (decision.reason, world.visible(), len(said)) == ("maintainer_first", said, 1)


def test_words_to_a_command_take_no_answer_away_where_nobody_spoke_first() -> None:
    world = World("It crashes.")
    world.open()
    world.say(AUTHOR, "/triage explain KB-0002")

    assert world.edit_issue("panic matched KB-0001").reason == "edited"


@pytest.mark.parametrize("body", ["+1", "same here, https://example.org"])
def test_anybody_else_may_have_spoken_first(body: str) -> None:
    world = World()
    world.write(STRANGER, body)

    assert world.open().reason == "answered"


def test_a_command_alone_is_not_speaking_first() -> None:
    world = World("It crashes.")
    world.open()
    world.say(MAINTAINER, "/triage help")
    world.say(AUTHOR, "panic matched KB-0001")

    assert len(world.visible()) == 1


def test_unknown_permission_of_the_first_speaker_is_asked_for_again_in_silence() -> None:
    world = World(permissions={STRANGER: Permission.UNKNOWN})
    world.write(STRANGER, "I know this one.")
    decision = world.open()
    world.permissions[STRANGER] = Permission.NO

    assert (decision.retry, decision.actions, world.open().reason) == ("permission_unknown", (), "answered")


def test_a_maintainer_who_speaks_after_us_changes_nothing() -> None:
    world = World()
    world.open()
    decisions = [world.say(MAINTAINER, "Right."), world.edit_issue("panic matched KB-0002")]

    assert ([d.reason for d in decisions], world.visible()) == (["unchanged", "edited"], ["matched KB-0002"])


def test_an_opt_out_label_silences() -> None:
    world = World(rules=Rules(opt_out_label="no-bot"), facts={"labels": ("bug", "no-bot")})

    assert world.open().reason == "opted_out"


@pytest.mark.parametrize(
    ("rules", "body", "reason"),
    [
        (Rules(ask=False), "panic ambiguous", "asking_is_off"),
        (Rules(speak=frozenset({Outcome.MATCHED})), "panic foreign KB-0001", "not_configured"),
        (Rules(mode=Mode.OFF), "panic matched KB-0001", "off"),
        (Rules(mode=Mode.SHADOW), "panic matched KB-0001", "shadow_answered"),
    ],
)
def test_a_repository_may_restrict_us(rules: Rules, body: str, reason: str) -> None:
    world = World(body, rules=rules)
    decision = world.open()

    assert (decision.reason, decision.actions, world.memory.state) == (reason, (), "none")


@pytest.mark.parametrize(("mode", "who"), [(Mode.OFF, MAINTAINER), (Mode.SHADOW, AUTHOR), (Mode.SHADOW, STRANGER)])
def test_commands_of_the_silent_time_do_not_run_when_we_are_switched_on(mode: Mode, who: str) -> None:
    world = World(rules=Rules(mode=mode))
    world.say(who, "/triage explain KB-0001")
    world.rules = Rules(since="2026-06-01T00:30:00Z")
    decision = world.event("issues", "edited", AUTHOR)

    assert (decision.reason, world.reactions, world.own) == ("issue_older_than_install", [], {})


def test_own_comments_and_other_bots_change_nothing() -> None:
    world = World()
    world.open()
    own = world.memory.comment_id
    decisions = [
        world.event("issue_comment", "created", "burn-triage[bot]", own),
        world.event("issue_comment", "edited", "burn-triage[bot]", own),
        world.say("dependabot[bot]", "/triage delete\n\npanic matched KB-0003"),
        world.say("renovate[bot]", "<!-- burn-triage:v1 1 2 x -->"),
    ]

    assert [d.actions for d in decisions] == [(), (), (), ()]


def test_close_with_comment_comes_as_two_events_and_draws_one_reaction_at_most() -> None:
    world = World()
    world.open()
    number = world.write(AUTHOR, "Solved.\n/triage hide")
    world.facts["state"] = "closed"
    world.event("issue_comment", "created", AUTHOR, number)
    second = world.event("issues", "closed", AUTHOR)

    assert (world.reactions, second.actions, world.visible()) == ([(number, "+1")], (), [])


def test_a_panic_in_the_closing_comment_stays_unanswered() -> None:
    world = World("It crashes.")
    world.open()
    number = world.write(AUTHOR, "It was panic matched KB-0001")
    world.facts["state"] = "closed"
    decisions = [world.event("issues", "closed", AUTHOR), world.event("issue_comment", "created", AUTHOR, number)]

    assert [d.reason for d in decisions] == ["closed", "closed"]


def test_the_same_event_five_times_is_one_comment() -> None:
    world = World()
    decisions = [world.open() for _ in range(5)]

    assert sum(isinstance(a, UpsertComment) for d in decisions for a in d.actions) == 1


@pytest.mark.parametrize(
    "body", ["cc @octocat", "<b>x</b>", "fixes #1", "![x](https://example.org/x.png)", "a\u202eb", "x" * 70_000]
)
def test_what_would_do_harm_is_never_written(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.world.render", lambda *_args, **_rest: body)
    world = World()
    decision = world.open()

    assert (decision.reason, decision.actions, world.memory.state) == ("unsafe_comment", (), "none")
