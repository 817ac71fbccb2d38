"""Whether a printed text can be what an entry is about, as far as words tell. Pure.

This is the part of matching that needs no report around it: the whole analysis is in `bot.triage`. It serves lint,
which asks whether an example is about its entry and about no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.entry import Entry, EntrySite
from kb.model import PANIC_KINDS, SiteKind
from kb.template import Fit, MessageTemplate, agrees, literal_length, literals, squeeze

SHORTEST = 12
"""Fixed characters below which a template alone says too little."""

_OLD_HEADER = re.compile(r"panicked at ['\"](?P<message>.*)['\"], [^'\"\n]+:\d+(?::\d+)?\s*$", re.DOTALL)
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
    return any(site_claims(site, text, evidence=bool(entry.match and entry.match.value)) for site in entry.sites)


def site_claims(site: EntrySite, text: str, *, evidence: bool) -> bool:
    """Whether one site can have printed a part of the text.

    A site without words of its own needs `evidence`, a matched value, or a location in its crate.
    """
    if site.kind is SiteKind.TENSOR_ERROR:
        return reason_fits(site.template, text)
    if site.kind not in PANIC_KINDS:
        return False
    if literal_length(site.template) < SHORTEST and not evidence and not located(site, text):
        return False
    return any(agrees(site.kind, site.template, message) for message in messages(text))


def reason_fits(template: str, text: str) -> bool:
    """Whether a numbered reason of a tensor check, or the text itself, was made from the template."""
    squeezed = squeeze(text)
    starts = [match.end() for match in re.finditer(r"(?:^| )\d+\. ", squeezed)] or [0]
    reason = MessageTemplate(SiteKind.PANIC, template)
    whole = literals(template)[0].strip()
    return any(reason.fit(squeezed[start:]) > Fit.CUT for start in starts) if whole else False


def located(site: EntrySite, text: str) -> bool:
    """Whether the text prints a path in the site's crate."""
    crates = {match["crate"] for match in _CRATE_PATH.finditer(text)}
    return site.crate in crates or f"/{site.crate}/src/" in text.replace("\\", "/")
