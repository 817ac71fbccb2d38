"""The issue as it stands now, whatever became of it."""

from __future__ import annotations

import pytest

from bot.errors import PermanentError
from bot.github.marker import Marker, Marks
from bot.triage.actions import HideComment, UpsertComment
from bot.triage.snapshot import Permission
from tests.bot.github.stage import KEY, REPO, Stage


def test_an_issue_with_its_comments(stage: Stage) -> None:
    people = stage.github.people
    people.label_issue(REPO, 1, "bug")
    people.comment(REPO, 1, "ann", "Which version?")
    people.comment(REPO, 1, "renovate[bot]", "beep")
    people.comment(REPO, 1, "reporter", "0.18", app=stage.app)
    seen = stage.read()
    assert (seen.repo, seen.number, seen.title, seen.author) == (REPO, 1, "It panics", "reporter")
    assert (seen.repo_id, seen.issue_id) == (stage.repo.id, stage.repo.issues[1].id)
    assert (seen.state, seen.locked, seen.is_pull_request, seen.gone, seen.labels) == (
        "open",
        False,
        False,
        False,
        ("bug",),
    )
    assert [(c.author, c.is_bot, c.via_app, c.body) for c in seen.comments] == [
        ("ann", False, False, "Which version?"),
        ("renovate[bot]", True, False, "beep"),
        ("reporter", False, True, "0.18"),
    ]
    assert seen.own is None


def test_a_body_that_github_sends_as_null_is_empty(stage: Stage) -> None:
    stage.github.people.open_issue(REPO, "reporter", "no body", None)
    assert stage.read(2).body == ""


def test_a_deleted_account_is_the_ghost(stage: Stage) -> None:
    stage.github.people.comment(REPO, 1, "leaver", "bye").user = None
    stage.repo.issues[1].user = None
    seen = stage.read()
    assert (seen.author, seen.comments[0].author) == ("ghost", "ghost")


def test_every_page_of_comments_is_read(stage: Stage) -> None:
    for number in range(205):
        stage.github.people.comment(REPO, 1, "reporter", f"comment {number}")
    assert [c.body for c in stage.read().comments] == [f"comment {n}" for n in range(205)]


def test_people_get_their_permission_from_the_single_rights(stage: Stage) -> None:
    """The `permission` field calls triage and a custom role "read"."""
    asked = ["ann", "mel", "wil", "tri", "rea", "cus", "tracel-ai", "reporter", "nobody", "renovate[bot]"]
    yes = {"ann", "mel", "wil", "tri", "cus", "tracel-ai"}
    want = {login: Permission.YES if login in yes else Permission.NO for login in asked}
    assert stage.read(people=asked).permissions == want


def test_whom_to_ask_may_depend_on_the_comments(stage: Stage) -> None:
    stage.github.people.comment(REPO, 1, "tri", "/triage")
    seen = stage.read(people=lambda snapshot: [c.author for c in snapshot.comments])
    assert seen.permissions == {"tri": Permission.YES}


def test_a_permission_that_github_refuses_to_tell_is_unknown(stage: Stage) -> None:
    stage.github.fault("403", path="/permission$")
    assert stage.read(people=["ann"]).permissions == {"ann": Permission.UNKNOWN}


def test_our_comment_is_told_by_author_and_marker(stage: Stage) -> None:
    people, bot = stage.github.people, stage.app.bot.login
    mark = Marks((KEY,)).mark("forged", Marker(stage.repo.id, stage.repo.issues[1].id, "x"))
    people.comment(REPO, 1, "mallory", mark)
    people.comment(REPO, 1, bot, "without a marker")
    people.comment(
        REPO, 1, bot, Marks((b"guess",)).mark("other key", Marker(stage.repo.id, stage.repo.issues[1].id, "x"))
    )
    assert stage.read().own is None
    done = stage.publish(UpsertComment("Hello"))
    seen = stage.read()
    assert seen.own is not None
    assert (seen.own.id, seen.own.minimized) == (done["comment_id"], False)
    assert [c.author for c in seen.comments] == ["mallory", bot, bot]


def test_our_hidden_comment_says_so(stage: Stage) -> None:
    stage.publish(UpsertComment("Hello"))
    stage.publish(HideComment())
    own = stage.read().own
    assert own is not None
    assert own.minimized is True


def test_the_visible_one_of_two_is_the_one_that_speaks(stage: Stage) -> None:
    stage.publish(UpsertComment("A question?"), intent_id="q")
    answer = stage.publish(UpsertComment("The answer."), intent_id="a") | stage.publish(
        UpsertComment("The answer.", anew=True), intent_id="b"
    )
    own = stage.read().own
    assert own is not None
    assert own.id == answer["comment_id"]


def test_a_pull_request_is_told_apart(stage: Stage) -> None:
    stage.github.people.open_issue(REPO, "reporter", "a pull request", "", pull=True)
    assert stage.read(2).is_pull_request is True


def test_closed_and_locked(stage: Stage) -> None:
    stage.github.people.close_issue(REPO, 1)
    stage.github.people.lock_issue(REPO, 1)
    seen = stage.read()
    assert (seen.state, seen.locked) == ("closed", True)


def test_deleted_transferred_and_missing_issues_are_gone(stage: Stage) -> None:
    people = stage.github.people
    people.open_issue(REPO, "reporter", "to be moved", "x")
    other = stage.github.create_repo("tracel-ai/cubecl")
    stage.installation.repos.append(other)
    people.delete_issue(REPO, 1)
    people.transfer_issue(REPO, 2, "tracel-ai/cubecl")
    assert [stage.read(n).gone for n in (1, 2, 99)] == [True, True, True]
    assert stage.bot.read_issue("tracel-ai/cubecl", 1, installation_id=stage.installation.id).gone is False


def test_a_transferred_issue_brings_our_comment_along(stage: Stage) -> None:
    other = stage.github.create_repo("tracel-ai/cubecl")
    stage.installation.repos.append(other)
    stage.publish(UpsertComment("The answer."), intent_id="a")
    stage.github.people.transfer_issue(REPO, 1, "tracel-ai/cubecl")
    seen = stage.bot.read_issue("tracel-ai/cubecl", 1, installation_id=stage.installation.id)
    assert (seen.moved_here, seen.own, len(seen.comments)) == (True, None, 1)


def test_a_marker_of_ours_in_somebody_elses_comment_did_not_come_along(stage: Stage) -> None:
    stage.github.people.comment(REPO, 1, "ann", Marks([KEY]).mark("The answer.", Marker(8, 9, "a")))
    assert stage.read().moved_here is False


def test_a_renamed_repository_is_followed(stage: Stage) -> None:
    stage.github.people.rename_repo(REPO, "burn-next")
    seen = stage.read()
    assert (seen.repo, seen.repo_id, seen.gone) == ("tracel-ai/burn-next", stage.repo.id, False)


def test_a_repository_that_cannot_be_seen_any_more(stage: Stage) -> None:
    stage.repo.private = True
    stage.installation.repos.clear()
    with pytest.raises(PermanentError) as caught:
        stage.read()
    assert caught.value.reason == "repository_not_found"


def test_without_minimized_in_rest_graphql_is_asked(stage: Stage) -> None:
    """Older servers do not send the member."""
    from bot.github.comments import Own, minimized

    stage.publish(UpsertComment("Hello"))
    stage.publish(HideComment())
    session = stage.bot.clients.installation(stage.installation.id)
    raw = session.get(f"/repos/{REPO}/issues/comments/{stage.comments()[0].id}")
    del raw["minimized"]
    assert minimized(session, Own(raw, Marker(1, 1, "x"))) is True
