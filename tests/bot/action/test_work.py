"""Runs of the Action against the stand-in: one comment for life, commands worked off once, silence where it is due."""

from __future__ import annotations

import pytest

from bot.errors import PermanentError, TransientError, UserError
from tests.bot.action.scene import OTHER_PANIC, PANIC, REPO, Scene, reactions


def test_a_new_issue_is_answered_and_an_edit_changes_that_comment(scene: Scene):
    number = scene.open()
    first = scene.act(number)
    again = scene.act(number)
    scene.github.people.edit_issue(REPO, number, body=OTHER_PANIC)
    third = scene.act(number, action="edited")
    assert [one.reason for one in (first, again, third)] == ["answered", "unchanged", "edited"]
    assert [("TensorId" in body, "embedding" in body) for body in scene.visible(number)] == [(True, False)]


def test_the_author_is_told_by_a_reaction_when_the_answer_changed(scene: Scene):
    number = scene.open()
    scene.act(number)
    scene.github.people.edit_issue(REPO, number, body=OTHER_PANIC)
    scene.act(number, action="edited")
    assert reactions(scene.repo.issues[number]) == ["rocket"]


def test_a_command_is_carried_out_once(scene: Scene):
    number = scene.open()
    scene.act(number)
    said = scene.say(number, "ann", "/triage hide")
    scene.commented(number, said)
    hidden, writes = scene.visible(number), scene.writes()
    scene.commented(number, said)
    assert (hidden, reactions(said), scene.writes()) == ([], ["+1"], writes)


def test_what_was_hidden_comes_back_by_a_command_and_stays(scene: Scene):
    number = scene.open()
    scene.act(number)
    for words in ("/triage hide", "/triage show"):
        scene.commented(number, scene.say(number, "ann", words))
    shown, writes = scene.visible(number), scene.writes()
    scene.act(number, action="edited")
    assert (len(shown), scene.writes()) == (1, writes)


def test_the_third_run_works_off_what_two_cancelled_ones_left(scene: Scene):
    number = scene.open()
    scene.act(number)
    said = [scene.say(number, who, words) for who, words in (("ann", "/triage help"), ("mel", "/triage mute"))]
    last = scene.say(number, "bob", "Same here.")
    scene.commented(number, last)
    assert ([reactions(one) for one in said], scene.visible(number)) == ([["+1"], ["+1"]], [])


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_run_that_dies_between_two_writes_loses_nothing(scene: Scene, kept: int):
    """The first writes of a run succeed, then GitHub answers no more; the next run does the rest and nothing twice."""
    number = scene.open()
    said = scene.say(number, "ann", "/triage help")
    scene.github.fault("503_before", verb="POST|PATCH", path=r"/(comments|reactions)", times=3, skip=kept)
    if kept < 2:
        with pytest.raises(TransientError):
            scene.commented(number, said)
    scene.github.faults.clear()
    scene.commented(number, said)
    scene.commented(number, said)
    assert (len(scene.ours(number)), reactions(said)) == (1, ["+1"])
    assert scene.visible(number)[0].count("`/triage help`:") == 1


def test_what_was_asked_stays_under_the_answer(scene: Scene):
    number = scene.open()
    scene.act(number)
    for words in ("/triage help", "/triage explain KB-0004"):
        scene.commented(number, scene.say(number, "ann", words))
    [body] = scene.visible(number)
    assert [body.count(text) for text in ("`/triage help`:", "`/triage explain KB-0004`:")] == [1, 1]


def test_two_others_hide_a_disputed_answer(scene: Scene):
    number = scene.open()
    scene.act(number)
    seen = []
    for who in ("bob", "eve"):
        scene.commented(number, scene.say(number, who, "/triage wrong"))
        seen.append(len(scene.visible(number)))
    assert seen == [1, 0]


def test_a_comment_of_ours_that_a_person_deleted_does_not_come_back_by_itself(scene: Scene):
    number = scene.open()
    scene.act(number)
    scene.github.people.delete_comment(scene.ours(number)[0].id, by="mel")
    scene.github.people.edit_issue(REPO, number, body=OTHER_PANIC)
    scene.act(number, action="edited")
    silent = scene.ours(number)
    scene.commented(number, scene.say(number, "ann", "/triage"))
    assert (silent, len(scene.visible(number))) == ([], 1)


def test_a_comment_that_a_person_edited_is_left_as_it_is(scene: Scene):
    number = scene.open()
    scene.act(number)
    own = scene.ours(number)[0]
    scene.github.people.edit_comment(own.id, f"Corrected by hand.\n\n{own.body.splitlines()[-1]}", by="mel")
    scene.github.people.edit_issue(REPO, number, body=OTHER_PANIC)
    outcome = scene.act(number, action="edited")
    assert (outcome.reason, scene.visible(number)[0].startswith("Corrected")) == ("edited_by_person", True)


def test_an_answer_whose_panic_is_gone_is_hidden_and_comes_back(scene: Scene):
    number = scene.open()
    scene.act(number)
    seen = []
    for body in ("Never mind.", PANIC):
        scene.github.people.edit_issue(REPO, number, body=body)
        scene.act(number, action="edited")
        seen.append(len(scene.visible(number)))
    assert (seen, len(scene.ours(number))) == ([0, 1], 1)


def test_marker_text_of_others_is_nothing(scene: Scene):
    number = scene.open()
    scene.say(number, "ann", f"<!-- burn-triage:v1 {scene.repo.id} {scene.repo.issues[number].id} answer.none -->")
    scene.act(number)
    assert len(scene.ours(number)) == 1


