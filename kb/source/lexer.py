"""Rust's lexical layer: where code ends and comments and literals begin, and which bracket closes which. Pure.

One pass in linear time over any bytes. Source of the rules: The Rust Reference, chapters "Comments" (block comments
nest), "Tokens" (raw strings, byte and C strings, character literals) and "Identifiers".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_GENERICS = 1500
"""Bytes within which a `<` must be closed; more would make hostile input quadratic."""

IDENTIFIER_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" + bytes(range(0x80, 0x100))
"""What an identifier is made of; every byte above ASCII counts, for all of them stand for letters in code."""

_TOKEN = re.compile(
    rb"""//[^\n]*+|/\*|"(?<![r#]")(?:[^"\\]++|\\.)*+"?+|"|[(){}\[\]]"""
    rb"""|'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]*+|\\(?:u\{[^}'\n]*+\}|x[0-9a-fA-F]{2}|[^ux]))'""",
    re.DOTALL,
)
_PLAIN_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+', re.DOTALL)
_COMMENT_EDGE = re.compile(rb"/\*|\*/")
_NEWLINE = re.compile(rb"\n")
_SEPARATOR = re.compile(rb"[,(\[{]|::\s*<")
_ANGLE = re.compile(rb"->|=>|[<>;(\[{)\]}]")

_OPENERS = {ord("("): ord(")"), ord("["): ord("]"), ord("{"): ord("}")}
_CLOSERS = {close: opener for opener, close in _OPENERS.items()}
_PUNCTUATION = b',()[]{}<>;"/.!#'
"""Characters that would be taken for code; a character literal that holds another one stays as it is."""
_BOM = b"\xef\xbb\xbf"


class Literal(NamedTuple):
    """A string literal's extent (prefix and quotes in) and that of its text; offsets in bytes."""

    start: int
    end: int
    text_start: int
    text_end: int
    raw: bool


class Lexed:
    """A file's source beside `code`: the same bytes with comments and the insides of strings blanked out.

    `pair` gives the offset of the bracket that closes the one at an offset, and the other way round. A bracket that
    nothing closes is closed by the end of the file.
    """

    __slots__ = ("_lines", "code", "literals", "pair", "sound", "source", "starts")

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.pair: dict[int, int] = {}
        self.literals: dict[int, Literal] = {}
        """By the offset of their first byte, in order."""
        self.sound = True
        """Whether every bracket, string and comment is closed; if not, no grammar can accept the file."""
        self.code = _Pass(self).run()
        self.starts = list(self.literals)
        self._lines = [-1, *(m.start() for m in _NEWLINE.finditer(source))]

    def line(self, offset: int) -> int:
        """1-based line of a byte."""
        return bisect_left(self._lines, offset)

    def column(self, offset: int) -> int:
        """1-based column as rustc prints it: display width, a tab is four, a wide character two."""
        start = self._lines[bisect_left(self._lines, offset) - 1] + 1
        before = self.source[start:offset]
        if before.isascii():
            return 1 + len(before) + 3 * before.count(b"\t")
        text = before.removeprefix(_BOM) if start == 0 else before
        return 1 + sum(map(_width, text.decode("utf-8", "replace")))

    def literals_in(self, start: int, end: int) -> Iterator[Literal]:
        """String literals that begin within [start, end), in order."""
        for index in range(bisect_left(self.starts, start), len(self.starts)):
            literal = self.literals[self.starts[index]]
            if literal.start >= end:
                return
            yield literal

    def arguments(self, opener: int) -> Iterator[tuple[int, int]]:
        """Extents of the parts between the bracket at `opener` and its end, split at top-level commas."""
        position = start = opener + 1
        close = self.pair[opener]
        while match := _SEPARATOR.search(self.code, position, close):
            at = match.start()
            if match[0] == b",":
                yield start, at
                position = start = at + 1
            elif match[0][0] in _OPENERS:
                position = self.pair[at] + 1
            else:
                position = max(self.angle_end(match.end() - 1), match.end())
        if start < close:
            yield start, close

    def angle_end(self, opener: int) -> int:
        """Offset behind the `>` that closes the `<` at `opener`; `opener` + 1 where none does nearby."""
        depth = 0
        position, limit = opener, opener + LONGEST_GENERICS
        while match := _ANGLE.search(self.code, position, limit):
            token = match[0]
            position = match.end()
            if token == b"<":
                depth += 1
            elif token == b">":
                depth -= 1
                if not depth:
                    return position
            elif token[0] in _OPENERS:
                position = self.pair[match.start()] + 1
            elif token in b";)]}":
                break
        return opener + 1


