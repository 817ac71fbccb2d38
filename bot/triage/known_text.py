"""Words of the family without any sign of a panic around them: a bare message pasted alone, in a title or as code.

Only what is, as a whole, a text that the family prints; what merely mentions it stays unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.triage.conversation import read_conversation
from bot.triage.knowledge import Knowledge
from bot.triage.model import PanicReport, Report, Span, SpanKind
from kb.template import Fit, literal_length

SHORTEST = 20
"""Fixed characters of a text that may stand for a panic without any sign of one."""
SHORTEST_WHOLE = 16
SHORTEST_START = 24
"""The same where a word, a title or a place around the text gives it away."""
LONGEST = 2000

_CODE_SPAN = re.compile(r"^(`+)\s*(.+?)\s*\1$", re.DOTALL)
_MACRO = re.compile(r'^(?:todo|unimplemented|panic|unreachable)!\("(.+)"\);?$', re.DOTALL)


def is_known_message(text: str, knowledge: Knowledge) -> bool:
    """Whether a text starts with a message of the family: whole, or with words enough before it goes on.

    Whole is also one that lacks the full stop at its end.
    """
    length = len(text.rstrip())
    return any(
        hit.length >= (SHORTEST_WHOLE if hit.fit is Fit.FULL else SHORTEST_START)
        for hit in knowledge.panics.match(text)
        if hit.fit >= Fit.PREFIX or hit.length - length == 1
    )


def read_known_text(report: Report, knowledge: Knowledge) -> tuple[PanicReport, ...]:
    """The one bare message that the report consists of or gives by itself; () where there is none."""
    if not knowledge.panics.mentions("\n".join((report.title, report.body, *report.comments)), SHORTEST):
        return ()
    for span in read_conversation(report).spans:
        for message in _bare_messages(span, report):
            if _is_known(message, knowledge):
                why = "its words are of the family as a whole"
                return (PanicReport(message, None, "known_text", span.ref, why=why),)
    return ()


def _bare_messages(span: Span, report: Report) -> Iterator[str]:
    """Texts that a span gives as a whole: a title, a lone paragraph, a block of code, without marks around them."""
    text = span.text.strip()
    if not text or len(text) > LONGEST or span.kind is SpanKind.QUOTE:
        return
    alone = text == report.body.strip() and not report.title.strip()
    if span.kind is SpanKind.PROSE and not alone and span.ref.part != "title" and not _CODE_SPAN.match(text):
        return
    plain = _CODE_SPAN.sub(r"\2", text)
    yield plain
    macro = _MACRO.match(plain)
    if macro and alone:
        # A page about an error names it by the macro that raises it.
        yield macro[1]


def _is_known(message: str, knowledge: Knowledge) -> bool:
    return any(
        hit.fit is Fit.FULL and literal_length(hit.template) >= SHORTEST for hit in knowledge.panics.match(message)
    )
