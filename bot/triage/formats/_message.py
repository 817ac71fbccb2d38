"""Where a panic's message starts and ends in the lines behind its header."""

from __future__ import annotations

import re
from itertools import pairwise

from bot.triage.formats._text import Text

_END = re.compile(
    r"\s*(?:"
    r"note: (?!\w+ = )"
    r"|(?:stack )?backtrace:"
    r"|A fatal error happened, you can check|={2,} ?PANIC ?={2,}\s*$|PANIC ={2,}"
    r"|--- (?:stdout|stderr)\b|---- .{1,300} (?:stdout|stderr) ----"
    r"|test \S+ \.\.\. |test result:|failures:\s*$|running \d+ tests?\b"
    r"|(?:error|warning)(?:\[E\d+\])?: |error\[E\d+\]"
    r"|thread caused non-unwinding panic|fatal runtime error:|Aborted\b|Segmentation fault|Illegal instruction"
    r"|Trace/BPT trap"
    r"|For more information,? see the|Error: |Stack:\s*$|Error\s*$"
    r"|(?:Compiling|Finished|Running|Updating|Downloading|Doc-tests) \S"
    r"|\[Process completed|Process finished with exit code|exit code: |exit status: "
    r"|[\w.-]+@[\w.-]+[ :].{0,120}[%$#](?:\s|$)|PS [A-Z]:\\|[A-Z]:\\[^:\n]{0,200}>|\$ \S"
    r"|```|~~~|``\s*$"
    r"|\#\s"
    r")"
)
_FRAME = re.compile(r"(?: {2,}|\t)\s*\d{1,3}:\s+\S|\s*0:\s+\S|\s*━{4,}|\s*-{4,}\s*$|\s*={4,}")
_LOG = re.compile(
    r"\s*(?:"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
    r"|\[?\d\d:\d\d:\d\d[ .,]"
    r"|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\]?[: ]\s*\[?[\w:]+"
    r"|\d\d-\d\d \d\d:\d\d:\d\d\.\d+ "
    r"|[VDIWEF]/[\w.]+\s*\("
    r")"
)
_CONTINUES = re.compile(
    r"\s*(?:Caused by:|left: |right: |note: \w+ = |Operation: |Reason:|\d+\. |=> |diff \()|\s{2,}\S"
)
_REMARK = re.compile(r"\s{2,}(?:#|//|<-+|←|\(<-|<=).*$")
_BEHIND = ("", " ", "\n", ",", ".", ";", ":", ")", "!", "?", "`")
_AT_PLACE = re.compile(r":\d+(?::\d+)?\)?\s*$")
_WORD = re.compile(r"[^\W\d_]{2}")
_MAX_LINES = 200
_MAX_LINE = 500


def read_message(text: Text, at: int, tail: str, prefix: str, width: int = 0) -> tuple[str, int]:
    """Message of a header whose next line is `at`, and the index behind it.

    `tail` is what stood behind the place: the message itself where it has words, else dirt (progress numbers).
    `prefix` is what stood before the header: a logger's or logcat's prefix is taken off the message's lines too.
    `width` is that of a terminal known to wrap: lines that fill it go on without a break.
    """
    shape = prefix_shape(prefix)
    words = tail if _WORD.search(tail) else ""
    first = at
    if not words:
        first = _skip_blank(text, at, shape)
        if first < 0 or (text.is_code(at - 1) and not text.is_code(first)):
            return "", at
        if first + 1 < len(text) and text.same_block(first, first + 1) and not _WORD.search(text.words(first)):
            # Progress numbers that were to stand on the header's line.
            first += 1
        words = _bare(text.words(first), shape)
        if is_end(words) or "panicked at" in words:
            return "", at
        first += 1
    lines = [words]
    still_open = [0, 0, 0]
    _count_open(words, still_open)
    next_line = first
    origin = first - 1
    while next_line < len(text) and len(lines) < _MAX_LINES:
        if not text.same_block(max(origin, 0), next_line) and not _resumes(text, next_line, lines, shape):
            break
        line = _bare(text.words(next_line), shape)
        if not line.strip():
            jump = _skip_blank(text, next_line, shape)
            if jump < 0 or not _resumes(text, jump, lines, shape):
                break
            lines += [""] * min(jump - next_line, 3)
            next_line = jump
            origin = jump
            continue
        if is_end(line) or "panicked at" in line or not (_belongs(text, next_line, line) or max(still_open) > 0):
            break
        if width and len(text.words(next_line - 1)) == width and origin == next_line - 1:
            lines[-1] += line
        else:
            lines.append(line)
        _count_open(line, still_open)
        origin = next_line
        next_line += 1
    return trim(lines), next_line


