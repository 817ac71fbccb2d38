"""Std's own texts, of all releases."""

from __future__ import annotations

import pytest

from bot.triage.std_messages import Origin, find_std_message, is_generic, is_implicit, std_origin

TEXTS = [
    ("index out of bounds: the len is 2 but the index is 5", Origin.IMPLICIT),
    ("range end index 5 out of range for slice of length 2", Origin.IMPLICIT),
    ("index 5 out of range for slice of length 2", Origin.IMPLICIT),
    ("slice index starts at 3 but ends at 1", Origin.IMPLICIT),
    ("byte index 9 is out of bounds of `abc`", Origin.IMPLICIT),
    ("end byte index 9 is out of bounds for string of length 3", Origin.IMPLICIT),
    ("end byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `é`", Origin.IMPLICIT),
    ("attempt to subtract with overflow", Origin.IMPLICIT),
    ("attempt to calculate the remainder with a divisor of zero", Origin.IMPLICIT),
    ("already borrowed: BorrowMutError", Origin.IMPLICIT),
    ("RefCell already mutably borrowed", Origin.IMPLICIT),
    ("source slice length (2) does not match destination slice length (1)", Origin.IMPLICIT),
    ("copy_from_slice: source slice length (3) does not match destination slice length (2)", Origin.IMPLICIT),
    ("removal index (is 4) should be < len (is 1)", Origin.IMPLICIT),
    ("no entry found for key", Origin.IMPLICIT),
    ("overflow when subtracting durations", Origin.IMPLICIT),
    ("called `Option::unwrap()` on a `None` value", Origin.UNWRAP),
    ("called `Result::unwrap()` on an `Err` value: PoisonError { .. }", Origin.UNWRAP),
    ("not implemented", Origin.MACRO),
    ("assertion `left == right` failed\n  left: 1\n right: 2", Origin.MACRO),
    ("assertion failed: `(left == right)`\n  left: `1`,\n right: `2`", Origin.MACRO),
    ("panic in a destructor during cleanup", Origin.ABORT),
    ("condvar wait not supported", Origin.PLATFORM),
    ("not implemented: Cross product", None),
    ("assertion `left == right` failed: shapes differ", None),
    ("assertion failed: divisor != 0", None),
    ("index out of bounds", None),
    ("Ordering is bigger than operations", None),
    ("", None),
]


@pytest.mark.parametrize(("message", "origin"), TEXTS)
def test_the_origin_of_a_text(message: str, origin: Origin | None):
    assert std_origin(message) is origin
    assert is_generic(message) is (origin is not None)
    assert is_implicit(message) is (origin is Origin.IMPLICIT)


def test_a_text_is_found_inside_of_a_sentence():
    assert find_std_message("it panics with `attempt to divide by zero` now") == (16, Origin.IMPLICIT)
    assert find_std_message("the index is out of bounds, as I said") is None