def _width(char: str) -> int:
    if char == "\t":
        return 4
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1


class _Pass:
    """The one pass over the source that fills `pair` and `literals` and makes `code`."""

    def __init__(self, lexed: Lexed) -> None:
        self.lexed = lexed
        self.source = lexed.source
        self.pair = lexed.pair
        self.literals = lexed.literals
        self.code = bytearray(self.source)
        self.open: list[int] = []
        self.open_of = dict.fromkeys(_OPENERS, 0)

    def run(self) -> bytes:
        position: int | None = 0
        while position is not None:
            position = self._tokens(position)
        end = len(self.source)
        if self.open:
            self.lexed.sound = False
            self.pair.update((opener, end) for opener in self.open)
        return bytes(self.code)

    def _tokens(self, position: int) -> int | None:
        """Handle tokens from `position` on; where to go on, None at the end."""
        source, open_, open_of = self.source, self.open, self.open_of
        for match in _TOKEN.finditer(source, position):
            at = match.start()
            first = source[at]
            if first in _OPENERS:
                open_.append(at)
                open_of[first] += 1
            elif first in _CLOSERS:
                self._close(at, _CLOSERS[first])
            elif first == 0x22:
                end = match.end()
                if end - at == 1:
                    return self._odd_quote(at)
                prefix = at > 0 and source[at - 1] in b"bc" and (at < 2 or source[at - 2] not in IDENTIFIER_BYTES)
                self._string(at - prefix, at, 1, end)
            elif first == 0x2F:
                if source[at + 1] == 0x2A:
                    return self._block_comment(at)
                self._blank(at, match.end())
            elif source[at + 1] in _PUNCTUATION:
                self._blank(at + 1, match.end() - 1)
        return None

    def _close(self, at: int, wanted: int) -> None:
        """Close the nearest bracket of this sort; what stands open inside it ends here too."""
        if not self.open_of[wanted]:
            self.lexed.sound = False
            return
        while True:
            opener = self.open.pop()
            kind = self.source[opener]
            self.open_of[kind] -= 1
            self.pair[opener] = at
            if kind == wanted:
                self.pair[at] = opener
                return
            self.lexed.sound = False

    def _odd_quote(self, quote: int) -> int:
        """A quote behind `r` or `#`, or a lone one at the end: a raw string where the prefix says so."""
        source = self.source
        r = quote - 1
        while r >= 0 and source[r] == 0x23:
            r -= 1
        hashes = quote - r - 1
        word_start = r + 1
        while word_start > 0 and r - word_start < 3 and source[word_start - 1] in IDENTIFIER_BYTES:
            word_start -= 1
        if source[word_start : r + 1] in (b"r", b"br", b"cr"):
            tail = b'"' + b"#" * hashes
            found = source.find(tail, quote + 1)
            end = len(source) if found < 0 else found + len(tail)
            self._string(word_start, quote, len(tail), end, raw=True)
            return end
        match = _PLAIN_STRING.match(source, quote)
        end = match.end() if match else quote + 1
        self._string(quote, quote, 1, end)
        return end

    def _string(self, start: int, quote: int, tail: int, end: int, *, raw: bool = False) -> None:
        closed = end - tail > quote and self.source[end - tail] == 0x22
        text_end = end - tail if closed else end
        self.lexed.sound &= closed
        self._blank(quote + 1, text_end)
        self.literals[start] = Literal(start, end, quote + 1, text_end, raw)

    def _block_comment(self, start: int) -> int:
        depth = 0
        for match in _COMMENT_EDGE.finditer(self.source, start):
            depth += 1 if match[0] == b"/*" else -1
            if not depth:
                self._blank(start, match.end())
                return match.end()
        self._blank(start, len(self.source))
        self.lexed.sound = False
        return len(self.source)

    def _blank(self, start: int, end: int) -> None:
        self.code[start:end] = b" " * (end - start)
