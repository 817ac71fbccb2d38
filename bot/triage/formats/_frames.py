"""The backtrace behind a panic: function names, innermost first."""

from __future__ import annotations

import re

from bot.triage.formats._text import Text

_FRAME = re.compile(r"\s*(\d{1,3}):\s+(?:0x[0-9a-f]+\s+-\s+)?(\S.*)$")
_HASH = re.compile(r"::h[0-9a-f]{16}$|\[[0-9a-f]{16}\]")
_AT = re.compile(r"\s+at \S+(?::\d+){1,2}\s*$")
_BANNER = re.compile(r"\s*(?:stack )?backtrace:|.*\bBACKTRACE\b", re.IGNORECASE)
MAX_FRAMES = 200
_MAX_GAP = 15
_MAX_LINES = 1000


def read_frames(text: Text, at: int) -> tuple[str, ...]:
    """Frames that follow line `at` in the same part, up to the next header; a second fence or a fold may hold them."""
    frames: list[str] = []
    gap = 0
    for line in range(at, min(at + _MAX_LINES, len(text))):
        words = text.words(line)
        if "panicked at" in words or not text.same_part(max(at - 1, 0), line):
            break
        match = _FRAME.match(words)
        if match and (frames or int(match[1]) < 10):
            if int(match[1]) == 0 and frames:
                break
            frames.append(_AT.sub("", _HASH.sub("", match[2].strip()))[:400])
            gap = 0
        elif not words.lstrip().startswith("at ") and not _BANNER.match(words):
            gap += 1
        if gap > _MAX_GAP or len(frames) >= MAX_FRAMES:
            break
    return tuple(frames)
