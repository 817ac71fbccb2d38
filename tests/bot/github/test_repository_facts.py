"""The configuration file, reactions and the issue history, read from the stand-in."""

from __future__ import annotations

from bot.ports import ConfigurationFile
from tests.bot.github.stage import REPO, Stage

PATH = ".github/burn-triage.yml"


def read(stage: Stage, etag: str = "") -> ConfigurationFile | None:
    return stage.bot.read_configuration(REPO, installation_id=stage.installation.id, etag=etag)


def test_the_file_comes_with_its_tag_and_date_and_once(stage: Stage) -> None:
    stage.github.add_commit(REPO, {PATH: "mode: shadow\n"})
    first = read(stage)
    assert first is not None
    assert (first.text, first.changed_at) == ("mode: shadow\n", "2026-11-30T12:00:00Z")
    assert read(stage, first.etag) is None
    stage.github.add_commit(REPO, {PATH: "mode: on\n"})
    changed = read(stage, first.etag)
    assert changed is not None
    assert changed.text == "mode: on\n"


def test_no_file_is_an_answer(stage: Stage) -> None:
    stage.github.add_commit(REPO, {"README.md": "x"})
    assert read(stage) == ConfigurationFile(None, "", "")


def test_an_empty_repository_has_no_file(stage: Stage) -> None:
    assert read(stage, 'W/"1"') == ConfigurationFile(None, "", "")


def test_a_folder_or_bytes_are_no_text(stage: Stage) -> None:
    stage.github.add_commit(REPO, {PATH + "/x": "mode: on"})
    folder = read(stage)
    stage.github.add_commit(REPO, {PATH: b"\xff\xfe"})
    found = read(stage)
    assert folder is not None
    assert found is not None
    assert (folder.text, found.text) == ("\0", "\0")


def test_reactions_are_counted_and_a_deleted_comment_is_none(stage: Stage) -> None:
    comment = stage.github.people.comment(REPO, 1, "ann", "Hello")
    for login, content in (("ann", "+1"), ("mel", "+1"), ("wil", "-1")):
        stage.github.people.react(comment, stage.github.world.user(login), content)
    where = {"installation_id": stage.installation.id}
    before = stage.bot.count_reactions(REPO, comment.id, **where)
    stage.github.people.delete_comment(comment.id)
    assert (before, stage.bot.count_reactions(REPO, comment.id, **where)) == ({"+1": 2, "-1": 1}, None)


def test_the_history_is_walked_oldest_first_from_any_page(stage: Stage) -> None:
    for n in range(2, 105):
        stage.github.people.open_issue(REPO, "reporter", f"Issue {n}", "text", pull=n == 50)
    stage.github.people.comment(REPO, 3, "reporter", "more")
    stage.github.people.close_issue(REPO, 2)
    where = {"installation_id": stage.installation.id}
    walked = list(stage.bot.past_issues(REPO, **where))
    later = list(stage.bot.past_issues(REPO, **where, page=2))
    numbers = [past.snapshot.number for past in walked]
    assert numbers == [n for n in range(1, 105) if n != 50]
    assert [(past.page, past.snapshot.number) for past in later] == [(2, n) for n in range(101, 105)]
    assert (walked[1].snapshot.state, walked[2].snapshot.comments[0].body) == ("closed", "more")
    assert stage.bot.count_issues(REPO, **where) == 104


def test_the_installation_of_a_repository_is_found(stage: Stage) -> None:
    stage.github.create_repo("somebody/else")
    assert stage.bot.find_installation(REPO) == stage.installation.id
    assert stage.bot.find_installation("somebody/else") is None