def first_words(text: Text, at: int) -> str:
    """The next line with words near line `at`, "" where there is none or it belongs to no message."""
    found = _skip_blank(text, at, None)
    return "" if found < 0 or is_end(text.words(found)) or "panicked at" in text.words(found) else text.words(found)


def trim(lines: list[str]) -> str:
    """The lines as one message, without what surrounds it: bold marks, a remark, the end of inline code."""
    message = "\n".join(_without_gaps([line.rstrip() for line in lines])).strip()
    for mark in ("**", "__", "*"):
        if message.startswith(mark) and message.endswith(mark) and len(message) > 2 * len(mark):
            message = message[len(mark) : -len(mark)].strip()
    if message.count("`") % 2:
        message = _to_closing_tick(message)
    first, end, rest = message.partition("\n")
    return (_REMARK.sub("", first) + end + rest).strip()


def _without_gaps(lines: list[str]) -> list[str]:
    """One blank line where there were more; none at all where every line is followed by one (a double-spaced log)."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    spaced = len(filled) > 2 and all(after - before > 1 for before, after in pairwise(filled))
    kept: list[str] = []
    for at, line in enumerate(lines):
        blank = not line.strip()
        if not blank or (kept and kept[-1].strip() and not (spaced and not _before_causes(lines, at))):
            kept.append(line)
    return kept


def _before_causes(lines: list[str], at: int) -> bool:
    return next((line.strip() for line in lines[at:] if line.strip()), "") == "Caused by:"


def _to_closing_tick(message: str) -> str:
    """Up to the back-tick that closes what a back-tick in front of the message had opened."""
    before = 0
    for at, char in enumerate(message):
        if char != "`":
            continue
        if before % 2 == 0 and at and not message[at - 1].isspace() and message[at + 1 : at + 2] in _BEHIND:
            return message[:at].rstrip()
        before += 1
    return message[1:] if message.startswith("`") else message


def is_end(line: str) -> bool:
    """True for a line that belongs to no message: notes, backtraces, cargo's and the log's own lines."""
    line = line[:_MAX_LINE]
    if line.lstrip().startswith("at ") and (_AT_PLACE.search(line[-40:]) or "wasm" in line):
        return True
    return bool(_END.match(line) or _FRAME.match(line) or _LOG.match(line))


def prefix_shape(prefix: str) -> re.Pattern[str] | None:
    """A pattern for the same prefix with other numbers, None where the prefix is none that repeats on each line."""
    prefix = prefix.rstrip().lstrip("`*> ")
    if not prefix or len(prefix) > 200 or "=>" in prefix:
        return None
    pieces = re.split(r"(\d+)", prefix)
    pattern = "".join(r"\d+" if piece.isdigit() and piece.isascii() else re.escape(piece) for piece in pieces)
    return re.compile(r"\s*" + pattern.replace(r"\ ", r"\s+") + r"\s?")


def _bare(line: str, shape: re.Pattern[str] | None) -> str:
    if shape is not None:
        match = shape.match(line)
        if match:
            return line[match.end() :]
    return line


def _skip_blank(text: Text, at: int, shape: re.Pattern[str] | None) -> int:
    """Index of the next line with words in the same part, -1 if there is none near."""
    for jump in range(at, min(at + 6, len(text))):
        if not text.same_part(at - 1 if at else at, jump):
            return -1
        if _bare(text.words(jump), shape).strip():
            return jump
    return -1


def _resumes(text: Text, at: int, lines: list[str], shape: re.Pattern[str] | None) -> bool:
    """After a blank line or a new block: does the message go on? Only error chains hold blank lines."""
    line = _bare(text.words(at), shape)
    if is_end(line) or "panicked at" in line:
        return False
    if line.strip() == "Caused by:":
        return True
    chain = "Caused by:" in (entry.strip() for entry in lines) or "Validation Error" in lines[0]
    return chain and (line[:1].isspace() or shape is not None or line.startswith(("Shader ", "└", "│", "┌")))


def _belongs(text: Text, at: int, line: str) -> bool:
    return text.is_code(at) or _CONTINUES.match(line) is not None


def _count_open(line: str, still_open: list[int]) -> None:
    """Brackets that the message has opened and not closed: a Debug value printed over lines goes on."""
    for kind, (opening, closing) in enumerate((("(", ")"), ("[", "]"), ("{", "}"))):
        still_open[kind] += line.count(opening) - line.count(closing)