@pytest.mark.parametrize("label", ["no-triage", "No-Triage"])
def test_a_label_mutes_an_issue(scene: Scene, label: str):
    number = scene.open()
    scene.github.people.label_issue(REPO, number, label)
    outcome = scene.act(number)
    assert (outcome.reason, scene.writes()) == ("opted_out", 0)


def test_the_backlog_is_silent_until_a_command_asks(scene: Scene):
    number = scene.open()
    scene.inputs["INPUT_SINCE"] = "2999-01-01"
    silent = scene.act(number, action="edited")
    del scene.inputs["INPUT_SINCE"]
    first_commit = scene.act(number, action="edited")
    assert (silent.reason, first_commit.reason) == ("issue_older_than_install", "answered")


def test_an_issue_older_than_the_workflow_file_is_backlog(clock, tmp_path):
    from tests.fakes.github import FakeGitHub

    with FakeGitHub(clock.now) as github:
        old = Scene(github, clock, tmp_path)
        number = old.open()
        old.repo.commits.clear()
        clock.sleep(60)
        github.add_commit(REPO, {".github/workflows/burn-triage.yml": "name: x"})
        clock.sleep(60)
        github.add_commit(REPO, {".github/workflows/burn-triage.yml": "name: y"})
        reasons = [old.act(number, action="edited").reason, old.act(old.open()).reason]
    assert reasons == ["issue_older_than_install", "answered"]


def test_shadow_writes_nothing_and_says_what_it_would(scene: Scene):
    scene.inputs["INPUT_MODE"] = "shadow"
    number = scene.open()
    said = scene.say(number, "ann", "/triage")
    outcome = scene.commented(number, said)
    assert (outcome.reason, scene.writes()) == ("shadow_answered", 0)
    assert "embedding" in (outcome.would or "")


def test_in_shadow_a_maintainers_command_is_answered(scene: Scene):
    scene.inputs["INPUT_MODE"] = "shadow"
    number = scene.open()
    said = scene.say(number, "mel", "/triage")
    scene.commented(number, said)
    assert (len(scene.visible(number)), reactions(said)) == (1, ["+1"])


def test_the_repositorys_own_file_holds(scene: Scene):
    scene.github.add_commit(REPO, {".github/burn-triage.yml": "mode: on\nlabels: {matched: [panic]}\n"}, refs=["main"])
    scene.inputs["INPUT_MODE"] = "off"
    number = scene.open()
    scene.act(number)
    scene.act(number, action="edited")
    assert scene.repo.issues[number].labels == ["panic"]


def test_a_file_that_cannot_be_used_makes_it_silent(scene: Scene):
    scene.github.add_commit(REPO, {".github/burn-triage.yml": "mdoe: on\n"}, refs=["main"])
    outcome = scene.act(scene.open())
    assert (scene.writes(), "did you mean `mode`" in outcome.fault) == (0, True)


def test_a_pull_request_gets_a_reaction_alone(scene: Scene):
    number = scene.github.people.open_issue(REPO, "ann", "A change", PANIC, pull=True).number
    said = scene.say(number, "ann", "/triage")
    outcome = scene.commented(number, said)
    assert (outcome.reason, scene.ours(number), reactions(said)) == ("pull_request", [], ["confused"])


def test_a_deleted_issue_is_no_error(scene: Scene):
    number = scene.open()
    scene.github.people.delete_issue(REPO, number)
    assert scene.act(number).reason == "gone"


def test_an_action_of_the_event_that_is_not_ours_does_nothing(scene: Scene):
    outcome = scene.act(scene.open(), action="labeled")
    assert (outcome.reason, scene.github.seen) == ("action_not_handled", [])


def test_a_token_without_the_permission_is_refused(scene: Scene):
    number = scene.open()
    scene.github.fault("403", verb="POST", times=-1)
    with pytest.raises(PermanentError) as raised:
        scene.act(number)
    assert raised.value.reason == "forbidden"


def test_a_workflow_that_is_on_no_default_branch_needs_a_date(scene: Scene):
    scene.repo.commits.clear()
    with pytest.raises(UserError, match="set the input `since`"):
        scene.act(scene.open())


def test_a_permission_that_cannot_be_read_fails_the_run_and_the_next_one_goes_on(scene: Scene):
    number = scene.open()
    said = scene.say(number, "mel", "/triage entry KB-0004")
    scene.github.fault("403", verb="GET", path="/permission$", times=3)
    with pytest.raises(TransientError):
        scene.commented(number, said)
    before = reactions(said)
    scene.commented(number, said)
    assert (before, reactions(said)) == ([], ["+1"])


def test_a_post_of_unknown_fate_is_looked_up(scene: Scene):
    number = scene.open()
    scene.github.fault("502_after", verb="POST", path="/comments$")
    scene.act(number)
    assert len(scene.ours(number)) == 1


@pytest.mark.parametrize("gone", ["minimised", "deleted"])
def test_words_to_a_command_do_not_bring_back_what_a_person_took_away(scene: Scene, gone: str):
    number = scene.open()
    scene.act(number)
    own = scene.ours(number)[0]
    if gone == "minimised":
        scene.github.people.minimize_comment(own.id, "OFF_TOPIC")
    else:
        scene.github.people.delete_comment(own.id, by="mel")
    scene.commented(number, scene.say(number, "mel", "/triage help"))
    scene.act(number, action="edited")
    silent = ["Cause" in body for body in scene.visible(number)]
    scene.commented(number, scene.say(number, "mel", "/triage show"))
    assert (silent, ["Cause" in body for body in scene.visible(number)]) == ([False], [True])
