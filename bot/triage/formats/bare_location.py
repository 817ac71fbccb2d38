"""`crates/x/src/y.rs:363:64:` and the message, the words `thread .. panicked at` cut off by whoever pasted it."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._header import is_path, read_header
from bot.triage.formats._mentions import is_message
from bot.triage.formats._message import first_words, is_end, read_message
from bot.triage.formats._text import Find, Text
from bot.triage.location import parse_location
from bot.triage.std_messages import std_origin

_LINE = re.compile(
    r"\s*(?://+|\#+|[-*•>])?\s*(?P<cue>(?:thread\s+)?(?:panic(?:s|ked)?|crash(?:es|ed)?"
    r"|PANIC)\b[^/\\\w~.$]{0,6}(?:at\s+)?)?`?"
    r"(?P<path>[^\s'\"`|;={}]{1,400}?\.rs):(?P<line>\d{1,7})(?::(?P<column>\d{1,7}))?(?P<colon>:?)`?\s*(?P<rest>.*)$"
)
_REFUSED = re.compile(r"(?:error|warning|note|help|info|hint)\b|\d+[:|]|[|│]", re.IGNORECASE)
_SOURCE = re.compile(
    r"[;{,]\s*$|^\s*(?:let|fn|pub|use|impl|mod|const|if|for|match|return|\.\w|//|#\[|panic!|todo!|assert(?:_\w+)?!|unimplemented!|unreachable!)"
)


def parse(text: Text, at: int) -> Find | None:
    """A line that starts with a place, then the message on it or on the next line."""
    match = _match(text, at)
    if match is None or _in_a_list(text, at) or read_header(text, at):
        return None
    rest = match["rest"].strip().rstrip("`")
    if rest and (_REFUSED.match(rest) or _SOURCE.search(rest)):
        return None
    first = rest or first_words(text, at + 1)
    if not first or not _is_meant(text, at, match, first, same_line=bool(rest)):
        return None
    alone = rest and text.words(at).lstrip().startswith(("//", "#"))
    message, next_line = (rest, at + 1) if alone else read_message(text, at + 1, rest, "")
    place = match[0][match.start("path") : match.end("colon")]
    return Find(at, next_line, message, parse_location(place))


def _in_a_list(text: Text, at: int) -> bool:
    """Places under places: a linter's, a search's or a reviewer's list."""
    return any(_is_listed(text.words(i)) for i in (at - 1, at + 1) if 0 <= i < len(text) and text.same_part(at, i))


def _match(text: Text, at: int) -> re.Match[str] | None:
    match = _LINE.match(text.words(at)[:1500])
    return match if match and is_path(match["path"]) and "-->" not in match[0][: match.start("path")] else None


def _is_meant(text: Text, at: int, match: re.Match[str], message: str, *, same_line: bool) -> bool:
    """A colon behind the column, and words that read like a message."""
    if _SOURCE.search(message) or is_end(message):
        return False
    if std_origin(message):
        return match["colon"] == ":" or match["column"] is not None
    if match["colon"] != ":" or match["column"] is None or not is_message(message, words=2):
        return False
    return match["cue"] is not None or not same_line or text.is_code(at)


def _is_listed(line: str) -> bool:
    return ".rs:" in line and _LINE.match(line[:1500]) is not None


FORMAT = PanicFormat("bare_location", "any", (".rs:",), parse)
