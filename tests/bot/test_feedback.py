"""What people did to an answer, told as right, wrong or set; and what is no answer."""

from __future__ import annotations

import pytest

from bot.feedback import Decided, decided, entry_of, given, is_answer
from bot.triage.snapshot import Dispute, IssueMemory
from tests.bot.world import AUTHOR, MAINTAINER, OTHER, STRANGER, World

ONE = "matched|KB-0001|o/r@v1:a.rs:1"
TWO = "matched|KB-0002|o/r@v1:a.rs:1"
QUESTION = "ambiguous|-|o/r@v1:a.rs:1"


def dispute(by: str, answer: str = ONE) -> Dispute:
    return Dispute("x", "2026-11-30T10:00:00Z", "", by, answer, True)


@pytest.mark.parametrize(
    ("answer", "entry", "says"),
    [(ONE, "KB-0001", True), (QUESTION, None, False), ("ambiguous|KB-0003|x", "KB-0003", True), ("", None, False),
     ("foreign|KB-0004|fp1:a", "KB-0004", True), ("matched|-|x", None, True), ("odd", None, True)],
)  # fmt: skip
def test_an_answers_key_tells_its_entry(answer: str, entry: str | None, says: bool):
    assert (entry_of(answer), is_answer(answer)) == (entry, says)


def test_a_question_or_a_hidden_comment_gives_no_answer():
    states = [IssueMemory(state=state, answer=ONE) for state in ("answer", "question", "hidden", "words")]
    assert [given(memory) for memory in states] == [ONE, None, None, None]


@pytest.mark.parametrize(
    ("before", "after", "by", "expected"),
    [
        ({}, {}, "maintainer", [Decided(ONE, "wrong")]),
        ({}, {}, "author", []),
        ({}, {}, "others", []),
        ({}, {"upheld": True}, "", [Decided(ONE, "right")]),
        ({"upheld": True}, {"upheld": True}, "", []),
        ({}, {"entry": "KB-0001"}, "", [Decided(ONE, "right")]),
        ({}, {"entry": "KB-0002", "answer": TWO}, "", [Decided(ONE, "wrong", "KB-0002"), Decided(TWO, "set")]),
        ({"entry": "KB-0002"}, {"entry": "KB-0002"}, "", []),
        ({"answer": ""}, {"entry": "KB-0002", "answer": TWO}, "", [Decided(TWO, "set")]),
        ({"answer": QUESTION}, {"entry": "KB-0002", "answer": TWO}, "", [Decided(TWO, "set")]),
    ],
)
def test_a_maintainers_word_decides(before: dict, after: dict, by: str, expected: list[Decided]):
    memories = [IssueMemory(**({"state": "answer", "answer": ONE} | values)) for values in (before, after)]
    assert decided(*memories, [dispute(by)] if by else []) == expected


def said_by(world: World, *lines: tuple[str, str]) -> list[Decided]:
    world.open()
    words: list[Decided] = []
    for who, line in lines:
        before = world.memory
        decision = world.say(who, line)
        words += decided(before, world.memory, decision.disputes)
    return [Decided(w.answer.split("|")[1], w.decided, w.right_entry) for w in words]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (((AUTHOR, "/triage wrong"),), []),
        (((AUTHOR, "/triage wrong"), (MAINTAINER, "/triage wrong")), [Decided("KB-0001", "wrong")]),
        (((STRANGER, "/triage wrong"), (OTHER, "/triage wrong"), (MAINTAINER, "/triage show")),
         [Decided("KB-0001", "right")]),
        (((MAINTAINER, "/triage entry KB-0002"),), [Decided("KB-0001", "wrong", "KB-0002"), Decided("KB-0002", "set")]),
        (((AUTHOR, "/triage wrong"), (MAINTAINER, "/triage entry KB-0001")), [Decided("KB-0001", "right")]),
    ],
)  # fmt: skip
def test_commands_as_people_write_them_come_to_the_same(lines: tuple, expected: list[Decided]):
    assert said_by(World(), *lines) == expected
