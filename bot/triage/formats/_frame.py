"""What wraps a header: which logger, tool or console printed it. Each layout with a header takes one wrapping."""

from __future__ import annotations

import re

from bot.triage.formats._header import Header, read_header
from bot.triage.formats._message import read_message
from bot.triage.formats._text import Find, Text

_LOGCAT = re.compile(
    r"(?:^|\s)(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}(?:\s+\d+){1,2}\s+[VDIWEF]\s+\S.*:\s*$|(?:^"
    r"|\s)[VDIWEF]/[\w.-]+\s*(?:\(\s*\d+\))?:\s*$"
)
_CLOSING_QUOTE = re.compile(r'(?<!\\)"')
_CONSOLE = re.compile(
    r"(?:\.js|\.mjs|\.ts|\.wasm|\.html)(?:\?\S*)?:\d+(?::\d+)?\s*$|\[(?:Error|Log)\]\s*$|console\.error:?\s*$"
)


def wrapping(text: Text, header: Header) -> str:
    """`logcat`, `logger`, `console`, `libtest`, `build_script` or "" for a header as std prints it."""
    prefix = text.lines[header.at].prefix + header.prefix.rstrip()
    if prefix.endswith("=>") and "PANIC" in prefix:
        return "logger"
    if _LOGCAT.search(prefix):
        return "logcat"
    if _CONSOLE.search(prefix):
        return "console"
    return text.section[header.at]


def find(text: Text, header: Header) -> Find:
    """The panic of a header: its message is read behind it, or was quoted in it."""
    if header.quoted:
        return Find(header.at, header.next, header.tail, header.location, header.thread)
    if header.tail.startswith("\\n"):
        return Find(header.at, header.next, _unescaped(header.tail), header.location, header.thread)
    message, next_line = read_message(text, header.next, header.tail, header.prefix, header.width)
    return Find(header.at, next_line, message, header.location, header.thread)


def _unescaped(tail: str) -> str:
    """The message of a header inside a JSON string (structured logs): up to the closing quote, line ends resolved."""
    end = _CLOSING_QUOTE.search(tail)
    text = tail[: end.start()] if end else tail
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\").strip()


def parse_wrapped(text: Text, at: int, name: str) -> Find | None:
    """A header in the given wrapping, whatever its age."""
    header = read_header(text, at)
    return find(text, header) if header and wrapping(text, header) == name else None
