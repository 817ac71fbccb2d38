"""Markdown as GitHub reads it: every source line with what it is (prose, code, quote, HTML).

GitHub's own parser (cmark-gfm) says which lines belong to which block; the words are then taken from the source lines,
because rendering loses what matters here (back-ticks inside a message, `<unnamed>`, back-slashes of Windows paths).
HTML blocks are the lines that no other block claims; their `<pre>` and `<code>` are code, their comments nothing.
The parser runs without its "unsafe" option: the HTML it would pass on could carry forged source positions, and all of
that HTML is re-read from the source anyway. It also runs without the table extension, which can blow up 30 KB to 5 MB.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import cmarkgfm
from cmarkgfm.cmark import Options

from bot.triage.model import SourceRef, SpanKind
from bot.triage.repair import clean_line, encodable, split_lines

_BLOCK = re.compile(r'<(pre|blockquote|p|h[1-6]|li|hr) data-sourcepos="(\d+):(\d+)-(\d+):(\d+)"')
_QUOTE_MARK = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>[ ]?")
_FENCE = re.compile(r"([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*(.*)$")
_ESCAPED = re.compile(r"\\([_*<>\[\]`#|~])")
_FENCE_END = re.compile(r"[ \t]*(`{2,}|~{3,})[ \t]*$")
_TAG = re.compile(
    r"</?(?:details|DETAILS|summary|SUMMARY|pre|PRE|code|CODE|br|BR|p|div|span|b|i|strong|em|a|img|h[1-6]|ul|ol|li|hr|"
    r"table|thead|tbody|tr|th|td|sup|sub|kbd|samp|tt|font|center|blockquote|picture|source|video|del|ins|u|s|small)"
    r"(?:[ \t][^<>]*)?/?>"
)


class Line(NamedTuple):
    """One line of a report. Several may share a number (`<br>`); lines that show nothing (fences) are left out.

    A tuple, because there can be a hundred thousand of them.
    """

    text: str
    """Without quote marks, container indentation, colours and tags."""
    kind: SpanKind
    part: str
    """`title`, `body` or `comment`."""
    comment: int
    """Index among the comments, 0 for title and body."""
    number: int
    """1-based source line in its part."""
    block: int
    """Lines of one block share it; blocks count upwards through the whole report."""
    language: str = ""
    """First word of a fence's info string, lower case."""
    html: bool = False
    """From an HTML block, or begun by a tag: shown by GitHub, but not prose for commands."""
    code: bool = False
    """From a code block, a quoted one too."""
    prefix: str = ""
    """What a log had put before the text and repair took off."""

    def ref(self, end: int | None = None) -> SourceRef:
        """Where this line stands, or the run from it to line `end` of the same part."""
        return SourceRef(self.part, self.comment, self.number, max(self.number, end or 0))


@dataclass(slots=True)
class _Map:
    """What the parser says of each source line (index 0 is line 1)."""

    quote: list[int]
    code: list[int]
    """Number of the code block, 0 for none."""
    prose: list[int]
    """Number of the paragraph or heading, 0 for none."""
    item: list[bool]


def read_markdown(text: str, part: str = "body", index: int = 0, block: int = 0) -> list[Line]:
    """All shown lines of one Markdown text, in order; of several blank lines in a row only the first two.

    `part` and `index` go into the lines, their blocks count on from `block`. Never fails; linear in the text's length.
    """
    text = encodable(text)
    source = split_lines(text)
    reader = _Reader(source, _map_blocks(text, len(source)), part, index, block)
    reader.read()
    return reader.shown


def _map_blocks(text: str, count: int) -> _Map:
    html = cmarkgfm.markdown_to_html(text, Options.CMARK_OPT_SOURCEPOS)
    depth = [0] * (count + 2)
    found = _Map([0] * count, [0] * count, [0] * count, [False] * count)
    for number, match in enumerate(_BLOCK.finditer(html), 1):
        tag, first, last = match.group(1, 2, 4)
        start, end = min(int(first), count), min(int(last), count)
        if tag == "blockquote":
            depth[start] += 1
            depth[end + 1 if end >= start else start + 1] -= 1
        elif tag == "li":
            _mark_item(found.item, start, end)
        else:
            target = found.code if tag == "pre" else found.prose
            for line in range(start - 1, end):
                target[line] = number
    level = 0
    for line in range(count):
        level += depth[line + 1]
        found.quote[line] = level
    return found


def _mark_item(item: list[bool], start: int, end: int) -> None:
    # Nested lists mark the same lines again and again; stopping at the first marked line keeps this linear.
    for line in range(end - 1, start - 2, -1):
        if line < 0 or line >= len(item):
            continue
        if item[line]:
            break
        item[line] = True


def _unquote(line: str, depth: int) -> str:
    at = 0
    for _ in range(depth):
        match = _QUOTE_MARK.match(line, at)
        if match is None:
            break
        at = match.end()
    return line[at:] if at else line


