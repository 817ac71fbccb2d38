"""Actions on the stand-in: one comment for life, and doing it again changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import PermanentError
from bot.github.auth import TokenCredentials
from bot.github.gateway import connect
from bot.github.marker import MAX_BODY, body_hash, strip
from bot.github.publish import is_content_write
from bot.ports import Target
from bot.triage.actions import DeleteComment, HideComment, React, ShowComment, UpsertComment
from tests.bot.github.stage import REPO, Stage


def test_the_first_upsert_creates(stage: Stage) -> None:
    done = stage.publish(UpsertComment("Hello"))
    (comment,) = stage.comments()
    assert (comment.user, strip(comment.body)) == (stage.app.bot, "Hello")
    assert done == {
        "action": "UpsertComment",
        "did": "created",
        "reason": "",
        "comment_id": comment.id,
        "node_id": comment.node_id,
        "url": f"{stage.github.url}/{REPO}/issues/1#issuecomment-{comment.id}",
        "body_hash": body_hash("Hello"),
    }


def test_the_second_upsert_edits_in_place_and_keeps_the_marker(stage: Stage) -> None:
    stage.publish(UpsertComment("Hello"), intent_id="first")
    before = stage.comments()[0].body.splitlines()[-1]
    done = stage.publish(UpsertComment("Good bye"), intent_id="second")
    (comment,) = stage.comments()
    assert (done["did"], strip(comment.body), comment.body.splitlines()[-1]) == ("edited", "Good bye", before)


ACTIONS: list[Any] = [
    UpsertComment("Hello"),
    UpsertComment("Other"),
    HideComment(),
    HideComment("RESOLVED"),
    ShowComment(),
    React("eyes"),
    UpsertComment("Anew", anew=True),
    DeleteComment(),
]


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_the_same_again_changes_nothing(stage: Stage, action: Any) -> None:
    stage.publish(UpsertComment("Hello"), intent_id="first")
    issue = stage.repo.issues[1]
    stage.publish(action, intent_id="again")
    before = [(c.id, c.body, c.minimized, c.updated_at) for c in stage.comments()], len(issue.reactions)
    stage.clock.moment += 60
    stage.publish(action, intent_id="again")
    after = [(c.id, c.body, c.minimized, c.updated_at) for c in stage.comments()], len(issue.reactions)
    assert after == before


@pytest.mark.parametrize("action", [HideComment(), ShowComment(), DeleteComment()], ids=repr)
def test_where_we_have_no_comment_there_is_nothing_to_do(stage: Stage, action: Any) -> None:
    done = stage.publish(action)
    assert (done["did"], done["reason"]) == ("left", "no_comment")
    assert stage.writes == []


def test_hiding_and_showing(stage: Stage) -> None:
    stage.publish(UpsertComment("Hello"))
    did = [stage.publish(HideComment())["did"], stage.comments()[0].minimized]
    did += [stage.publish(ShowComment())["did"], stage.comments()[0].minimized]
    assert did == ["hidden", "OUTDATED", "shown", None]


def test_a_hidden_comment_is_shown_again_when_it_speaks(stage: Stage) -> None:
    first = stage.publish(UpsertComment("Hello"))
    stage.publish(HideComment())
    did = [stage.publish(UpsertComment("Hello"), comment_id=first["comment_id"])["did"]]
    stage.publish(HideComment())
    did += [stage.publish(UpsertComment("Other"), comment_id=first["comment_id"])["did"]]
    (comment,) = stage.comments()
    assert (did, comment.minimized, strip(comment.body)) == (["shown", "edited"], None, "Other")


def test_posting_anew_hides_the_question(stage: Stage) -> None:
    stage.publish(UpsertComment("A question?"), intent_id="q")
    done = stage.publish(UpsertComment("The answer.", anew=True), intent_id="a")
    assert [(strip(c.body), c.minimized) for c in stage.comments()] == [
        ("A question?", "OUTDATED"),
        ("The answer.", None),
    ]
    edited = stage.publish(UpsertComment("The answer, longer."), intent_id="b")
    assert (edited["did"], edited["comment_id"]) == ("edited", done["comment_id"])


def test_a_person_s_edit_is_left_alone(stage: Stage) -> None:
    first = stage.publish(UpsertComment("Hello"))
    stage.github.people.edit_comment(first["comment_id"], stage.comments()[0].body + "\n\nPS: see the FAQ", by="ann")
    done = stage.publish(UpsertComment("Other"), known_hashes=[first["body_hash"]])
    assert (done["did"], done["reason"]) == ("left", "edited_by_person")
    assert "PS: see the FAQ" in stage.comments()[0].body


def test_an_edit_of_ours_that_the_store_never_heard_of_is_no_person_s(stage: Stage) -> None:
    first = stage.publish(UpsertComment("Hello"))
    stage.publish(UpsertComment("Lost in a crash"))
    done = stage.publish(UpsertComment("Other"), known_hashes=[first["body_hash"]])
    assert done["did"] == "edited"


def test_other_line_ends_are_no_edit(stage: Stage) -> None:
    first = stage.publish(UpsertComment("One\nTwo"))
    comment = stage.comments()[0]
    comment.body, comment.editor = comment.body.replace("\n", "\r\n"), stage.github.world.user("ann")
    assert stage.publish(UpsertComment("One\nTwo"), known_hashes=[first["body_hash"]])["did"] == "unchanged"


def test_forged_markers_of_others_are_neither_edited_nor_deleted(stage: Stage) -> None:
    ours = stage.publish(UpsertComment("Hello"))
    body = stage.comments()[0].body
    stage.publish(DeleteComment())
    stage.github.people.comment(REPO, 1, "mallory", body)
    stage.publish(UpsertComment("Hello again"), comment_id=ours["comment_id"])
    stage.publish(DeleteComment())
    assert [(c.user.login if c.user else "", c.body) for c in stage.comments()] == [("mallory", body)]


def test_deleting_takes_question_and_answer(stage: Stage) -> None:
    stage.publish(UpsertComment("A question?"), intent_id="q")
    stage.publish(UpsertComment("The answer.", anew=True), intent_id="a")
    assert stage.publish(DeleteComment())["did"] == "deleted"
    assert stage.comments() == []


def test_reactions_to_the_issue_and_to_a_comment(stage: Stage) -> None:
    comment = stage.github.people.comment(REPO, 1, "ann", "/triage")
    stage.publish(React("+1"))
    stage.publish(React("eyes", comment.id))
    assert [r.content for r in stage.repo.issues[1].reactions] == ["+1"]
    assert [(r.user, r.content) for r in comment.reactions] == [(stage.app.bot, "eyes")]


def test_a_reaction_to_a_comment_that_is_gone(stage: Stage) -> None:
    comment = stage.github.people.comment(REPO, 1, "ann", "/triage")
    stage.github.people.delete_comment(comment.id)
    done = stage.publish(React("eyes", comment.id))
    assert (done["did"], done["reason"]) == ("left", "comment_gone")


def test_a_locked_conversation(stage: Stage) -> None:
    stage.github.people.lock_issue(REPO, 1)
    with pytest.raises(PermanentError) as caught:
        stage.publish(UpsertComment("Hello"))
    assert caught.value.reason == "locked"


def test_a_comment_that_vanishes_under_our_edit(stage: Stage) -> None:
    stage.publish(UpsertComment("Hello"))
    stage.github.fault("404", verb="PATCH")
    done = stage.publish(UpsertComment("Other"))
    assert (done["did"], done["reason"]) == ("left", "comment_gone")


def test_a_body_that_github_would_refuse_is_never_sent(stage: Stage) -> None:
    with pytest.raises(PermanentError) as caught:
        stage.publish(UpsertComment("x" * MAX_BODY))
    assert (caught.value.reason, stage.writes) == ("too_long", [])


def test_the_longest_body_fits_with_its_marker(stage: Stage) -> None:
    assert stage.publish(UpsertComment("x" * (MAX_BODY - 256)), intent_id="i" * 64)["did"] == "created"


def test_the_budget_is_asked_before_every_change(stage: Stage) -> None:
    number = stage.installation.id
    comment_id = stage.publish(UpsertComment("Hello"))["comment_id"]
    stage.publish(HideComment())
    stage.publish(UpsertComment("Other"), comment_id=comment_id)
    stage.publish(React("eyes"))
    stage.publish(DeleteComment())
    content = [True, False, True, False, True, False]  # create; hide; edit, show; react; delete
    assert stage.writes == [(number, flag) for flag in content]
    assert len(stage.github.writes(number)) == len(content)


@pytest.mark.parametrize("anew", [False, True])
def test_what_another_worker_posts_while_the_budget_lets_us_wait_is_seen(stage: Stage, anew: bool) -> None:
    """Both work on the same intent: this one's lease ran out while it waited."""
    action = UpsertComment("Hello", anew=anew)
    stage.bot = stage.connect(before_write=lambda *_: other.publish(action, stage.target(), intent_id="same"))
    other = stage.connect()
    stage.publish(action, intent_id="same")
    assert [strip(c.body) for c in stage.comments()] == ["Hello"]


