"""A message without a header in a code block: first in it, in a comment of code, or as a tool words it."""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._context import is_announced, labelled_place
from bot.triage.formats._mentions import ENVELOPES, PANICKED_WITH, is_message
from bot.triage.formats._message import is_end, read_message, trim
from bot.triage.formats._text import Find, Text
from bot.triage.location import parse_location
from bot.triage.model import Location
from bot.triage.std_messages import find_std_message

_SOURCE = frozenset(
    {"rust", "rs", "toml", "json", "yaml", "yml", "diff", "python", "py", "wgsl", "c", "cpp", "glsl", "js", "ts"}
)
_COMMENT = re.compile(r".*(?://|#)\s*(?:[^/#]{0,40}\b)?panic(?:s|ked)?(?: with| at)?\s*:\s*(\S.*)$", re.IGNORECASE)
_LONE_PLACE = re.compile(r"\s*(?:-->|at|in|\()?\s*([\w.~$/\\<>\[\]-]{1,300}\.rs(?::\d{1,7}){0,2}):?\)?\s*$")
_REFUSED = re.compile(r"\s*(?:error(?:\[E\d+\])?:|warning:|-->|\d+ [|│]|= note:)|.*\b(?:error\[E\d+\])")
_TRACE = re.compile(r"\s*(?:stack backtrace:|0:\s+\S)")
_UNCLOSED = re.compile(r"\bpanicked at '([^\n]{12,}[^'\n])$")
_TOLD = re.compile(r"\s*(?:pyo3_runtime\.PanicException|PANIC|[Pp]anic(?:ked)?)\s*(?::|=>)\s+(\S.*)$")
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


def parse(text: Text, at: int) -> Find | None:
    """The message that starts on this line of a code block."""
    if not text.is_code(at):
        return None
    found = _in_comment(text, at) or _without_place(text, at)
    return found or (_in_code(text, at) if text.starts_block(at) else _std_line(text, at))


def _in_comment(text: Text, at: int) -> Find | None:
    line = text.words(at)[:1000]
    comment = _COMMENT.match(line) if "panic" in line.lower() else None
    if comment is None or not is_message(comment[1]):
        return None
    return Find(at, at + 1, comment[1].strip(), labelled_place(text, text.block(at).stop), bare=True)


def _without_place(text: Text, at: int) -> Find | None:
    """A header of which the place was cut off, or a tool's own words for a panic."""
    words = text.words(at)[:1000]
    if "panic" not in words.lower() or text.lines[at].language in _SOURCE:
        return None
    match = _UNCLOSED.search(words) or PANICKED_WITH.search(words) or _TOLD.match(words)
    if match is None:
        return None
    message = next(group for group in match.groups() if group).strip()
    return Find(at, at + 1, message, None, bare=True) if is_message(message, words=1) else None


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
    return Find(at, end, trim(lines), place or labelled_place(text, block.stop), bare=True)


def _std_line(text: Text, at: int) -> Find | None:
    """A line further down that begins with std's words: other output stands above it."""
    words = text.words(at)[:1000].strip()
    if text.lines[at].language in _SOURCE or words.endswith((";", "{")) or not _speaks_for_itself(text, words):
        return None
    message, end = read_message(text, at + 1, words, "")
    return Find(at, end, message, labelled_place(text, end), bare=True)


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
    return not source and len(block) <= _LONGEST_BLOCK and first[:1].isupper() and is_announced(text, at)


FORMAT = PanicFormat("message_in_code", "any", _CUES, parse, bare=True, blocks=True)
