from __future__ import annotations

import pytest

from kb.std_panics import NEEDS, TEXTS, StdPanic, can_raise, prints, shown, std_panic

SPECIAL = {StdPanic.ANY, StdPanic.CALLED}


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("index out of bounds: the len is 1 but the index is 1", StdPanic.INDEX_OUT_OF_BOUNDS),
        ("range end index 5 out of range for slice of length 4", StdPanic.SLICE_RANGE),
        ("attempt to subtract with overflow", StdPanic.SUBTRACT_OVERFLOW),
        ("attempt to divide by zero", StdPanic.DIVIDE_BY_ZERO),
        ("attempt to divide with overflow", StdPanic.DIVIDE_OVERFLOW),
        ("attempt to calculate the remainder with a divisor of zero", StdPanic.REMAINDER_BY_ZERO),
        ("source slice length (2) does not match destination slice length (1)", StdPanic.SLICE_LENGTHS),
        (
            "copy_from_slice: source slice length (2) does not match destination slice length (1)",
            StdPanic.SLICE_LENGTHS,
        ),
        ("RefCell already borrowed", StdPanic.BORROWED),
        ("removal index (is 3) should be < len (is 3)", StdPanic.VEC_POSITION),
        ("the index is out of bounds, as I said", None),
        ("called `Option::unwrap()` on a `None` value", None),
    ],
)
def test_the_class_of_a_message(message, kind):
    assert std_panic(message) is kind


@pytest.mark.parametrize("kind", sorted(set(StdPanic) - SPECIAL))
def test_every_class_has_a_text_with_holes_that_is_of_that_class_and_of_no_other(kind):
    assert std_panic(shown(kind)) is kind
    assert [other for other in TEXTS if other is not kind and prints(other, shown(kind))] == []


def test_any_takes_every_class_and_nothing_else_and_called_takes_what_is_no_class():
    assert prints(StdPanic.ANY, "attempt to divide by zero")
    assert not prints(StdPanic.ANY, "ndarray: index 3 is out of bounds")
    assert prints(StdPanic.CALLED, "ndarray: index 3 is out of bounds")
    assert not prints(StdPanic.CALLED, "attempt to divide by zero")


@pytest.mark.parametrize(
    ("kind", "code", "expected"),
    [
        (StdPanic.SUBTRACT_OVERFLOW, "fn f(a: u8) -> u8 { a }", False),
        (StdPanic.SUBTRACT_OVERFLOW, "fn f(a: u8) -> u8 { a - 1 }", True),
        (StdPanic.DIVIDE_BY_ZERO, "fn f(a: u8) -> u8 { a % 2 }", False),
        (StdPanic.REMAINDER_BY_ZERO, "fn f(a: u8) -> u8 { a % 2 }", True),
        (StdPanic.SLICE_RANGE, "fn f(a: &[u8]) -> &[u8] { &a[1..] }", True),
        (StdPanic.CALLED, "fn f() {}", True),
    ],
)
def test_what_a_function_must_hold_to_raise_a_class(kind, code, expected):
    assert can_raise(kind, code) is expected


def test_marks_are_of_known_classes():
    assert set(NEEDS) <= set(TEXTS)
