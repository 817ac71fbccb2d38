"""`panicked at`: the header that std prints, in all its layouts and with what lies in front of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.triage.formats._text import Text
from bot.triage.location import parse_location
from bot.triage.model import Location

_IN_SOURCE = re.compile(r"(?:[=(,]|\bcontains|\bexpected)\s*&?r?#{0,2}\"(?:[Tt]hread [^\"]{0,300})?$")
"""A string literal of somebody's source code that holds the words of a header."""
_QUOTES = "'\"`‘’“”"
_THREAD = re.compile(
    rf"(?:thread|Thread)\s+(?:[{_QUOTES}]([^\n]{{0,300}}?)[{_QUOTES}]|(<unnamed>"
    rf"|[\w:.-]+))?\s*(?:\((\d{{1,20}})\))?\s*$"
)
_PLACE = re.compile(r"\.rs(?::\d{1,7}(?::\d{1,7})?|#L\d{1,7}(?:C\d{1,7})?)")
_LINK_TARGET = re.compile(r"\]\([^\s()]{0,500}\)")
"""What follows a place that was made a Markdown link."""
_OLD_PLACE = re.compile(rf"[{_QUOTES}],\s*([^\n,]{{1,500}}?\.rs:\d{{1,7}}(?::\d{{1,7}})?)")
_MAX_PATH = 500
_MAX_JOIN = 8
_NARROWEST = 40
_MAX_QUOTED = 80


@dataclass(frozen=True, slots=True)
class Header:
    """A header that names a place."""

    at: int
    next: int
    """First line behind the header (and behind the whole quoted message of the old layout)."""
    prefix: str
    """What stands before `thread` or `panicked`."""
    thread: str | None
    thread_id: str | None
    threaded: bool
    """The word `thread` is there."""
    location: Location
    tail: str
    """What follows the place on the header's line; the whole message where it was quoted."""
    quoted: bool
    """Layout before Rust 1.73: message in quotes, place behind it."""
    width: int = 0
    """Columns of the terminal that wrapped the header, 0 where nothing was wrapped."""


def read_header(text: Text, at: int) -> Header | None:
    """The header on line `at`, or None. A place that is wrapped over lines is put together."""
    if at not in text.headers:
        text.headers[at] = _read_header(text, at)
    found = text.headers[at]
    return found if isinstance(found, Header) else None


def _read_header(text: Text, at: int) -> Header | None:
    line = text.words(at)
    start = line.find("panicked at")
    if start < 0:
        return None
    before, rest = line[:start].rstrip(), line[start + len("panicked at") :].strip()
    if _IN_SOURCE.search(before[-330:]):
        return None
    from_thread = max(before.rfind("thread"), before.rfind("Thread"))
    match = _THREAD.match(before, from_thread) if from_thread >= 0 else None
    prefix = before[:from_thread] if match else before
    thread = (match[1] if match[1] is not None else match[2]) if match else None
    thread_id = match[3] if match else None
    if not text.is_code(at) and before.count("`") % 2 and rest.count("`") % 2:
        rest = rest[: rest.rindex("`")]
    if not rest and at + 1 < len(text) and text.words(at + 1).lstrip().startswith(("'", "‘")):
        rest = "'"
    if rest.startswith("Box<"):
        # `panic_any` before 1.73: the type stands where the message would, without quotes.
        rest = line = f"panicked at '{rest.replace(', ', chr(39) + ', ', 1)}"
        start, rest = 0, rest.removeprefix("panicked at ")
    if rest[:1] in ("'", "‘", '"') or rest[:2] == "`'":
        old = _read_quoted(text, at, line[start + len("panicked at") :].lstrip() if rest != "'" else rest)
        if old is None:
            return None
        next_line, message, location = old
        return Header(at, next_line, prefix, thread, thread_id, match is not None, location, message, quoted=True)
    place = _read_place(text, at, rest)
    if place is None:
        return None
    next_line, location, tail = place
    width = len(line) if next_line > at + 1 else 0
    return Header(at, next_line, prefix, thread, thread_id, match is not None, location, tail, False, width)


