"""wgpu's uncaptured errors without the header of the panic they end in: the `Caused by` block, or one line of it.

The last cause and the line `In Device::..` are what tells these apart (wgpu's `default_error_handler`).
"""

from __future__ import annotations

import re

from bot.triage.formats import PanicFormat
from bot.triage.formats._message import is_end, read_message
from bot.triage.formats._text import Find, Text

_HEAD = re.compile(r"(?:.{0,60}?[\s:`\"(>])?wgpu error:\s*(\S.*)$", re.IGNORECASE)
_KINDS = re.compile(r"(?:Validation Error|Out of Memory|Internal Error|Device [Ll]ost|Validation|Lost)\b")
_CAUSES = (
    r"Buffer is bound with size \d+ where the shader expects \d+ in group\[\d+\] compact index \d+",
    r"Buffer binding size \d+ is less than minimum \d+",
    r"Buffer binding \d+ range \d+ exceeds `?max_\w+`? limit \d+",
    r"Each current dispatch group size dimension \(.{1,80}?\) must be less or equal to \d+",
    r"Buffer size \d+ is greater than the maximum buffer size \(\d+\)",
    r"Features Features\(.{1,200}?\) are required but not enabled on the device",
    r"Too many bindings of type \w+ in Stage .{1,80}?, limit is \d+, count (?:was|is) \d+",
    r"Buffer with '.{0,80}?' label (?:has been destroyed|is invalid)",
    r"Parent device is lost",
    r"Not enough memory left",
    r"Limit '\w+' value \d+ is better than allowed \d+",
    r"(?:The )?[Tt]otal number of workgroup invocations .{1,100}?",
)
_CAUSE = re.compile("|".join(_CAUSES))


def parse(text: Text, at: int) -> Find | None:
    """`wgpu error:` with its chain, or a line that consists of a cause that only wgpu prints."""
    words = text.words(at)
    head = _HEAD.match(words[:600])
    if head:
        return _chain(text, at, head)
    cause = _CAUSE.search(words[:1000])
    if cause is None or not text.starts_block(at) or words[: cause.start()].strip(" >`*-\"'") or is_end(words):
        return None
    return Find(at, at + 1, words[cause.start() :].strip(" `\"'*"), None, bare=True)


def _chain(text: Text, at: int, head: re.Match[str]) -> Find:
    if not _KINDS.match(head[1]):
        # Somebody's own label in front of the cause.
        return Find(at, at + 1, head[1].strip(" `\"'"), None, bare=True)
    message, end = read_message(text, at + 1, f"wgpu error: {head[1].strip(' `')}", "")
    return Find(at, end, message, None, bare=True)


FORMAT = PanicFormat(
    "wgpu_error",
    "wgpu 0.12",
    (
        "wgpu error:",
        "buffer",
        "dispatch group",
        "features(",
        "bindings",
        "device is lost",
        "memory left",
        "limit '",
        "workgroup",
    ),
    parse,
    bare=True,
)