class _Reader:
    """Walks the source lines once, keeping the state that crosses blocks: an open `<pre>`, `<code>` or comment."""

    def __init__(self, source: list[str], blocks: _Map, part: str, index: int, block: int) -> None:
        self.source = source
        self.blocks = blocks
        self.part = part
        self.index = index
        self.block = block
        self.pre = False
        self.comment = False
        self.closed = {blocks.prose[at]: at for at, line in enumerate(source) if "-->" in line}
        """Last line of each paragraph that ends a comment: one that is never ended is no comment there."""
        self.shown: list[Line] = []

    def read(self) -> None:
        """Fill `shown`."""
        at = 0
        last = -1
        while at < len(self.source):
            code = self.blocks.code[at]
            if code:
                end = at
                while end < len(self.source) and self.blocks.code[end] == code:
                    end += 1
                self.block += 1
                self._code(at, end)
                at, last = end, -1
                continue
            kind = self.blocks.prose[at]
            blank = not self.source[at] or self.source[at].isspace()
            if kind != last or blank:
                self.block += 1
                last = kind
            if blank:
                self._add("", SpanKind.PROSE, at + 1, code=self.pre)
                last = -1
            else:
                self._text(at)
            at += 1

    def _add(
        self, text: str, kind: SpanKind, number: int, *, language: str = "", html: bool = False, code: bool = False
    ) -> None:
        if not text and len(self.shown) > 1 and not self.shown[-1].text and not self.shown[-2].text:
            return
        self.shown.append(Line(text, kind, self.part, self.index, number, self.block, language, html, code))

    def _code(self, start: int, end: int) -> None:
        depth = self.blocks.quote[start]
        kind = SpanKind.QUOTE if depth else SpanKind.CODE
        first = _unquote(self.source[start], depth)
        fence = _FENCE.match(first)
        language = ""
        if fence:
            indent = len(fence[1])
            info = fence[3].strip()
            language = info.split(" ", 1)[0].split(",", 1)[0][:40].lower() if info else ""
            if " " in info:
                # Text right behind the opening fence is meant as the first line of the log.
                self._add(clean_line(info), kind, start + 1, language=language, code=True)
            start += 1
        else:
            indent = len(first) - len(first.lstrip())
        for at in range(start, end):
            line = _unquote(self.source[at], depth) if depth else self.source[at]
            if fence and line and line.lstrip()[:1] in ("`", "~") and _FENCE_END.match(line):
                self.block += 1
                continue
            pad = min(indent, len(line) - len(line.lstrip())) if indent else 0
            self._add(clean_line(line[pad:]), kind, at + 1, language=language, code=True)

    def _text(self, at: int) -> None:
        depth = self.blocks.quote[at]
        line = _unquote(self.source[at], depth) if depth else self.source[at]
        paragraph = self.blocks.prose[at]
        tagged = _TAG.match(line.lstrip()) is not None
        html = not paragraph and (not self.blocks.item[at] or line.lstrip().startswith("<"))
        was_pre = self.pre
        if "<" in line or self.comment:
            line = self._without_tags(
                self._without_comments(line, carry=html or (paragraph > 0 and self.closed.get(paragraph, 0) > at))
            )
        kind = SpanKind.QUOTE if depth else SpanKind.CODE if was_pre or self.pre else SpanKind.PROSE
        if was_pre != self.pre:
            self.block += 1
        if kind is not SpanKind.CODE and "\\" in line:
            line = _ESCAPED.sub(r"\1", line)
        for piece in line.removesuffix("\n").split("\n"):
            self._add(clean_line(piece), kind, at + 1, html=html or tagged, code=kind is SpanKind.CODE)

    def _without_comments(self, line: str, *, carry: bool) -> str:
        kept: list[str] = []
        at = 0
        while at < len(line):
            if self.comment:
                end = line.find("-->", at)
                if end < 0:
                    return "".join(kept)
                self.comment, at = False, end + 3
                continue
            start = line.find("<!--", at)
            if start < 0 or (not carry and line.find("-->", start) < 0):
                kept.append(line[at:])
                break
            kept.append(line[at:start])
            self.comment, at = True, start + 4
        return "".join(kept)

    def _without_tags(self, line: str) -> str:
        return _TAG.sub(self._tag, line)

    def _tag(self, match: re.Match[str]) -> str:
        tag = match[0].lower()
        if tag.startswith("<br"):
            return "\n"
        if tag.startswith(("<pre", "</pre")):
            self.pre = tag[1] != "/"
            return "\n"
        if tag.startswith(("<code", "</code")):
            return "" if self.pre else "`"
        return "\n" if tag.startswith(("<summary", "</summary", "<p", "</p", "<li", "<tr", "<div", "</div")) else ""
