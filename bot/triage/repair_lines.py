"""Undoes what loggers, terminals and copying do to runs of lines, before any layout is read.

What every line of a block carries in front (a log's time and tag, `app_1  |`, table bars, line numbers) is taken off;
`panicked at` broken over two lines is put together; several headers on one line get a line each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bot.triage.markdown import Line

_HEADER = "panicked at"
_THREAD = re.compile(r"(?:\bthread\b|\bThread\b)\s*(?:['\"`‘“]?[^'\"`’”]{0,200}['\"`’”]?)?\s*(?:\(\d{1,20}\))?\s*$")
_PLACE = re.compile(r"[^\s'\"(]{3,250}\.rs:\d{1,7}:\d{1,7}:\s*$")
_LOGGED = re.compile(r"(?:\[?(?:ERROR|WARN|INFO|DEBUG|TRACE)\b|PANIC =>|\S+\.js:\d)")
_NUMBER = re.compile(r"\d+")
_LONGEST = 4000
_MOST_TOKENS = 8
_SHARE = 0.8
_BROKEN = tuple(_HEADER[:length] for length in range(len(_HEADER) - 1, 0, -1))
_OPEN_NAME = re.compile(r"\bthread ['‘][^'’]*$")
_REST_OF_NAME = re.compile(r"[^'’]{0,200}['’](?: \(\d{1,20}\))? panicked at")
_COMMENT = re.compile(r"\s*//+!? ?")
_SPLIT = re.compile(
    r"(?<=\S)\s*(?=(?:\[?ERROR [\w:]{1,60}\]?:? )?(?:PANIC => )?"
    r"(?:[Tt]hread ['‘<][^'’\n]{0,200}['’]?(?: \(\d+\))? )?panicked at )"
)


def repair_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines as they were printed. Their number of source line stays; linear."""
    result: list[Line] = []
    for _, group in groupby(lines, _run_of):
        run = _unmarked(list(group))
        if any(_HEADER in line.text for line in run) or run[0].code:
            run = _without_prefix(_without_comment_marks(run))
            run = list(_whole_headers(run))
        result += run
    return result


def _run_of(line: Line) -> tuple[str, int, bool, int]:
    return line.part, line.comment, line.code, 0 if line.code else line.block


def _unmarked(run: list[Line]) -> list[Line]:
    """A paragraph of which every line, or the whole, is inline code or bold: a log that was marked by hand."""
    shown = [line.text.strip() for line in run if line.text.strip()]
    if len(shown) < 2 or run[0].code:
        return run
    for mark in ("`", "**"):
        each = all(len(t) > 2 * len(mark) and t.startswith(mark) and t.endswith(mark) for t in shown)
        if each:
            return [line._replace(text=line.text.strip()[len(mark) : -len(mark)], code=True) for line in run]
        if shown[0].startswith(mark) and shown[-1].endswith(mark) and not shown[0].startswith("```"):
            inner = [line._replace(code=True) for line in run]
            inner[0] = inner[0]._replace(text=inner[0].text.lstrip()[len(mark) :])
            inner[-1] = inner[-1]._replace(text=inner[-1].text.rstrip()[: -len(mark)])
            return inner
    return run


def _without_comment_marks(run: list[Line]) -> list[Line]:
    """A log kept as a comment in code: the marks of the comment that holds a header are taken off."""
    result: list[Line] = []
    for marked, group in groupby(run, lambda line: _COMMENT.match(line.text) is not None):
        lines = list(group)
        if marked and any(_HEADER in line.text for line in lines):
            lines = [line._replace(text=_COMMENT.sub("", line.text, count=1)) for line in lines]
        result += lines
    return result