def test_a_repository_renamed_after_the_reading(stage: Stage) -> None:
    target = stage.target()
    stage.github.people.rename_repo(REPO, "burn-next")
    done = stage.bot.publish(UpsertComment("Hello"), target, intent_id="x")
    assert done["did"] == "created"
    edited = stage.bot.publish(UpsertComment("Other"), target, intent_id="x")
    assert edited["did"] == "edited"
    assert [strip(c.body) for c in stage.github.comments("tracel-ai/burn-next", 1)] == ["Other"]


def test_with_the_token_of_an_action_and_no_key(stage: Stage) -> None:
    """There the author is github-actions[bot], which other workflows write as too."""
    stage.github.people.comment(REPO, 1, "github-actions[bot]", "Another workflow")
    bot = connect(TokenCredentials(stage.github.action_token(REPO)), base_url=stage.github.url, clock=stage.clock.now)
    target = Target(REPO, stage.repo.id, 1, stage.repo.issues[1].id, None)
    bot.publish(UpsertComment("Hello"), target, intent_id="x")
    bot.publish(UpsertComment("Other"), target, intent_id="x")
    own = bot.read_issue(REPO, 1, installation_id=None).own
    assert [strip(c.body) for c in stage.comments()] == ["Another workflow", "Other"]
    assert own is not None
    assert strip(own.body) == "Other"


def test_what_counts_as_content() -> None:
    actions = [UpsertComment("x"), React("eyes"), HideComment(), ShowComment(), DeleteComment()]
    assert [is_content_write(a) for a in actions] == [True, True, False, False, False]
