"""The panics that Rust raises by itself, by class, with the texts that its releases print. Pure data.

Such a panic has no words in the source that raised it: its place is a function, and the class of its text is all that
tells one of them from another there. Sources: compiled and run on Rust 1.95; older and newer wordings from the change
logs and pull requests of rust-lang/rust (111071, 112849, 131416, 142216, 145024).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class StdPanic(StrEnum):
    """What an expression without a panic of its own can print; the value is how entries write it."""

    INDEX_OUT_OF_BOUNDS = "index_out_of_bounds"
    SLICE_RANGE = "slice_range"
    STR_RANGE = "str_range"
    ADD_OVERFLOW = "add_overflow"
    SUBTRACT_OVERFLOW = "subtract_overflow"
    MULTIPLY_OVERFLOW = "multiply_overflow"
    NEGATE_OVERFLOW = "negate_overflow"
    SHIFT_OVERFLOW = "shift_overflow"
    DIVIDE_OVERFLOW = "divide_overflow"
    DIVIDE_BY_ZERO = "divide_by_zero"
    REMAINDER_BY_ZERO = "remainder_by_zero"
    BORROWED = "borrowed"
    """A RefCell that is lent already."""
    SLICE_LENGTHS = "slice_lengths"
    """`copy_from_slice` and its kin between slices of different lengths."""
    SPLIT_POSITION = "split_position"
    VEC_POSITION = "vec_position"
    """`remove`, `insert`, `swap_remove`, `split_off` and `drain` behind the end."""
    KEY_NOT_FOUND = "key_not_found"
    """A map indexed by a key that it does not have."""
    ZERO_CHUNK = "zero_chunk"
    CAPACITY_OVERFLOW = "capacity_overflow"
    CLAMP_BOUNDS = "clamp_bounds"
    TIME_OVERFLOW = "time_overflow"
    LOGARITHM = "logarithm"
    SORT_ORDER = "sort_order"
    ANY = "any"
    """Any of these: for a function with one cause behind several texts."""
    CALLED = "called"
    """None of these: the words of a crate outside the family whose function tracks its caller (ndarray's indexing)."""


_BYTES = r"(?:start |end )?byte (?:index|range)"

TEXTS: Mapping[StdPanic, tuple[str, ...]] = {
    StdPanic.INDEX_OUT_OF_BOUNDS: (
        r"index out of bounds: the len is \d+ but the index is \d+",
        r"Out of bounds access\s*$",
        r"index is out of bounds\s*$",
    ),
    StdPanic.SLICE_RANGE: (
        r"range (?:start|end) index \d+ out of range for slice of length \d+",
        r"index \d+ out of range for slice of length \d+",
        r"slice index starts at \d+ but ends at \d+",
        r"range start is .{0,40} but .{0,60}out of range for slice",
    ),
    StdPanic.STR_RANGE: (
        rf"{_BYTES} \d+ is out of bounds(?: of| for)",
        rf"{_BYTES} \d+ is not a char boundary",
        r"begin <= end \(\d+ <= \d+\) when slicing",
        r"byte range starts at \d+ but ends at \d+",
    ),
    StdPanic.ADD_OVERFLOW: (r"attempt to add with overflow",),
    StdPanic.SUBTRACT_OVERFLOW: (r"attempt to subtract with overflow",),
    StdPanic.MULTIPLY_OVERFLOW: (r"attempt to multiply with overflow",),
    StdPanic.NEGATE_OVERFLOW: (r"attempt to negate with overflow",),
    StdPanic.SHIFT_OVERFLOW: (r"attempt to shift (?:left|right) with overflow",),
    StdPanic.DIVIDE_OVERFLOW: (r"attempt to (?:divide|calculate the remainder) with overflow",),
    StdPanic.REMAINDER_BY_ZERO: (r"attempt to calculate the remainder with a divisor of zero",),
    StdPanic.DIVIDE_BY_ZERO: (r"attempt to divide by zero",),
    StdPanic.BORROWED: (r"(?:RefCell )?already (?:mutably )?borrowed(?:: Borrow(?:Mut)?Error)?\s*$",),
    StdPanic.SLICE_LENGTHS: (
        r"(?:copy_from_slice: )?source slice length \(\d+\) does not match destination slice length \(\d+\)",
        r"destination and source slices have different lengths",
    ),
    StdPanic.SPLIT_POSITION: (r"mid > len\s*$",),
    StdPanic.VEC_POSITION: (
        r"(?:swap_remove|removal|insertion|split) index \(is \d+\) should be <=? len \(is \d+\)",
        r"`at` split index \(is \d+\) should be <= len \(is \d+\)",
        r"(?:end|start) drain index \(is \d+\) should be <= len",
    ),
    StdPanic.KEY_NOT_FOUND: (r"no entry found for key\s*$",),
    StdPanic.ZERO_CHUNK: (
        r"(?:chunk|window) size must be non-?zero",
        r"chunk_size must be non-?zero",
        r"size is zero\s*$",
    ),
    StdPanic.CAPACITY_OVERFLOW: (r"capacity overflow\s*$",),
    StdPanic.CLAMP_BOUNDS: (r"min > max",),
    StdPanic.TIME_OVERFLOW: (
        r"overflow when (?:adding|subtracting|multiplying|dividing) (?:durations?|instants?|duration by scalar)",
        r"overflow when (?:adding|subtracting) duration (?:to|from) instant",
        r"divide by zero error when dividing duration by scalar",
    ),
    StdPanic.LOGARITHM: (r"argument of integer logarithm must be positive",),
    StdPanic.SORT_ORDER: (r"user-provided comparison function does not correctly implement a total order",),
}
"""Patterns for the start of a message, by class; `any` and `called` have none of their own."""

SHOWN: Mapping[StdPanic, str] = {
    StdPanic.INDEX_OUT_OF_BOUNDS: "index out of bounds: the len is {len} but the index is {index}",
    StdPanic.SLICE_RANGE: "range end index {end} out of range for slice of length {len}",
    StdPanic.STR_RANGE: "byte index {index} is not a char boundary",
    StdPanic.SHIFT_OVERFLOW: "attempt to shift left with overflow",
    StdPanic.DIVIDE_OVERFLOW: "attempt to divide with overflow",
    StdPanic.BORROWED: "already borrowed: BorrowMutError",
    StdPanic.SLICE_LENGTHS: "source slice length ({from}) does not match destination slice length ({to})",
    StdPanic.SPLIT_POSITION: "mid > len",
    StdPanic.VEC_POSITION: "removal index (is {index}) should be < len (is {len})",
    StdPanic.KEY_NOT_FOUND: "no entry found for key",
    StdPanic.ZERO_CHUNK: "chunk size must be non-zero",
    StdPanic.CAPACITY_OVERFLOW: "capacity overflow",
    StdPanic.TIME_OVERFLOW: "overflow when adding durations",
}
"""The message as an entry writes it, where the pattern itself is no text."""

NEEDS: Mapping[StdPanic, str] = {
    StdPanic.INDEX_OUT_OF_BOUNDS: r"\[|\.swap\(",
    StdPanic.SLICE_RANGE: r"\.\.|_range|drain|copy_within",
    StdPanic.STR_RANGE: r"\.\.|split|insert|remove|drain|truncate|replace_range",
    StdPanic.ADD_OVERFLOW: r"\+|\bsum\b",
    StdPanic.SUBTRACT_OVERFLOW: r"-(?!>)",
    StdPanic.MULTIPLY_OVERFLOW: r"\*|\bproduct\b|\bpow\b",
    StdPanic.NEGATE_OVERFLOW: r"-(?!>)|\babs\b",
    StdPanic.SHIFT_OVERFLOW: r"<<|>>",
    StdPanic.DIVIDE_OVERFLOW: r"/|%",
    StdPanic.DIVIDE_BY_ZERO: r"/|\bdiv",
    StdPanic.REMAINDER_BY_ZERO: r"%|\brem|multiple_of",
    StdPanic.BORROWED: r"borrow",
    StdPanic.SLICE_LENGTHS: r"_from_slice|swap_with_slice",
    StdPanic.SPLIT_POSITION: r"split_at",
    StdPanic.VEC_POSITION: r"remove|insert|split_off|drain",
    StdPanic.KEY_NOT_FOUND: r"\[",
    StdPanic.ZERO_CHUNK: r"chunks|windows",
    StdPanic.CLAMP_BOUNDS: r"clamp",
    StdPanic.LOGARITHM: r"ilog",
    StdPanic.SORT_ORDER: r"sort",
}
"""What a function's source must hold, as a pattern, for a panic of the class to be raised in it."""

_LONGEST = 400
_HOLE = re.compile(r"\{[^{}]*\}")
_COMPILED = {kind: re.compile("|".join(f"(?:{text})" for text in texts)) for kind, texts in TEXTS.items()}


def std_panic(message: str) -> StdPanic | None:
    """The class of a printed message, or of one with holes (`{len}` stands for a number); None where it has none."""
    head = _HOLE.sub("1", message.lstrip()[:_LONGEST])
    return next((kind for kind, pattern in _COMPILED.items() if pattern.match(head)), None)


def prints(wanted: StdPanic, message: str) -> bool:
    """Whether a message is of the class that an entry names."""
    found = std_panic(message)
    if wanted is StdPanic.CALLED:
        return found is None
    return found is not None and wanted in (found, StdPanic.ANY)


def shown(kind: StdPanic) -> str:
    """The class as a message with holes; "" for `any` and `called`, which have no text of their own."""
    return SHOWN.get(kind) or next(iter(TEXTS.get(kind, ())), "")


def can_raise(kind: StdPanic, code: str) -> bool:
    """Whether code holds an expression that can raise the class; True where the class has no mark of its own."""
    pattern = NEEDS.get(kind)
    return pattern is None or re.search(pattern, code) is not None
