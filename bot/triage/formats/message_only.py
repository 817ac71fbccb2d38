"""A message without a header: in a title, quoted in a sentence, in a comment of code, or first in a code block."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._mentions import ENVELOPES, PANICKED_WITH, Mention, in_prose, is_message, with_neighbours
from bot.triage.formats._message import is_end, read_message, trim
from bot.triage.formats._text import Find, Text
from bot.triage.location import parse_location
from bot.triage.model import Location
from bot.triage.std_messages import find_std_message

_CUE_BEFORE = re.compile(
    r"\b(?:panic\w*|crash\w*|error\w*|fail\w*|exception|dies|died|stack ?trace|abort\w*|text|message|traceback)\b",
    re.IGNORECASE,
)
_SOURCE = frozenset(
    {"rust", "rs", "toml", "json", "yaml", "yml", "diff", "python", "py", "wgsl", "c", "cpp", "glsl", "js", "ts"}
)
_COMMENT = re.compile(r".*(?://|#)\s*(?:[^/#]{0,40}\b)?panic(?:s|ked)?(?: with| at)?\s*:\s*(\S.*)$", re.IGNORECASE)
_LONE_PLACE = re.compile(r"\s*(?:-->|at|in|\()?\s*([\w.~$/\\<>\[\]-]{1,300}\.rs(?::\d{1,7}){0,2}):?\)?\s*$")
_LABELLED = re.compile(
    r"\s*(?:[-*]\s*)?\**(?:Location|Place|At|File|Where)\**\s*:\**\s*`?([^\s`]{1,300}\.rs(?::\d{1,7}){0,2})",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\s*(?:error(?:\[E\d+\])?:|warning:|-->|\d+ [|│]|= note:)|.*\b(?:error\[E\d+\])")
_TRACE = re.compile(r"\s*(?:stack backtrace:|0:\s+\S)")
_CUES = (
    "panic",
    "index out of",
    "called `",
    "not implemented",
    "not yet implemented",
    "assertion",
    "attempt to",
    "callerror(",
    "no entry found",
    "=== tensor",
    "range end",
    "range start",
    "borrowed",
    "unreachable code",
    "slice length",
)
_LONGEST_BLOCK = 14
_LONGEST_PROSE = 60
_LONGEST_TEXT = 4000


def parse(text: Text, at: int) -> Find | None:
    """All messages of the paragraph or code block that starts on line `at`, or the one in a comment on that line."""
    line = text.lines[at]
    if line.code:
        return (
            _in_comment(text, at)
            or _without_place(text, at)
            or (_in_code(text, at) if text.starts_block(at) else _std_line(text, at))
        )
    if not text.starts_block(at):
        return None
    block = text.block(at)
    joined = "\n".join(text.words(i) for i in block[:_LONGEST_PROSE])[:_LONGEST_TEXT]
    mentions = in_prose(joined, text.known, title=line.part == "title")
    return _find(text, at, block.stop, with_neighbours(joined, mentions))


def _find(text: Text, at: int, end: int, mentions: list[Mention]) -> Find | None:
    finds = []
    for mention in mentions:
        location = mention.location or (_labelled_place(text, end) if mention is mentions[-1] else None)
        finds.append(Find(at, end, mention.message, location, bare=True))
    return _joined(finds)


def _joined(finds: list[Find]) -> Find | None:
    if not finds:
        return None
    first = finds[0]
    return Find(first.first, first.next, first.message, first.location, None, True, tuple(finds[1:]))


def _in_comment(text: Text, at: int) -> Find | None:
    line = text.words(at)[:1000]
    comment = _COMMENT.match(line) if "panic" in line.lower() else None
    if comment is None or not is_message(comment[1]):
        return None
    return Find(at, at + 1, comment[1].strip(), _labelled_place(text, text.block(at).stop), bare=True)


def _without_place(text: Text, at: int) -> Find | None:
    """A header of the old layout of which the place was cut off."""
    match = PANICKED_WITH.search(text.words(at)[:1000]) if "panick" in text.words(at) else None
    if match is None or text.lines[at].language in _SOURCE or not is_message(match[1], words=1):
        return None
    return Find(at, at + 1, match[1].strip(), None, bare=True)


def _in_code(text: Text, at: int) -> Find | None:
    block = text.block(at)
    if not _holds_message(text, at, block):
        return None
    first = next(i for i in block if text.words(i).strip())
    lines, end = [text.words(first)], first + 1
    place: Location | None = None
    while end < block.stop and text.words(end).strip() and not is_end(text.words(end)) and len(lines) < 60:
        lone = _LONE_PLACE.match(text.words(end))
        if lone:
            place = parse_location(lone[1])
            break
        lines.append(text.words(end))
        end += 1
    return Find(at, end, trim(lines), place or _labelled_place(text, block.stop), bare=True)


def _std_line(text: Text, at: int) -> Find | None:
    """A line further down that begins with std's words: other output stands above it."""
    words = text.words(at)[:1000].strip()
    if text.lines[at].language in _SOURCE or words.endswith((";", "{")) or not _speaks_for_itself(text, words):
        return None
    message, end = read_message(text, at + 1, words, "")
    return Find(at, end, message, _labelled_place(text, end), bare=True)


def _speaks_for_itself(text: Text, words: str) -> bool:
    hit = find_std_message(words)
    return (
        text.known(words)
        or (hit is not None and hit[0] == 0)
        or bool(ENVELOPES.match(words) or words.startswith(("CallError(", "=== Tensor Operation Error")))
    )


def _holds_message(text: Text, at: int, block: range) -> bool:
    """Whether a code block without a header begins with a message: std tells, or a backtrace, or its introduction."""
    words = [text.words(i) for i in block[:60]]
    first = next((w for w in words if w.strip()), "").strip()
    if not first or is_end(first) or len(first) > 2000:
        return False
    source = text.lines[at].language in _SOURCE
    if source and any(w.rstrip().endswith((";", "{")) for w in words):
        return False
    if any(_REFUSED.match(w) for w in words):
        return False
    if not is_message(first, words=2):
        return False
    if _speaks_for_itself(text, first):
        return True
    if any(_TRACE.match(w) for w in words[1:40]):
        return True
    before = _introduction(text, at)
    return (
        not source and len(block) <= _LONGEST_BLOCK and first[:1].isupper() and _CUE_BEFORE.search(before) is not None
    )


def _introduction(text: Text, at: int) -> str:
    """The last sentence before a code block, if it ends with a colon or stands right before it."""
    for back in range(at - 1, max(at - 4, -1), -1):
        if not text.same_part(back, at):
            return ""
        words = text.words(back).strip()
        if words:
            return re.split(r"[.!?]\s", words)[-1] if not text.is_code(back) and words.endswith(":") else ""
    return ""


def _labelled_place(text: Text, at: int) -> Location | None:
    """`Location: path:line` within the next lines of the same part."""
    for line in range(at, min(at + 6, len(text))):
        if at == 0 or not text.same_part(at - 1, line):
            return None
        match = _LABELLED.match(text.words(line))
        if match:
            return parse_location(match[1])
    return None


FORMAT = PanicFormat("message_only", "any", _CUES, parse, bare=True, blocks=True)
