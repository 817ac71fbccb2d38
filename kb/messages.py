"""Find the templates that a printed message can stem from: all of the family against one message, in microseconds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import ahocorasick

from kb.model import SiteKey, SiteKind
from kb.template import Fit, MessageTemplate, literal_length, literals, squeeze

SHORTEST_LITERAL = 12
"""Fixed characters that a template needs before its words alone can point at a site (measured: 6 to 16 cost at most
one right answer in 73, below that false ones come)."""


SHORTEST_CUT = 20
"""Characters of a message that ends inside a template before it counts at all, and only where nothing fits whole."""


@dataclass(frozen=True, slots=True)
class TemplateHit:
    """One template that fits, with all the keys that have these words."""

    kind: SiteKind
    template: str
    fit: Fit
    length: int
    """Fixed characters of the template."""
    keys: tuple[SiteKey, ...]


class MessageMatcher:
    """All usable templates behind one Aho-Corasick automaton over their longest fixed parts."""

    def __init__(self, keys: Iterable[SiteKey]) -> None:
        groups: dict[MessageTemplate, list[SiteKey]] = {}
        for key in keys:
            groups.setdefault(MessageTemplate(key.kind, key.template), []).append(key)
        usable = {t: keys for t, keys in groups.items() if literal_length(t.template) >= SHORTEST_LITERAL}
        self._groups = {template: tuple(sorted(keys)) for template, keys in usable.items()}
        self._automaton = self._build()

    @cached_property
    def wordings(self) -> Mapping[str, str]:
        """The fixed words of every template as a user sees them, by themselves: what fuzzy comparison works on."""
        return {wording: wording for wording in self._by_wording}

    def keys_of(self, wording: str) -> tuple[SiteKey, ...]:
        """The keys whose template has these fixed words, () for none."""
        return self._by_wording.get(wording, ())

    @cached_property
    def _by_wording(self) -> dict[str, tuple[SiteKey, ...]]:
        found: dict[str, tuple[SiteKey, ...]] = {}
        for template, keys in self._groups.items():
            wording = " ".join(" ".join(literals(template.printed[0])).split())
            found[wording] = (*found.get(wording, ()), *keys)
        return found

    def match(self, message: str) -> Sequence[TemplateHit]:
        """Templates that fit `message` from its start: full fits first, then the most fixed characters."""
        text = squeeze(message)
        if not self._groups or not text:
            return ()
        found: set[MessageTemplate] = set()
        for _, templates in self._automaton.iter(text):
            found.update(templates)
        hits = [self._hit(t, text) for t in found]
        fitting = [h for h in hits if h.fit > Fit.CUT]
        if fitting and max(h.fit for h in fitting) is Fit.PREFIX:
            # What holds the whole text, its full stop or its end left out, explains more than what it only begins with.
            fitting = [h for h in hits if h.fit is Fit.CUT and len(text) >= SHORTEST_CUT] or fitting
        if len(text) >= SHORTEST_CUT and (not fitting or _cut_of_longer(text, fitting)):
            fitting = self._cut(text) or fitting or [h for h in hits if h.fit is Fit.CUT]
        return sorted(fitting, key=lambda h: (-h.fit, -h.length, h.kind, h.template))

    def _hit(self, template: MessageTemplate, text: str) -> TemplateHit:
        length = literal_length(template.template)
        return TemplateHit(template.kind, template.template, template.fit(text), length, self._groups[template])

    def _cut(self, text: str) -> list[TemplateHit]:
        """Templates whose words up to their first hole begin with a text that ends in dots; all are as good."""
        head = text.rstrip("….").rstrip()
        if len(head) == len(text) or len(head) < SHORTEST_CUT:
            return []
        at, found = bisect_left(self._starts, head, key=lambda start: start[0]), set()
        while at < len(self._starts) and self._starts[at][0].startswith(head):
            found.add(self._starts[at][1])
            at += 1
        return [TemplateHit(t.kind, t.template, Fit.CUT, len(head), self._groups[t]) for t in found]

    @cached_property
    def _starts(self) -> list[tuple[str, MessageTemplate]]:
        starts = [(literals(form)[0].lstrip(), t) for t in self._groups for form in t.printed]
        return sorted(starts, key=lambda start: start[0])

    def mentions(self, text: str, shortest: int) -> bool:
        """Whether all fixed words of any template of at least `shortest` fixed characters occur in a text.

        A quick look at a text of any length before a closer one. Linear but for the few templates whose longest part
        does occur.
        """
        flat = " ".join(text.split())
        if not self._groups or not flat:
            return False
        near = {t for _, templates in self._automaton.iter(flat) for t in templates}
        long = (t for t in near if literal_length(t.template) >= shortest)
        return any(all(part.strip() in flat for part in literals(t.template)) for t in long)

    def _build(self) -> ahocorasick.Automaton:
        anchors: dict[str, list[MessageTemplate]] = {}
        for template in self._groups:
            anchors.setdefault(_anchor(template.template), []).append(template)
        automaton = ahocorasick.Automaton()
        for anchor, templates in anchors.items():
            automaton.add_word(anchor, tuple(templates))
        automaton.make_automaton()
        return automaton


def _cut_of_longer(text: str, fitting: Sequence[TemplateHit]) -> bool:
    """Whether a text that ends in dots has more words of its own than any template that fits it whole.

    `Unsupported dtype for `bool_f...` is the beginning of a longer sentence, though `Unsupported dtype {}` fits.
    """
    return text.endswith(("...", "…")) and len(text.rstrip(".…")) > max(hit.length for hit in fitting) + _A_VALUE


_A_VALUE = 4
"""Characters that a hole may well have swallowed."""


def _anchor(template: str) -> str:
    # Without its full stop: people drop that of a sentence that they copy.
    return max((part.strip().rstrip(" .") for part in literals(template)), key=len)
