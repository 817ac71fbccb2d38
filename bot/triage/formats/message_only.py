"""A message without a header in words: in a title, quoted in a sentence, or below a line that announces it."""

from __future__ import annotations

from bot.triage.formats import PanicFormat
from bot.triage.formats._context import is_announced, labelled_place
from bot.triage.formats._mentions import Mention, in_prose, is_message, with_neighbours
from bot.triage.formats._text import Find, Text

_LONGEST_PROSE = 60
_LONGEST_TEXT = 4000


def parse(text: Text, at: int) -> Find | None:
    """All messages of the paragraph that starts on this line."""
    if text.is_code(at) or not text.starts_block(at):
        return None
    block = text.block(at)
    joined = "\n".join(text.words(i) for i in block[:_LONGEST_PROSE])[:_LONGEST_TEXT]
    mentions = in_prose(joined, text.known, title=text.lines[at].part == "title")
    return _find(text, at, block.stop, with_neighbours(joined, mentions or _announced(text, at)))


def _announced(text: Text, at: int) -> list[Mention]:
    """The first line of a short paragraph or quote below "it fails with:" or a heading "Error"."""
    first = text.words(at).strip().strip("*_").strip()
    whole = len(text.block(at)) <= 3 and len(first) <= 300 and first[:1].isupper() and first[-1:] not in "?:"
    if not whole or not is_message(first) or not is_announced(text, at):
        return []
    start = text.words(at).index(first)
    return [Mention(start, start + len(first), first)]


def _find(text: Text, at: int, end: int, mentions: list[Mention]) -> Find | None:
    finds = []
    for mention in mentions:
        location = mention.location or (labelled_place(text, end) if mention is mentions[-1] else None)
        finds.append(Find(at, end, mention.message, location, bare=True))
    return _joined(finds)


def _joined(finds: list[Find]) -> Find | None:
    if not finds:
        return None
    first = finds[0]
    return Find(first.first, first.next, first.message, first.location, None, True, tuple(finds[1:]))


FORMAT = PanicFormat("message_only", "any", ("panic",), parse, bare=True, blocks=True)
