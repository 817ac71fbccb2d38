"""The rules of speaking, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.triage.model import Outcome, PanicReport, Place, Reading, SourceRef, Verdict
from bot.triage.policy import (
    Rules,
    answer_key,
    closed_to_us,
    is_author,
    is_question,
    may_say,
    moment,
    permission_of,
    read_until,
    report_of,
    spoken_for,
    with_chosen_entry,
)
from bot.triage.snapshot import CommentSnapshot, IssueMemory, IssueSnapshot, Permission
from kb.model import Revision

NOW = "2026-06-02T00:00:00Z"
NEW = IssueMemory(installed_at="2026-06-01T00:00:00Z")


def issue(*comments: CommentSnapshot, **facts: Any) -> IssueSnapshot:
    return replace(
        IssueSnapshot("o/r", 1, 7, 2, "Title", "Body", "Reporter", False, NOW, NOW, comments=comments), **facts
    )


def comment(author: str, body: str = "words", number: int = 5, at: str = NOW, **facts: Any) -> CommentSnapshot:
    return CommentSnapshot(number, author, facts.pop("is_bot", False), body, at, at, **facts)


def verdict(outcome: Outcome, entry: str | None = None, **facts: Any) -> Verdict:
    panic = PanicReport("boom", None, "rust_1_73", SourceRef("body"))
    return Verdict(outcome, Reading((panic,)), entry=entry, **facts)


def place(line: int = 1, revision: str = "v0.1.0") -> Place:
    return Place("o/r", Revision("o/r", revision, "a" * 40, NOW, 0), "src/lib.rs", line, "f")


@pytest.mark.parametrize(
    ("text", "same"),
    [("2026-06-02", "2026-06-02T00:00:00Z"), ("2026-06-02T02:00:00+02:00", NOW), ("2026-06-02T00:00:00", NOW)],
)
def test_a_time_without_a_zone_is_utc(text: str, same: str) -> None:
    assert moment(text) == moment(same)


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid isoformat"):
        moment("yesterday")


def test_logins_are_compared_without_case_and_a_deleted_account_is_nobody() -> None:
    assert [is_author(issue(), "REPORTER"), is_author(issue(author="ghost"), "ghost")] == [True, False]


@pytest.mark.parametrize(
    ("login", "permission"),
    [("Steward", "yes"), ("steward", "yes"), ("nobody", "unknown"), ("ghost", "no"), ("reader", "no")],
)
def test_permission_as_it_was_read(login: str, permission: str) -> None:
    known = {"Steward": Permission.YES, "reader": Permission.NO, "ghost": Permission.YES}

    assert permission_of(issue(permissions=known), login) == permission


@pytest.mark.parametrize(
    ("comments", "reason"),
    [
        ([comment("steward")], "maintainer_first"),
        ([comment("steward", "/triage\n/triage help")], ""),
        ([comment("steward", "/triage\nIt is known.")], "maintainer_first"),
        ([comment("steward", "\n \n")], ""),
        ([comment("ci[bot]", is_bot=True)], ""),
        ([comment("reporter")], ""),
        ([comment("reader")], ""),
        ([comment("reader"), comment("new", number=6)], "permission_unknown"),
        ([comment("new"), comment("steward", number=6)], "maintainer_first"),
    ],
)
def test_who_spoke_first(comments: list[CommentSnapshot], reason: str) -> None:
    known = {"steward": Permission.YES, "reader": Permission.NO, "reporter": Permission.YES}

    assert spoken_for(issue(*comments, permissions=known)) == reason


def test_who_spoke_first_counts_only_until_we_spoke() -> None:
    snapshot = issue(comment("steward"), permissions={"steward": Permission.YES})

    assert [closed_to_us(snapshot, replace(NEW, state=s), Rules()) for s in ("none", "answer", "hidden")] == [
        "maintainer_first",
        "",
        "",
    ]


def test_an_empty_opt_out_label_opts_nobody_out() -> None:
    assert closed_to_us(issue(labels=("",)), NEW, Rules()) == ""


def test_what_is_read() -> None:
    snapshot = issue(
        comment("reporter", "mine", 5),
        comment("other", "theirs", 6),
        comment("other", "asked for", 7),
        comment("reporter", "by an app", 8, via_app=True),
    )
    report = report_of(snapshot, replace(NEW, included=frozenset({7})))

    assert (report.title, report.body, report.comments, report.repo, report.created_at) == (
        "Title",
        "Body",
        ("mine", "asked for"),
        "o/r",
        NOW,
    )


def test_until_when_the_author_was_read() -> None:
    late = "2026-06-03T00:00:00Z"
    snapshot = issue(comment("reporter", at=late), comment("other", at="2026-06-04T00:00:00Z", number=6))

    assert (read_until(snapshot), read_until(issue())) == (late, NOW)


@pytest.mark.parametrize(
    ("found", "invited", "why"),
    [
        (verdict(Outcome.MATCHED), False, ""),
        (verdict(Outcome.MATCHED), True, ""),
        (verdict(Outcome.AMBIGUOUS), False, "asking_is_off"),
        (verdict(Outcome.AMBIGUOUS), True, ""),
        (verdict(Outcome.FOREIGN), True, "foreign_without_entry"),
        (verdict(Outcome.FOREIGN, "KB-0001"), False, "not_configured"),
        (verdict(Outcome.FOREIGN, "KB-0001"), True, ""),
        (verdict(Outcome.UNKNOWN), True, "unknown_panic"),
        (verdict(Outcome.NONE), True, "no_panic"),
    ],
)
def test_what_may_be_said(found: Verdict, invited: bool, why: str) -> None:
    rules = Rules(speak=frozenset({Outcome.MATCHED, Outcome.AMBIGUOUS}), ask=False)

    assert may_say(found, NEW, rules, invited=invited) == why


@pytest.mark.parametrize("outcome", [Outcome.MATCHED, Outcome.AMBIGUOUS, Outcome.FOREIGN, Outcome.UNKNOWN])
def test_an_entry_set_by_a_maintainer_is_said(outcome: Outcome) -> None:
    assert may_say(verdict(outcome), replace(NEW, entry="KB-0001"), Rules(), invited=False) == ""


def test_a_chosen_entry_takes_claims_of_the_other_one_back() -> None:
    got = with_chosen_entry(verdict(Outcome.MATCHED, "KB-0001", fixed_in="v1"), "KB-0002")

    assert (got.entry, got.fixed_in, got.evidence[-1].text) == ("KB-0002", None, "KB-0002 was set by a maintainer")


@pytest.mark.parametrize(
    ("found", "entry"),
    [
        (verdict(Outcome.MATCHED, "KB-0001", fixed_in="v1"), "KB-0001"),
        (verdict(Outcome.NONE), "KB-0001"),
        (verdict(Outcome.MATCHED), None),
    ],
)
def test_nothing_to_choose_changes_nothing(found: Verdict, entry: str | None) -> None:
    assert with_chosen_entry(found, entry) == found


def test_only_an_ambiguous_verdict_without_entry_is_a_question() -> None:
    kinds = [verdict(o, e) for o in (Outcome.AMBIGUOUS, Outcome.MATCHED) for e in (None, "KB-0001")]

    assert [is_question(kind) for kind in kinds] == [True, False, False, False]


def test_the_key_of_an_answer_tells_answers_apart_and_holds_no_text_of_the_report() -> None:
    answers = [
        verdict(Outcome.MATCHED, place=place()),
        verdict(Outcome.MATCHED, place=place(2)),
        verdict(Outcome.MATCHED, place=place(revision="v0.2.0")),
        verdict(Outcome.MATCHED, "KB-0001", place=place()),
        verdict(Outcome.AMBIGUOUS, candidates=(place(), place(2))),
        verdict(Outcome.FOREIGN, "KB-0001", fingerprint="fp1:1"),
        verdict(Outcome.FOREIGN, "KB-0001", fingerprint="fp1:2"),
    ]
    keys = [answer_key(answer) for answer in answers]

    assert (len(set(keys)), [key for key in keys if "boom" in key]) == (len(answers), [])


def test_the_order_of_candidates_is_no_other_answer() -> None:
    one = verdict(Outcome.AMBIGUOUS, candidates=(place(), place(2)))
    two = verdict(Outcome.AMBIGUOUS, candidates=(place(2), place()))

    assert answer_key(one) == answer_key(two)
