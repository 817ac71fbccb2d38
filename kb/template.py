"""A message template as written in the source, and whether a printed message was made from it. No I/O.

What Rust prints for each macro and method: the standard library's documentation of `panic!`, `todo!`,
`unimplemented!`, `unreachable!`, `assert!`, `Option::expect` and `Result::expect`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from kb.model import PANIC_KINDS, SiteKind

LONGEST_MESSAGE = 4000
"""Characters of a message that are compared; no template of the family needs more."""

_SHORTEST_CUT = 12
"""Characters that must be left of a template's first words."""

_HOLE = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_BLANKS = re.compile(r"\s+")

_PREFIX = {
    SiteKind.TODO: "not yet implemented",
    SiteKind.UNIMPLEMENTED: "not implemented",
    SiteKind.UNREACHABLE: "internal error: entered unreachable code",
}
_COMPARISONS = {
    SiteKind.ASSERT_EQ: "==",
    SiteKind.ASSERT_NE: "!=",
    SiteKind.DEBUG_ASSERT_EQ: "==",
    SiteKind.DEBUG_ASSERT_NE: "!=",
}
_EXPECTS = frozenset({SiteKind.EXPECT, SiteKind.EXPECT_ERR})
_ASSERTS = frozenset({SiteKind.ASSERT, SiteKind.DEBUG_ASSERT})
_UNWRAPS = {
    SiteKind.UNWRAP: ("called `Result::unwrap()` on an `Err` value", "called `Option::unwrap()` on a `None` value"),
    SiteKind.UNWRAP_ERR: ("called `Result::unwrap_err()` on an `Ok` value",),
}


class Fit(IntEnum):
    """How well a message fits a template; higher is better."""

    NONE = 0
    CUT = 1
    """The message ends inside the template: it was cut by whoever pasted it."""
    PREFIX = 2
    """The message starts as the template says and goes on."""
    FULL = 3


def squeeze(text: str) -> str:
    """`text` with every run of white space as one blank, trimmed, cut at LONGEST_MESSAGE."""
    return _BLANKS.sub(" ", text[: LONGEST_MESSAGE * 2]).strip()[:LONGEST_MESSAGE]


def literals(template: str) -> tuple[str, ...]:
    """The fixed parts of a format string in order, white space squeezed; "" at an end where a hole stands there."""
    parts, start, text = [], 0, []
    for hole in _HOLE.finditer(template):
        text.append(template[start : hole.start()])
        start = hole.end()
        if hole.group() in ("{{", "}}"):
            text.append(hole.group()[0])
        else:
            parts.append("".join(text))
            text = []
    parts.append("".join(text) + template[start:])
    return tuple(_BLANKS.sub(" ", part) for part in parts)


def literal_length(template: str) -> int:
    """Characters of the template outside its holes, blanks at the ends of parts not counted."""
    return sum(len(part.strip()) for part in literals(template))


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """One template with the words that its macro or method puts around it."""

    kind: SiteKind
    template: str

    @property
    def printed(self) -> tuple[str, ...]:
        """The forms in which a user can see it, as templates themselves; () where it says nothing of its own."""
        if not self.template:
            return ()
        if self.kind in _PREFIX:
            # People who copy the words by hand leave out what the macro puts before them.
            return (f"{_escape(_PREFIX[self.kind])}: {self.template}", self.template)
        if self.kind in _ASSERTS:
            return (self.template, f"assertion failed: {self.template}")
        if self.kind in _COMPARISONS:
            sign = _COMPARISONS[self.kind]
            return (
                f"assertion `left {sign} right` failed: {self.template}",
                f"assertion failed: `(left {sign} right)` left: {{}} right: {{}}: {self.template}",
            )
        return (self.template,)

    def fit(self, message: str) -> Fit:
        """How well a printed message (raw or squeezed) fits; FULL allows what the kind itself appends."""
        text = squeeze(message)
        return max((_fit(parts, text, self.kind) for parts in _printed_parts(self)), default=Fit.NONE)


def bare_fit(kind: SiteKind, message: str) -> bool:
    """Whether a message is what a site of this kind prints when it has no text of its own."""
    text = squeeze(message)
    if kind in _UNWRAPS:
        return text.startswith(_UNWRAPS[kind])
    if kind in _PREFIX:
        return text == _PREFIX[kind]
    if kind in _COMPARISONS:
        sign = _COMPARISONS[kind]
        return text.startswith((f"assertion `left {sign} right` failed", f"assertion failed: `(left {sign} right)`"))
    return kind is SiteKind.PANIC and text == "explicit panic"


def agrees(kind: SiteKind, template: str, message: str) -> bool:
    """Whether a site of this kind and template can have printed the message.

    False also where nothing can be said (kinds that are no panic).
    """
    if kind not in PANIC_KINDS:
        return False
    if not template:
        return bare_fit(kind, message)
    return MessageTemplate(kind, template).fit(message) > Fit.NONE


@lru_cache(maxsize=65536)
def _printed_parts(template: MessageTemplate) -> tuple[tuple[str, ...], ...]:
    return tuple(literals(form) for form in template.printed)


def _fit(parts: tuple[str, ...], text: str, kind: SiteKind) -> Fit:
    """Match fixed parts from left to right, each at its first place: linear, as for a glob."""
    first = parts[0].lstrip()
    if not text.startswith(first.rstrip()):
        return _cut(first, text)
    if len(parts) > 1 and len(text) == len(first.rstrip()) >= _SHORTEST_CUT:
        return Fit.CUT
    at = len(first) if text.startswith(first) else len(first.rstrip())
    for part in parts[1:-1]:
        found = text.find(part, at)
        if found < 0:
            return Fit.PREFIX if len(text) > 40 and text.endswith(("…", "...")) else Fit.NONE
        at = found + len(part)
    if len(parts) > 1:
        # People drop the full stop at the end of a sentence that they copy.
        at = _end_of_last(parts[-1].rstrip(" ."), text.rstrip(" ."), at)
        if at < 0:
            return Fit.NONE
    rest = text[at:].strip(" .")
    if not rest or (kind in _EXPECTS and rest.startswith(":")) or (kind in _COMPARISONS and "left:" in rest):
        return Fit.FULL
    return Fit.PREFIX


def _end_of_last(part: str, text: str, at: int) -> int:
    """End of the last fixed part: at the text's end if it stands there, else at its first place; -1 where missing."""
    if not part or (text.endswith(part) and len(text) - len(part) >= at):
        return len(text)
    found = text.find(part, at)
    return found + len(part) if found >= 0 else -1


def _cut(first: str, text: str) -> Fit:
    """CUT where the message ends, with dots or without, inside the template's first words."""
    head = text.rstrip("….").rstrip()
    return Fit.CUT if len(head) >= _SHORTEST_CUT and first.startswith(head) else Fit.NONE


def _escape(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
