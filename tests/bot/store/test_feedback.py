"""Repeats, answers with what became of them, and reactions, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from bot.feedback import RIGHT, SET, WRONG, Decided
from bot.ports import Target
from bot.store import answers, backfills, disputes, installations, issues, occurrences, privacy, reactions
from bot.store.backfills import Progress
from bot.store.occurrences import Occurrence
from bot.triage.snapshot import Dispute, IssueMemory
from tests.bot.store.rows import a_delivery

BURN = Target("tracel-ai/burn", 5, 7, 70, 11)
SHOWN = Occurrence("matched", "KB-0001", "fp1:a", "s1", "open", "2026-01-07T00:00:00Z")


def issue(number: int) -> Target:
    return replace(BURN, number=number, issue_id=number * 10)


def show(engine: Engine, number: int, **changes: object) -> None:
    found = replace(SHOWN, **({"opened_at": f"2026-01-{number:02}T00:00:00Z"} | changes))  # type: ignore[arg-type]
    with engine.begin() as conn:
        occurrences.write(conn, issue(number), found, 1.0)


def same(engine: Engine, number: int = 7, fingerprint: str | None = "fp1:a", site: str | None = "s1") -> list[int]:
    with engine.connect() as conn:
        return occurrences.same_panic(conn, issue(number), fingerprint=fingerprint, site=site)


def test_repeats_are_the_oldest_open_issues_first_and_never_the_issue_itself(engine: Engine):
    for number, state in ((9, "open"), (3, "closed"), (4, "open"), (7, "open"), (2, "closed"), (8, "open")):
        show(engine, number, state=state)
    assert same(engine) == [4, 8, 9]
    assert same(engine, 4) == [7, 8, 9]
    with engine.begin() as conn:
        occurrences.note_state(conn, issue(8), "closed")
    assert same(engine) == [4, 9, 2]


def test_a_site_or_a_fingerprint_is_enough_and_other_repositories_are_not_looked_at(engine: Engine):
    show(engine, 1, fingerprint="fp1:b")
    show(engine, 2, site=None)
    show(engine, 3, fingerprint="fp1:b", site=None)
    with engine.begin() as conn:
        occurrences.write(conn, replace(BURN, repo_id=6, issue_id=71), SHOWN, 1.0)
    assert (same(engine), same(engine, site=None), same(engine, fingerprint=None, site=None)) == ([1, 2], [2], [])


def test_an_issue_that_shows_another_panic_or_is_gone_is_no_repeat(engine: Engine):
    show(engine, 1)
    show(engine, 2)
    show(engine, 1, fingerprint="fp1:b", site="s2")
    with engine.begin() as conn:
        occurrences.forget(conn, issue(2))
    assert same(engine) == []


def test_repeated_panics_are_counted_for_maintainers(engine: Engine):
    for number, (fingerprint, state) in enumerate(
        [("x", "closed"), ("x", "open"), ("x", "open"), ("y", "open"), ("z", "open"), ("z", "open")], 1
    ):
        show(engine, number, fingerprint=fingerprint, state=state)
    with engine.connect() as conn:
        found = occurrences.repeated(conn, "Tracel-AI/Burn")
        late = occurrences.repeated(conn, since="2026-01-03T00:00:00Z")
        none = occurrences.repeated(conn, "else/where")
    assert [(r.fingerprint, r.issues, r.open, r.first) for r in found] == [("x", 3, 2, 1), ("z", 2, 2, 5)]
    assert ([r.fingerprint for r in late], none) == (["z"], [])


def answer(number: int, entry: str | None = "KB-0001") -> str:
    return f"matched|{entry or '-'}|o/r@v1:{number}"


def test_precision_keeps_confirmed_and_open_disputes_apart(engine: Engine):
    delivery = a_delivery(engine)
    with engine.begin() as conn:
        for number in range(1, 9):
            answers.give(conn, issue(number), answer(number), delivery, 1.0)
        answers.give(conn, issue(9), answer(9, None), delivery, 1.0)
        answers.give(conn, issue(10), answer(10, "KB-0002"), delivery, 2.0)
        for number, word in ((1, WRONG), (2, WRONG), (3, RIGHT)):
            answers.decide(conn, issue(number), Decided(answer(number), word), 2.0)
        answers.decide(conn, issue(10), Decided(answer(10, "KB-0002"), SET), 2.0)
        for number, counted in ((2, True), (4, True), (5, False)):
            said = Dispute(f"user{number}", f"2026-11-30T10:00:0{number}Z", "", "others", answer(number), counted)
            disputes.add(conn, delivery, issue(number), [said])
    with engine.connect() as conn:
        rows = answers.precision(conn, "tracel-ai/burn")
    assert [(r.entry, r.answers, r.right, r.wrong, r.disputed) for r in rows] == [
        ("", 9, 1, 2, 1),
        ("KB-0001", 8, 1, 2, 1),
        (None, 1, 0, 0, 0),
    ]
    assert (rows[1].confirmed, rows[1].at_least) == (0.75, 0.625)


def test_without_answers_there_is_no_share(engine: Engine):
    with engine.connect() as conn:
        [total] = answers.precision(conn)
    assert (total.answers, total.confirmed, total.at_least) == (0, None, None)


def test_a_maintainers_last_word_holds_and_what_a_maintainer_gave_is_not_ours(engine: Engine):
    with engine.begin() as conn:
        answers.give(conn, BURN, answer(1), 1, 1.0)
        answers.decide(conn, BURN, Decided(answer(1), WRONG, "KB-0002"), 2.0)
        answers.give(conn, BURN, answer(1, "KB-0002"), 2, 2.0)
        for word in (SET, WRONG):
            answers.decide(conn, BURN, Decided(answer(1, "KB-0002"), word), 2.0)
        answers.decide(conn, BURN, Decided(answer(1), SET), 3.0)
        found = answers.confirmed(conn)
    assert [(c.answer, c.decided, c.right_entry) for c in found] == [(answer(1), RIGHT, None)]


@pytest.fixture
def commented(engine: Engine) -> list[int]:
    """Three comments of ours, on issues 1 to 3."""
    with engine.begin() as conn:
        installations.add_repository(conn, 5, "tracel-ai/burn", 11, "2026-11-01T00:00:00Z")
        for number in (1, 2, 3):
            issues.write(conn, issue(number), IssueMemory(comment_id=900 + number), 1.0)
        issues.write(conn, issue(4), IssueMemory(), 1.0)
    return [901, 902, 903]


def test_comments_are_counted_in_turn_and_gone_ones_no_more(engine: Engine, commented: list[int]):
    with engine.begin() as conn:
        first = reactions.due(conn, before=100.0, limit=2)
        reactions.write(conn, first[0], {"+1": 2, "-1": 1, "heart": 1, "eyes": 3}, 50.0)
        reactions.write(conn, first[1], None, 60.0)
        then = reactions.due(conn, before=100.0, limit=5)
        again = reactions.due(conn, before=50.0, limit=5)
        totals = reactions.totals(conn)
    ids = [[comment.comment_id for comment in found] for found in (first, then, again)]
    assert ids == [[901, 902], [903, 901], [903]]
    assert (first[0].installation_id, totals) == (11, (3, 1))


def test_a_comment_that_went_keeps_its_last_counts(engine: Engine, commented: list[int]):
    with engine.begin() as conn:
        [first, *_] = reactions.due(conn, before=100.0, limit=1)
        reactions.write(conn, first, {"-1": 2}, 50.0)
        reactions.write(conn, first, None, 60.0)
        assert reactions.read(conn, 901) == {"-1": 2}


def test_reactions_are_told_by_the_entry_of_the_answer(engine: Engine, commented: list[int]):
    with engine.begin() as conn:
        for number, entry in ((1, "KB-0001"), (2, "KB-0001"), (3, None)):
            answers.give(conn, issue(number), answer(number, entry), 1, 1.0)
        for comment in reactions.due(conn, before=100.0, limit=3):
            reactions.write(conn, comment, {"+1": 1, "confused": 2}, 50.0)
        assert answers.liked(conn) == {"KB-0001": (2, 4), None: (1, 2)}


def test_a_walk_is_remembered(engine: Engine):
    walk = Progress(5, "tracel-ai/burn", 1.0, page=3, number=250, issues=240, panics=12)
    with engine.begin() as conn:
        backfills.write(conn, walk)
        backfills.write(conn, replace(walk, finished_at=2.0))
        assert backfills.read(conn, 5) == replace(walk, finished_at=2.0)


def test_an_issue_and_a_repository_are_forgotten_whole(engine: Engine, commented: list[int]):
    show(engine, 1)
    show(engine, 2)
    with engine.begin() as conn:
        for number in (1, 2):
            answers.give(conn, issue(number), answer(number), 1, 1.0)
        for comment in reactions.due(conn, before=100.0, limit=2):
            reactions.write(conn, comment, {}, 50.0)
        privacy.forget_issue(conn, "Tracel-ai/burn", 1, 1.0)
        left = (occurrences.same_panic(conn, BURN, fingerprint="fp1:a", site=None), answers.precision(conn)[0].answers)
        gone = reactions.read(conn, 901)
        installations.remove_repositories(conn, [5], 1.0)
        none = (occurrences.same_panic(conn, BURN, fingerprint="fp1:a", site=None), answers.precision(conn)[0].answers)
        assert (left, gone, none, reactions.read(conn, 902)) == (([2], 1), None, ([], 0), None)
