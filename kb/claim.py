"""Whether a printed text can be what an entry is about, as far as words tell. Pure.

This is the part of matching that needs no report around it: the whole analysis is in `bot.triage`. It serves lint,
which asks whether an example is about its entry and about no other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb.entry import Entry, EntrySite
from kb.messages import MessageMatcher
from kb.model import PANIC_KINDS, SiteKey, SiteKind
from kb.std_panics import prints
from kb.template import Fit, MessageTemplate, agrees, literal_length, literals, squeeze

SHORTEST = 12
"""Fixed characters below which a template alone says too little."""

_OLD_HEADER = re.compile(r"panicked at ['\"](?P<message>.*)['\"], [^'\"\n]+:\d+(?::\d+)?\s*$", re.DOTALL)
_REASON = re.compile(r"(?:^| )\d+\. ")
_INNER = re.compile(r"task panicked on device runner thread: ")
_CRATE_PATH = re.compile(r"[/\\](?P<crate>[A-Za-z_][A-Za-z0-9_-]*?)-(?P<version>\d+\.\d+\.\d+[\w.+-]*?)[/\\]")


def messages(text: str) -> Iterator[str]:
    """The texts inside an example that can be a panic's message: from every line on, and what stands in a wrapper."""
    old = _OLD_HEADER.search(text)
    if old:
        yield old["message"]
    lines = text.splitlines()
    for start in range(len(lines)):
        rest = "\n".join(lines[start:])
        if rest.strip():
            yield rest.strip()
    for inner in _INNER.finditer(text):
        yield text[inner.end() :].removesuffix(")")


def claims(entry: Entry, text: str) -> bool:
    """Whether the entry's words, and its `match`, fit the text."""
    if entry.match and entry.match.value and squeeze(entry.match.value) not in squeeze(text):
        return False
    if entry.foreign:
        return entry.match is not None and bool(entry.match.value)
    # The words of a macro stand elsewhere: its call is known by its crate, and by the value that must be printed.
    calls = [site for site in entry.sites if entry.match and entry.match.value and site.kind is SiteKind.MACRO_CALL]
    return any(site_claims(site, text) for site in entry.sites) or any(located(site, text) for site in calls)


def site_claims(site: EntrySite, text: str) -> bool:
    """Whether one site can have printed a part of the text.

    A site without words of its own needs a location in its crate: bare texts are never matched alone.
    """
    if site.kind is SiteKind.TENSOR_ERROR:
        return reason_fits(site.template, text)
    if site.kind is SiteKind.FUNCTION:
        return site.prints is not None and located(site, text) and any(prints(site.prints, m) for m in messages(text))
    if site.kind not in PANIC_KINDS:
        return False
    if literal_length(site.template) < SHORTEST and not located(site, text):
        return False
    return any(_printed(site, message) for message in messages(text))


def _printed(site: EntrySite, message: str) -> bool:
    """A message that ends inside the template may be of another one with the same beginning, and does not count."""
    if site.template:
        return MessageTemplate(site.kind, site.template).fit(message) > Fit.CUT
    return agrees(site.kind, "", message)


def reason_fits(template: str, text: str) -> bool:
    """Whether a numbered reason of a tensor check, or the text itself, was made from the template."""
    squeezed = squeeze(text)
    reason = MessageTemplate(SiteKind.PANIC, template)
    whole = literals(template)[0].strip()
    return any(reason.fit(part) > Fit.CUT for part in [*_reasons(squeezed)] or [squeezed]) if whole else False


def located(site: EntrySite, text: str) -> bool:
    """Whether the text prints a path in the site's crate."""
    crates = {match["crate"] for match in _CRATE_PATH.finditer(text)}
    return site.crate in crates or f"/{site.crate}/src/" in text.replace("\\", "/")


class Claimants:
    """Many entries behind one matcher, so that a text is held against the few that can be meant."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._by_key: dict[SiteKey, list[int]] = defaultdict(list)
        self._by_crate: dict[str, list[int]] = defaultdict(list)
        self._valued: list[tuple[str, int]] = []
        for number, entry in enumerate(entries):
            self._add(number, entry)
        self._matcher = MessageMatcher(self._by_key)

    def find(self, text: str) -> Iterator[Entry]:
        """The entries that claim the text, in the order given."""
        return (self._entries[n] for n in sorted(self._candidates(text)) if claims(self._entries[n], text))

    def _add(self, number: int, entry: Entry) -> None:
        if entry.match and entry.match.value:
            self._valued.append((squeeze(entry.match.value), number))
            return
        for site in entry.sites:
            if literal_length(site.template) < SHORTEST:
                self._by_crate[site.crate].append(number)
            elif site.kind is SiteKind.TENSOR_ERROR:
                # The reason of a tensor check starts with its template, as the message of a panic does.
                self._by_key[replace(site.key, kind=SiteKind.PANIC)].append(number)
            else:
                self._by_key[site.key].append(number)

    def _candidates(self, text: str) -> set[int]:
        squeezed = squeeze(text)
        found = {number for value, number in self._valued if value in squeezed}
        for start in (*messages(text), *_reasons(squeezed)):
            for hit in self._matcher.match(start):
                found.update(number for key in hit.keys for number in self._by_key[key])
        for crate, numbers in self._by_crate.items():
            if crate in text:
                found.update(numbers)
        return found


def _reasons(squeezed: str) -> Iterator[str]:
    return (squeezed[match.end() :] for match in _REASON.finditer(squeezed))
