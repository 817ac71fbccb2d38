"""Text from a report made harmless for a comment of ours. Pure.

Three ways to quote, each total (any string in, safe Markdown out):

- `fence`: a code block that the text cannot close;
- `inline_code`: a code span on one line;
- `inert`: a sentence of somebody's, in which whatever GitHub might act upon stands in a code span.

What must stay inert (house rule): mentions, issue and commit references, closing keywords, links,
images, HTML, emoji codes, bidirectional controls, invisible characters and look-alikes of our own marker.
"""

from __future__ import annotations

import re
import unicodedata

MAX_LINES = 25
MAX_CHARS = 2_000
MAX_LINE = 500
MAX_INLINE = 160

_MAX_RUN = 40
"""Longest run of back-ticks that is kept. cmark-gfm counts fences up to 255 and code spans up to 80 back-ticks."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_LINE_ENDS = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_LONG_RUN = re.compile(rf"`{{{_MAX_RUN},}}")
_TICKS = re.compile(r"`+")
_MARKER_OPEN = re.compile(r"<(?=!-)")
_MARKS = re.compile(
    r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})[\u0300-\u036f"
    r"\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)

_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Blank to the eye though Unicode calls them letters, marks or symbols."""

_WORD = re.compile(r"[(\"']*[^\W_]+(?:['\u2019-][^\W_]+)*[.,;:!?)\"'\u2026]*")
_REFERENCE = re.compile(r"[^\W_]+-\d+|[0-9a-f]{7,64}|\d+", re.IGNORECASE)
"""GH-12, a bare commit, a number (`1.` opens a list): GitHub turns them into something, or Markdown does."""


def visible(text: str) -> str:
    """`text` with lines ended by `\\n` and without anything that cannot be seen: terminal colours, control and format
    characters (bidirectional ones too), blank letters, piled-up accents. Tabs stay; other spaces become U+0020."""
    text = _LINE_ENDS.sub("\n", _ANSI.sub("", text))
    return _MARKS.sub(
        r"\1",
        text if text.isascii() and text.isprintable() else "".join(map(_seen, text)),
    )


def fence(
    text: str,
    info: str = "text",
    *,
    max_lines: int = MAX_LINES,
    max_chars: int = MAX_CHARS,
) -> str:
    """`text` as a fenced code block, the fence longer than any run of back-ticks in it.

    `info` is ours (`text`, `rust`), never the reporter's. Longer texts are cut at the end of a line, and the last line
    says how many are missing. Place it at the start of a line, with an empty line before and after.
    """
    shown = "\n".join(_cut(_quotable(text).strip("\n").split("\n"), max_lines, max_chars))
    ticks = "`" * max(3, 1 + _longest_run(shown))
    return f"{ticks}{info}\n{shown}\n{ticks}"


def inline_code(text: str, limit: int = MAX_INLINE) -> str:
    """`text` on one line as a code span of at most `limit` characters, "" where nothing visible is in it."""
    shown = clip(" ".join(_quotable(text).split()), limit)
    if not shown:
        return ""
    ticks = "`" * (1 + _longest_run(shown))
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def inert(text: str, limit: int = 4 * MAX_INLINE) -> str:
    """`text` on one line as prose: plain words stay, everything that Markdown or GitHub reads is put in code spans."""
    words = clip(" ".join(_quotable(text).split()), limit).split()
    runs: list[list[str]] = []
    plain_before = True
    for word in words:
        plain = _is_plain(word)
        if runs and not plain and not plain_before:
            runs[-1].append(word)
        else:
            runs.append([word])
        plain_before = plain
    return " ".join(run[0] if _is_plain(run[0]) else inline_code(" ".join(run), limit) for run in runs)


def clip(text: str, limit: int) -> str:
    """The first `limit` characters, the last of them `…` where something is missing."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def is_unseen(char: str) -> bool:
    """Whether this character cannot be seen, or changes how others are seen. A tab and `\\n` can."""
    return char not in "\n\t" and (unicodedata.category(char) in _UNSEEN_CATEGORIES or char in _UNSEEN)


def _seen(char: str) -> str:
    if is_unseen(char):
        return ""
    return " " if unicodedata.category(char) in {"Zs", "Zl", "Zp"} else char


def _quotable(text: str) -> str:
    """Visible text in which no comment marker opens and no run of back-ticks is beyond what parsers count."""
    text = _LONG_RUN.sub("`" * _MAX_RUN, visible(text))
    return _MARKER_OPEN.sub("< ", text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


def _is_plain(word: str) -> bool:
    return _WORD.fullmatch(word) is not None and _REFERENCE.fullmatch(word.strip("()\"'.,;:!?…\u2019")) is None


def _cut(lines: list[str], max_lines: int, max_chars: int) -> list[str]:
    """As many whole lines as fit, then a line that counts the rest. The first line is always there, clipped."""
    kept: list[str] = []
    room = max_chars
    for line in lines[:max_lines]:
        short = clip(line, MAX_LINE)
        room -= len(short) + 1
        if kept and room < 0:
            break
        kept.append(short)
    missing = len(lines) - len(kept)
    return kept if not missing else [*kept, f"… {missing} more line{'s' if missing > 1 else ''}"]
