"""Which panic is the root, and why the others are not."""

from __future__ import annotations

import pytest

from bot.triage.extract import read
from bot.triage.model import Report, Role
from bot.triage.roles import cause_text

ECHOES = [
    "Can send message to the worker.: SendError { .. }",
    "called `Result::unwrap()` on an `Err` value: RecvError",
    "called `Result::unwrap()` on an `Err` value: PoisonError { .. }",
    "called `Result::unwrap()` on an `Err` value: Any { .. }",
    'Can delete the record.: Unknown("sending on a closed channel")',
    "Ordering is bigger than operations",
    "panic in a destructor during cleanup",
    "called `Result::unwrap()` on an `Err` value: CallError",
]


def panics(*pairs: tuple[str, str], prefix: str = "thread 'main' panicked at"):
    body = "\n\n".join(f"{prefix} {place}:\n{message}" for place, message in pairs)
    return read(Report(None, "A crash", f"```\n{body}\n```")).panics


@pytest.mark.parametrize("echo", ECHOES)
def test_an_echo_points_past_itself_wherever_it_stands(echo: str):
    cause = ("crates/burn-ir/src/a.rs:1:2", "The real fault of this run")
    after = panics(cause, ("crates/burn-train/src/b.rs:3:4", echo))
    before = panics(("crates/burn-train/src/b.rs:3:4", echo), cause)
    assert [p.role for p in after] == [Role.ROOT, Role.CONSEQUENCE]
    assert [p.role for p in before] == [Role.CONSEQUENCE, Role.ROOT]


@pytest.mark.parametrize("echo", ECHOES)
def test_an_echo_alone_is_the_root_and_says_to_look_further_up(echo: str):
    (only,) = panics(("crates/burn-train/src/b.rs:3:4", echo))
    assert only.role is Role.ROOT


def test_of_two_echoes_the_first_is_answered_as_what_it_is():
    first, second = panics(("a/src/b.rs:3:4", ECHOES[0]), ("a/src/b.rs:9:4", ECHOES[1]))
    assert (first.role, second.role) == (Role.ROOT, Role.CONSEQUENCE)
    assert "further up in the log" in first.why


def test_the_fusion_stream_is_an_echo_by_its_place():
    place = "burn-fusion-0.21.0/src/stream/execution/ordering.rs:65:38"
    out_of_step, cause = panics(
        (place, "index out of bounds: the len is 0 but the index is 0"), ("b/src/c.rs:1:1", "Boom")
    )
    assert (out_of_step.role, cause.role) == (Role.CONSEQUENCE, Role.ROOT)


def test_the_first_of_two_causes_is_the_root():
    assert [p.role for p in panics(("a/src/a.rs:1:1", "One"), ("a/src/b.rs:2:2", "Two"))] == [
        Role.ROOT,
        Role.CONSEQUENCE,
    ]


def test_the_same_place_again_is_a_duplicate_with_or_without_its_message():
    place = "a/src/a.rs:1:1"
    assert [p.role for p in panics((place, "One"), (place, "One"), (place, ""))] == [
        Role.ROOT,
        Role.DUPLICATE,
        Role.DUPLICATE,
    ]


def test_another_version_of_the_place_is_no_duplicate():
    _, second = panics(("burn-ir-0.18.0/src/a.rs:1:1", "One"), ("burn-ir-0.19.0/src/a.rs:1:1", "One"))
    assert second.role is Role.CONSEQUENCE


def test_the_clock_of_the_log_beats_the_order_of_the_paste():
    body = "\n".join(
        f"2026-05-28T10:41:0{second}.118Z ERROR x: PANIC => panicked at a/src/{name}.rs:1:1:\n{name} went wrong"
        for second, name in ((9, "late"), (3, "early"))
    )
    late, early = read(Report(None, "A crash", f"```\n{body}\n```")).panics
    assert (late.role, early.role) == (Role.CONSEQUENCE, Role.ROOT)


def test_words_alone_are_never_the_root_beside_a_printed_panic():
    report = Report(
        None, "It dies with `No session is open here`", "", ("thread 'main' panicked at a/src/a.rs:1:1:\nBoom",)
    )
    assert [(p.headline, p.role) for p in read(report).panics] == [
        ("No session is open here", Role.CONSEQUENCE),
        ("Boom", Role.ROOT),
    ]


def test_a_call_error_is_unwrapped_to_its_cause():
    whole = "called `Result::unwrap()` on an `Err` value: CallError(task panicked on device\nrunner thread: Boom: X(3))"
    assert cause_text(whole) == "Boom: X(3)"
    assert cause_text("Plain") == "Plain"


def test_a_title_with_a_letter_for_the_number_tells_of_the_same_panic():
    body = "```\nthread 'w' panicked at crates/burn-ir/src/a.rs:1:2:\nThe box 17 is not on shelf 4\n```"
    (only,) = read(Report(None, "Every run ends (`The box N is not on shelf X`, Linux)", body)).panics
    assert only.message == "The box 17 is not on shelf 4"


def test_a_title_with_a_letter_for_the_number_of_another_text_is_a_panic_of_its_own():
    body = "```\nthread 'w' panicked at crates/burn-ir/src/a.rs:1:2:\nThe box 17 is not on shelf 4\n```"
    found = read(Report(None, "Every run panics with `The crate N is not on shelf X`", body)).panics
    assert len(found) == 2