def _read_place(text: Text, at: int, rest: str) -> tuple[int, Location, str] | None:
    """Place and tail; joins following lines while the place is incomplete (terminals wrap anywhere, even in digits)."""
    joined, next_line = rest, at + 1
    match = _PLACE.search(joined[: _MAX_PATH + 40])
    while match is None and next_line < len(text) and next_line - at <= _MAX_JOIN:
        piece = text.words(next_line).strip()
        if not piece or not text.same_part(at, next_line) or "panicked at" in piece or len(joined) > _MAX_PATH:
            return None
        joined += piece
        next_line += 1
        match = _PLACE.search(joined[: _MAX_PATH + 40])
    if match is None:
        return None
    if match.end() == len(joined) or joined[match.end() :] == ":":
        joined, next_line = _join_digits(text, at, joined, next_line, complete=joined.endswith(":"))
        match = _PLACE.search(joined[: _MAX_PATH + 40])
        if match is None:
            return None
    path = joined[: match.start()] + ".rs"
    if not is_path(path):
        return None
    tail = _LINK_TARGET.sub("", joined[match.end() :], count=1) if path.startswith("[") else joined[match.end() :]
    return next_line, parse_location(joined[: match.end()].lstrip("`*")), tail.lstrip(":").strip()


def _join_digits(text: Text, at: int, joined: str, next_line: int, *, complete: bool) -> tuple[str, int]:
    """A wrap inside `line:column:`. std ends the header with a colon, so digits and a colon alone are its rest."""
    if next_line >= len(text) or not text.same_part(at, next_line):
        return joined, next_line
    piece = text.words(next_line).strip()
    has_column = re.search(r"\.rs:\d+:\d+:?$", joined) is not None
    if complete and has_column:
        return joined, next_line
    if piece and re.fullmatch(r"(?:\d{1,7}:?|:)?(?:\d{1,7})?:", piece):
        return joined + piece, next_line + 1
    return joined, next_line


def is_path(path: str) -> bool:
    """A plausible path of a source file: no sentence, no placeholder, no code."""
    if len(path) > _MAX_PATH or "{}" in path or "\n" in path:
        return False
    first_slash = min((i for i in (path.find("/"), path.find("\\")) if i >= 0), default=len(path))
    return " " not in path[:first_slash].strip() and not any(c in path for c in '"|;=')


def _read_quoted(text: Text, at: int, rest: str) -> tuple[int, str, Location] | None:
    """Message in quotes, then comma and place. The message may run over many lines and hold quotes itself."""
    lines = [rest.lstrip("`")]
    next_line = at + 1
    width = len(text.words(at))
    while (closed := _close_quoted(lines)) is None:
        if next_line >= len(text) or len(lines) > _MAX_QUOTED or not text.same_part(at, next_line):
            return None
        if "panicked at" in text.words(next_line):
            return None
        lines.append(text.words(next_line))
        next_line += 1
    message, place, wrapped = closed
    full = [len(text.words(i)) == width for i in range(at, next_line)]
    if wrapped or _fills_the_width(full, width, text.words(next_line - 1)):
        message = _unwrap(message, full)
    while next_line < len(text) and text.same_part(at, next_line) and place.rpartition(".rs:")[2].count(":") < 2:
        piece = text.words(next_line).strip()
        if not _goes_on(place, piece):
            break
        place += piece
        next_line += 1
    return next_line, message, parse_location(place)


def _fills_the_width(full: list[bool], width: int, last: str) -> bool:
    """Whether a terminal broke these lines: all but the last have the same width, and none was indented by hand."""
    return len(full) > 1 and width >= _NARROWEST and all(full[:-1]) and not last[:1].isspace()


def _unwrap(message: str, full: list[bool]) -> str:
    """The message without the line breaks that the terminal made: those behind lines as wide as the header's."""
    lines = message.split("\n")
    return "".join(line + ("" if full[at] else "\n") for at, line in enumerate(lines)).rstrip("\n")


def _goes_on(place: str, piece: str) -> bool:
    """Digits alone below a place that lacks its column, or below one that broke inside a number."""
    return re.fullmatch(r":?\d{1,7}(?::\d{1,7})?|:", piece) is not None and not (
        re.search(r"\.rs:\d+:\d+$", place) and ":" in piece
    )


def _close_quoted(lines: list[str]) -> tuple[str, str, bool] | None:
    """Message, place and whether that was wrapped, if the last line brings the end of the place (`.rs:12`)."""
    if not re.search(r"(?:\.r?|^)s?:\d|\.rs:", lines[-1]):
        return None
    for count in range(1, min(len(lines), 4) + 1):
        head, tail = lines[:-count], "".join(line.strip() if i else line for i, line in enumerate(lines[-count:]))
        match = _OLD_PLACE.search(tail)
        if match and match.end() > len(tail) - len(lines[-1].strip()) and is_path(match[1]):
            place = match[1] + (":" if tail[match.end() :].strip() == ":" else "")
            message = "\n".join([*head, tail[: match.start()]])[1:]
            return message.strip(), place, count > 1
    return None
