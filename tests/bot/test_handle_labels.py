"""Labels by verdict: on new issues alone, renewed when the verdict changes, and never against a person's will."""

from __future__ import annotations

import pytest

from bot.triage.model import Outcome
from bot.triage.policy import Mode, Rules
from tests.bot.world import MAINTAINER, World

LABELS = {Outcome.MATCHED: ("panic: known",), Outcome.UNKNOWN: ("panic: unknown", "needs triage")}


def world(body: str = "panic matched KB-0001", mode: Mode = Mode.ON, **more: object) -> World:
    return World(body=body, rules=Rules(mode=mode, labels=LABELS), **more)  # type: ignore[arg-type]


def labels(world: World) -> tuple[str, ...]:
    return tuple(world.facts.get("labels", ()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("panic matched KB-0001", ("panic: known",)),
        ("panic matched", ("panic: known",)),
        ("panic unknown", ("panic: unknown", "needs triage")),
        ("panic foreign KB-0002", ()),
        ("no crash here", ()),
    ],
)
def test_a_new_issue_gets_the_labels_of_its_verdict_said_or_unsaid(body: str, expected: tuple[str, ...]):
    issue = world(body)
    issue.open()
    assert labels(issue) == expected


def test_labels_are_put_on_once():
    issue = world()
    issue.open()
    again = issue.edit_issue("panic matched KB-0001 and more words")
    assert again.actions == ()


def test_another_verdict_brings_other_labels_and_leaves_those_of_people():
    issue = world(facts={"labels": ("bug", "needs triage")})
    issue.open()
    issue.edit_issue("panic unknown")
    first = labels(issue)
    issue.edit_issue("panic matched KB-0001")
    assert first == ("bug", "needs triage", "panic: unknown")
    assert labels(issue) == ("bug", "needs triage", "panic: known")


def test_what_a_person_took_off_stays_off_for_ever():
    issue = world()
    issue.open()
    issue.facts["labels"] = ()
    issue.edit_issue("panic unknown")
    issue.edit_issue("panic matched KB-0001")
    issue.facts["labels"] = ("panic: known",)
    issue.edit_issue("panic matched KB-0001 again")
    issue.facts["labels"] = ()
    issue.edit_issue("panic matched KB-0001 once more")
    assert labels(issue) == ()


@pytest.mark.parametrize(
    "facts",
    [
        {"created_at": "2026-05-31T00:00:00Z"},
        {"facts": {"state": "closed"}},
        {"facts": {"locked": True}},
        {"facts": {"is_pull_request": True}},
        {"facts": {"author_is_bot": True}},
        {"mode": Mode.SHADOW},
        {"mode": Mode.OFF},
    ],
    ids=str,
)
def test_where_we_may_not_speak_we_do_not_label(facts: dict[str, object]):
    issue = world(**facts)  # type: ignore[arg-type]
    issue.open()
    assert "panic: known" not in labels(issue)


def test_a_command_on_an_old_issue_brings_an_answer_and_no_label():
    issue = world(created_at="2026-05-31T00:00:00Z")
    issue.say(MAINTAINER, "/triage")
    assert (len(issue.visible()), labels(issue)) == (1, ())


def test_a_mute_is_a_mute_for_labels_too():
    issue = world("no crash")
    issue.open()
    issue.say(MAINTAINER, "/triage mute")
    issue.edit_issue("panic matched KB-0001")
    assert labels(issue) == ()


def test_labels_are_compared_as_github_does():
    issue = world(facts={"labels": ("Panic: KNOWN",)})
    issue.open()
    assert labels(issue) == ("Panic: KNOWN",)


def test_the_opt_out_label_is_known_in_any_case():
    issue = World(rules=Rules(opt_out_label="No-Triage"), facts={"labels": ("no-triage",)})
    assert issue.open().reason == "opted_out"
