"""Commands are found in prose alone, and an edit runs only what it adds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands._parse import MAX_PER_COMMENT, calls_in, new_calls
from bot.triage.conversation import prose_lines
from bot.triage.snapshot import CommentSnapshot, IssueMemory, IssueSnapshot

NOW = "2026-06-02T00:00:00Z"


def comment(body: str, number: int = 5, **facts: object) -> CommentSnapshot:
    plain = {"author": "reporter", "is_bot": False, "created_at": NOW, "updated_at": NOW}
    return CommentSnapshot(id=number, body=body, **(plain | facts))  # type: ignore[arg-type]


def issue(*comments: CommentSnapshot, body: str = "") -> IssueSnapshot:
    return IssueSnapshot("o/r", 1, 7, 2, "t", body, "reporter", False, NOW, NOW, comments=comments)


def read(body: str) -> list[tuple[str, str]]:
    return [(call.name, call.argument) for call in calls_in(comment(body), prose_lines, comment_id=5)]


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("/triage", [("", "")]),
        ("/triage help", [("help", "")]),
        ("/TRIAGE Help", [("help", "")]),
        ("  /triage   wrong   it is   mine ", [("wrong", "it is mine")]),
        ("Thanks!\n/triage hide\n\n/triage show", [("hide", ""), ("show", "")]),
        ("/triage.", [("", "")]),
        ("/triage help!", [("help", "")]),
        ("- item\n\n/triage mute", [("mute", "")]),
        ("\u200b/triage help", [("help", "")]),
        ("/triage\thelp", [("help", "")]),
        ("/triage entry KB-0003 please", [("entry", "KB-0003 please")]),
    ],
)
def test_a_line_of_prose_that_begins_with_the_word(body: str, calls: list[tuple[str, str]]) -> None:
    assert read(body) == calls


@pytest.mark.parametrize(
    "body",
    [
        "see /triage help",
        "`/triage help`",
        "``/triage help``",
        "```\n/triage help\n```",
        "~~~\n/triage help\n~~~",
        "````\n```\n/triage help\n````",
        "    /triage help",
        "> /triage help",
        "> quoted\n/triage lazy",
        "<!-- \n/triage help\n-->",
        "<!--\n\n/triage help\n\n-->",
        "<details>\n/triage help\n</details>",
        "<pre>\n/triage help\n</pre>",
        "`code\n/triage help\nmore`",
        "/triagehelp",
        "/triage-help",
        "/triage/help",
        "//triage help",
        "\\/triage help is the command",
        "@bot /triage help",
        "",
    ],
)
def test_everything_else_is_no_command(body: str) -> None:
    assert read(body) == []


@given(st.text(alphabet="/triagehlp `~>\n<!-x", max_size=60))
def test_any_text_is_read_without_a_crash(body: str) -> None:
    assert all(call.line.startswith("/triage") for call in calls_in(comment(body), prose_lines, comment_id=5))


def keys(
    *comments: CommentSnapshot, run: frozenset[str] = frozenset(), since: str = "2026-06-01T00:00:00Z"
) -> list[str]:
    memory = IssueMemory(commands_run=run, installed_at=since)
    return [call.key for call in new_calls(issue(*comments), memory, prose_lines)]


def test_an_edit_runs_only_what_it_adds() -> None:
    first = keys(comment("/triage help"))
    second = keys(comment("/triage hide\n/triage help"), run=frozenset(first))

    assert (first, second) == (["5:/triage help#1"], ["5:/triage hide#1"])


def test_the_same_line_twice_is_two_commands() -> None:
    assert keys(comment("/triage\n/triage")) == ["5:/triage#1", "5:/triage#2"]


def test_an_edit_that_only_moves_or_spaces_a_command_runs_nothing() -> None:
    run = frozenset(keys(comment("/triage wrong because")))

    assert keys(comment("Well:\n\n  /Triage WRONG   because"), run=run) == []


def test_a_comment_runs_a_few_commands_in_its_life() -> None:
    body = "\n".join(f"/triage explain KB-{n:04}" for n in range(20))
    first = keys(comment(body))
    second = keys(comment(body + "\n/triage mute"), run=frozenset(first))

    assert (len(first), second) == (MAX_PER_COMMENT, [])


def test_comments_older_than_the_installation_run_nothing_even_when_edited() -> None:
    old = comment("/triage help", created_at="2026-05-01T00:00:00Z", updated_at="2026-07-01T00:00:00Z")

    assert keys(old) == []


@pytest.mark.parametrize("facts", [{"is_bot": True}, {"via_app": True}])
def test_machines_run_nothing(facts: dict[str, bool]) -> None:
    assert keys(comment("/triage delete", **facts)) == []


def test_commands_run_oldest_comment_first_and_the_issue_itself_before_all() -> None:
    snapshot = issue(comment("/triage show", 9), comment("/triage hide", 8), body="It fails.\n\n/triage help")
    found = new_calls(snapshot, IssueMemory(), prose_lines)

    assert [(call.name, call.comment_id) for call in found] == [("help", None), ("hide", 8), ("show", 9)]


def test_a_very_long_line_makes_a_short_key() -> None:
    assert len(keys(comment("/triage explain " + "x" * 10_000))[0]) < 140