def _without_prefix(run: list[Line]) -> list[Line]:
    """Take off the tokens that four of five lines begin with, digits aside."""
    shown = [line for line in run if line.text.strip(" |:-")]
    if len(shown) < 2:
        return run
    before = next((b for b in (_before_header(line.text) for line in shown) if b is not None), None)
    if before is None and len(shown) < 3:
        return run
    prefix = before if before is not None else shown[0].text[:200]
    tokens = [_shape(token) for token in prefix.split()[:_MOST_TOKENS]]
    heads = [[_shape(token) for token in line.text[:300].split(None, len(tokens))[: len(tokens)]] for line in shown]
    count = _shared(tokens, heads, strict=before is None)
    if not count:
        return run
    pattern = re.compile(r"\s*" + r"\s+".join(_pattern(token) for token in tokens[:count]) + r"(?:\s|$)")
    bars = tokens[0] == "|"
    return [_cut(line, pattern, bars=bars) for line in run]


def _before_header(line: str) -> str | None:
    """What stands before a header, or before a place that is all that was left of one; None where there is neither."""
    if _HEADER not in line:
        place = _PLACE.search(line[-300:]) if ".rs:" in line else None
        return line[:-300] + line[-300:][: place.start()] if place else None
    before = line[: line.index(_HEADER)][:400]
    logged = _LOGGED.search(before)
    if logged:
        before = before[: logged.start()]
    return _THREAD.sub("", before)


def _shape(token: str) -> str:
    return _NUMBER.sub("0", token)


def _pattern(shape: str) -> str:
    return r"\d+".join(re.escape(piece) for piece in shape.split("0"))


def _shared(tokens: list[str], heads: list[list[str]], *, strict: bool) -> int:
    """How many leading tokens nearly all lines have in common; without a header they must look like a log's."""
    count = 0
    for length in range(1, len(tokens) + 1):
        same = sum(head[:length] == tokens[:length] for head in heads)
        if same < max(2, _SHARE * len(heads)):
            break
        count = length
    if strict and not any(re.search(r"0:0|^\[.*\]$|[|:]$|^(?:0|E)$", token) for token in tokens[:count]):
        return 0
    return count


def _cut(line: Line, pattern: re.Pattern[str], *, bars: bool) -> Line:
    match = pattern.match(line.text)
    if match is None:
        return line
    text = line.text[match.end() :]
    if bars:
        text = re.sub(r"\s*\|\s*$", "", text).replace("\\|", "|")
    return line._replace(text=text, prefix=match[0])


def _whole_headers(run: list[Line]) -> Iterator[Line]:
    """Put `panicked at` together where a wrap split it, and give each of several headers on one line its own."""
    at = 0
    while at < len(run):
        line = run[at]
        rest = _wrapped_rest(line.text, run[at + 1].text) if at + 1 < len(run) else None
        if rest is not None:
            line = line._replace(text=rest)
            at += 1
        yield from _one_each(line)
        at += 1


def _wrapped_rest(line: str, following: str) -> str | None:
    """Both lines as one, if a header's words are split between them: in the thread's name or in `panicked at`."""
    if len(line) < 20:
        return None
    joined = following.lstrip()
    if _HEADER in joined[:330] and _HEADER not in line:
        if joined.startswith(_HEADER) and _THREAD.search(line[-300:]):
            return f"{line.rstrip()} {joined}"
        if _OPEN_NAME.search(line[-300:]) and _REST_OF_NAME.match(joined):
            return line + joined
        return None
    if not line.rstrip().endswith(_BROKEN):
        return None
    for head in _BROKEN:
        if line.rstrip().endswith(head) and (len(head) > 2 or "PANIC =>" in line or "thread '" in line):
            rest = _HEADER[len(head) :]
            if rest.strip() and joined.startswith(rest.lstrip()):
                return line.rstrip() + (" " if rest.startswith(" ") else "") + joined
    return None


def _one_each(line: Line) -> Iterable[Line]:
    if line.text.count(_HEADER) < 2 and len(line.text) <= _LONGEST:
        return (line,)
    pieces = _SPLIT.split(line.text) if line.text.count(_HEADER) > 1 or _HEADER in line.text[200:] else [line.text]
    return [line._replace(text=piece[: _LONGEST * 4]) for piece in pieces if piece]
