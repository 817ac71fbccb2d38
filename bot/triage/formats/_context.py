"""What stands around a message without a header: the sentence or heading that announces it, the place below it."""

from __future__ import annotations

import re

from bot.triage.formats._text import Text
from bot.triage.location import parse_location
from bot.triage.model import Location

_ANNOUNCES = re.compile(
    r"\b(?:panic\w*|crash\w*|error\w*|fail\w*|exception|dies|died|stack ?trace|abort\w*|text|message|traceback)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\s*(?:[-*]\s*)?\**(?:Location|Place|At|File|Where)\**\s*:\**\s*`?([^\s`]{1,300}\.rs(?::\d{1,7}){0,2})",
    re.IGNORECASE,
)
_RUSTDOC = re.compile(r"#{1,6} (?:Panics|Errors|Safety|Examples?)\s*$")
_HEADING = re.compile(r"#{1,6} |\*\*[^*]{1,60}\*\*:?\s*$|__[^_]{1,60}__:?\s*$")


def is_announced(text: Text, at: int) -> bool:
    """Whether the last sentence before a block, if it ends with a colon, or a heading right above speaks of a fault."""
    for back in range(at - 1, max(at - 4, -1), -1):
        if not text.same_part(back, at) or (text.words(back).strip() and text.is_code(back)):
            return False
        words = text.words(back).strip()
        if words:
            if _RUSTDOC.match(words):
                return False
            sentence = re.split(r"[.!?]\s", words)[-1]
            return (words.endswith(":") or _HEADING.match(words) is not None) and bool(_ANNOUNCES.search(sentence))
    return False


def labelled_place(text: Text, at: int) -> Location | None:
    """`Location: path:line` within the next lines of the same part."""
    for line in range(at, min(at + 6, len(text))):
        if at == 0 or not text.same_part(at - 1, line):
            return None
        match = _LABELLED.match(text.words(line))
        if match:
            return parse_location(match[1])
    return None
