"""A stable key of a panic, so that repeats are counted as one: the place where it is known, else the bare words.

The key starts with its version. A change of the rules is a new version beside the old one, never a change of this one.
"""

from __future__ import annotations

import hashlib
import re

from bot.triage.model import PanicReport, Place

VERSION = "fp1"

_VARIABLE = (
    (re.compile(r"\b0x[0-9a-fA-F]+\b"), "<hex>"),
    (re.compile(r"\b[0-9a-f]{7,40}\b(?=.*\d)"), "<sha>"),
    (re.compile(r"(?:[A-Za-z]:)?[\\/](?:[\w.@~+-]+[\\/])+[\w.@~+-]+"), "<path>"),
    (re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"), "<n>"),
    (re.compile(r"\[(?:<n>(?:, )?)+\]"), "<shape>"),
)
_BLANKS = re.compile(r"\s+")


def fingerprint(panic: PanicReport, place: Place | None) -> str:
    """`fp1:` and sixteen hex digits.

    With a site: its key and the first line's constant words. With a function: repository, crate path and function. With
    neither: the constant words of the first line, and the foreign crate where the location names one.
    """
    words = constant_words(panic.headline)
    if place and place.site:
        parts = ["site", place.site.key.id, words if not place.site.key.template else ""]
    elif place:
        parts = ["function", place.repo, place.function, words]
    else:
        parts = ["words", (panic.location.crate if panic.location else None) or "", words]
    return f"{VERSION}:{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'replace')).hexdigest()[:16]}"


def constant_words(text: str) -> str:
    """`text` on one line with numbers, shapes, paths and hashes replaced by placeholders."""
    flat = _BLANKS.sub(" ", text[:2000]).strip()
    for pattern, placeholder in _VARIABLE:
        flat = pattern.sub(placeholder, flat)
    return flat
