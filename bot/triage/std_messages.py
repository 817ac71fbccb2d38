"""Texts that Rust's standard library prints, of all releases since 1.40, as data; the implicit ones: `kb.std_panics`.

Source: compiled and run on Rust 1.95; older and newer wordings from the change logs and pull requests of
rust-lang/rust (111071, 112849, 131416, 142216, 145024). An implicit panic has no text of its own in the source that
raised it: its place is a function, found by line, and its text says nothing about the place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from kb.std_panics import TEXTS


class Origin(StrEnum):
    """What in the source makes std print a text."""

    IMPLICIT = "implicit"
    """An expression or a call that panics by itself: index, overflow, slice, RefCell, collections."""
    UNWRAP = "unwrap"
    """`unwrap` and its kin without a text of the caller's."""
    MACRO = "macro"
    """`todo!()`, `assert!(..)` and the like without a text of the caller's."""
    ABORT = "abort"
    """Not the fault itself: std gives up after another panic."""
    PLATFORM = "platform"
    """std on a target that lacks something (threads on wasm)."""


@dataclass(frozen=True, slots=True)
class StdMessage:
    """One text of std: a pattern for the whole start of the message."""

    pattern: re.Pattern[str]
    origin: Origin


_TABLE: tuple[tuple[Origin, tuple[str, ...]], ...] = (
    (Origin.IMPLICIT, tuple(text for texts in TEXTS.values() for text in texts)),
    (
        Origin.UNWRAP,
        (
            r"called `?Option::unwrap\(\)`? on a `?None`? value",
            r"called `?Result::unwrap\(\)`? on an `?Err`? value",
            r"called `?Result::unwrap_err\(\)`? on an `?Ok`? value",
        ),
    ),
    (
        Origin.MACRO,
        (
            r"not yet implemented\s*$",
            r"not implemented\s*$",
            r"internal error: entered unreachable code\s*$",
            r"explicit panic\s*$",
            r"assertion `?left (?:==|!=|matches) right`? failed\s*(?:\n|$|left: )",
            r"assertion failed: `?\(left (?:==|!=) right\)`?",
            r"Box<(?:dyn )?Any>\s*$",
        ),
    ),
    (
        Origin.ABORT,
        (
            r"panic in a function that cannot unwind",
            r"panic in a destructor during cleanup",
            r"a scoped thread panicked",
            r"memory allocation of \d+ bytes failed",
            r"Rust cannot catch foreign exceptions",
            r"thread panicked while processing panic",
        ),
    ),
    (
        Origin.PLATFORM,
        (
            r"condvar wait not supported",
            r"(?:can't|cannot) (?:sleep|block)\b",
            r"time not implemented on this platform",
            r"failed to spawn thread: ",
            r"rwlock locked for writing|recursive use of mutex",
            r"failed printing to (?:stdout|stderr)",
            r"cannot recursively acquire mutex",
            r"use of std::thread::current\(\) is not possible",
            r"cannot access a (?:Thread Local Storage|TLS) value during or after (?:destruction|it is destroyed)",
        ),
    ),
)

STD_MESSAGES: tuple[StdMessage, ...] = tuple(
    StdMessage(re.compile(pattern), origin) for origin, patterns in _TABLE for pattern in patterns
)
"""Every known text, tried in order from the start of a message."""

_ANY = re.compile("|".join(f"(?:{pattern})" for _, patterns in _TABLE for pattern in patterns))
_LONGEST = 400


def std_origin(message: str) -> Origin | None:
    """What made std print this text; None where the text, or part of it, is the caller's own."""
    head = message.lstrip()[:_LONGEST]
    if not _ANY.match(head):
        return None
    return next((one.origin for one in STD_MESSAGES if one.pattern.match(head)), None)


def std_length(message: str) -> int:
    """Characters of std's fixed words at the start of a message, 0 where there are none."""
    head = message[:_LONGEST]
    return next((match.end() for one in STD_MESSAGES if (match := one.pattern.match(head))), 0)


def is_implicit(message: str) -> bool:
    """True where the text stems from an expression without a panic of its own: resolved by function, never by text."""
    return std_origin(message) is Origin.IMPLICIT


def is_generic(message: str) -> bool:
    """True where the whole text is std's and says nothing about the place that raised it."""
    return std_origin(message) is not None


def find_std_message(text: str) -> tuple[int, Origin] | None:
    """Where in a line of prose a text of std begins, and its origin; None where there is none. Linear."""
    found: tuple[int, Origin] | None = None
    for match in _ANYWHERE.finditer(text[: _LONGEST * 5]):
        origin = std_origin(text[match.start() :])
        if origin is not None:
            found = match.start(), origin
            break
    return found


_ANYWHERE = re.compile(
    r"index out of bounds|range (?:start|end) index|slice index starts|byte index|attempt to |RefCell already"
    r"|already "
    r"(?:mutably )?borrowed:|copy_from_slice:|source slice length|no entry found for key|called `?(?:Option|Result)::"
    r"|not (?:yet )?implemented|internal error: entered|assertion |panic in a |memory allocation of|condvar wait"
    r"|overflow when |capacity overflow|(?:removal|insertion|swap_remove) index|divide by zero error"
    r"|time not implemented"
)
