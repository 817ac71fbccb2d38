"""A report as lines and spans, in reading order: title, body, comments. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from bot.triage.markdown import Line, read_markdown
from bot.triage.model import Conversation, Report, Span, SpanKind
from bot.triage.repair import clean_line, encodable, split_lines


def read_lines(report: Report) -> list[Line]:
    """Every shown line of the report: the title as prose, then body and comments as GitHub reads them."""
    lines = [
        Line(clean_line(text), SpanKind.PROSE, "title", 0, number, 0)
        for number, text in enumerate(split_lines(encodable(report.title)), 1)
    ]
    parts = [("body", 0, report.body), *(("comment", i, text) for i, text in enumerate(report.comments))]
    for part, index, text in parts:
        lines += _without_own_words(read_markdown(text, part, index, lines[-1].block + 1))
    return lines


def _without_own_words(lines: list[Line]) -> list[Line]:
    """The lines without quotes of our own comment: "Quote reply" copies its panic, its cause and its footer."""
    result: list[Line] = []
    for quoted, group in groupby(lines, lambda line: line.kind is SpanKind.QUOTE):
        run = list(group)
        if not quoted or not _is_own("\n".join(line.text for line in run)):
            result += run
    return result


def _is_own(quote: str) -> bool:
    return "`/triage wrong`" in quote or ("**Raised at**" in quote and "**Cause.**" in quote)


def read_conversation(report: Report) -> Conversation:
    """The report as spans. Any `str` is read, whatever it holds; an empty report gives no spans."""
    return Conversation(tuple(_spans(read_lines(report))))


def _spans(lines: Iterable[Line]) -> Iterator[Span]:
    for _, group in groupby(lines, lambda line: (line.part, line.comment, line.block, line.kind)):
        run = list(group)
        text = "\n".join(line.text for line in run)
        if text.strip():
            first = run[0]
            yield Span(first.kind, text, first.ref(run[-1].number), first.language)


def prose_lines(markdown: str) -> list[str]:
    """The lines of a comment in which a command may stand: prose only, never code, quotes or HTML.

    Inline code is blanked, also where it spans lines; trailing blanks are cut. Indentation is kept.
    """
    lines = [line for line in read_markdown(markdown) if line.kind is SpanKind.PROSE]
    result: list[str] = []
    for _, group in groupby(lines, lambda line: line.block):
        block = list(group)
        texts = _without_code("\n".join(line.text for line in block)).split("\n")
        result += [text for text, line in zip(texts, block, strict=True) if not line.html]
    return [text.rstrip() for text in result if text.strip()]


def _without_code(text: str) -> str:
    kept: list[str] = []
    at = 0
    for start, end in code_spans(text):
        kept += [text[at:start], "\n" * text.count("\n", start, end) or " "]
        at = end
    kept.append(text[at:])
    return "".join(kept)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each inline code span of one paragraph, back-ticks included, by CommonMark's rule. Linear."""
    runs = list(_tick_runs(text))
    by_length: dict[int, list[int]] = {}
    for number, (start, end) in enumerate(runs):
        by_length.setdefault(end - start, []).append(number)
    spans: list[tuple[int, int]] = []
    cursor = dict.fromkeys(by_length, 0)
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = by_length[end - start]
        at = cursor[end - start]
        while at < len(same) and same[at] <= number:
            at += 1
        cursor[end - start] = at
        if at < len(same):
            spans.append((start, runs[same[at]][1]))
            number = same[at]
        number += 1
    return spans


def _tick_runs(text: str) -> Iterator[tuple[int, int]]:
    at = text.find("`")
    while at >= 0:
        end = at
        while end < len(text) and text[end] == "`":
            end += 1
        if at == 0 or text[at - 1] != "\\":
            yield at, end
        at = text.find("`", end)
