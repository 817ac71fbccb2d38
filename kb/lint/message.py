"""`message` is what the user sees: the words that the site's macro prints around its template included."""

from __future__ import annotations

from collections.abc import Iterator

from kb.claim import claims, reason_fits
from kb.entry import Entry, EntrySite
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.model import PANIC_KINDS, SiteKind
from kb.std_panics import StdPanic, prints, shown
from kb.template import MessageTemplate, agrees, literals, squeeze

PREFIXED = frozenset({SiteKind.TODO, SiteKind.UNIMPLEMENTED, SiteKind.UNREACHABLE})
"""Macros that print words of their own before the template."""


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each entry whose message none of its sites can print."""
    for file, entry in tree.current:
        if entry.match and squeeze(entry.match.value) not in squeeze(entry.message):
            yield Hit(
                file, ("message",), "the message does not hold `match.value`", f"it must hold {entry.match.value!r}"
            )
        elif not printable(entry):
            yield Hit(file, ("message",), "none of the sites prints this message", _remedy(entry))


def printable(entry: Entry) -> bool:
    """Whether a site of the entry can print its message; foreign entries are judged by their `match` alone."""
    if entry.foreign:
        return claims(entry, entry.message)
    classes = {s.prints for s in entry.sites if s.prints}
    if any(wanted is StdPanic.CALLED or prints(wanted, entry.message) for wanted in classes):
        return True
    worded = [s for s in entry.sites if s.kind in PANIC_KINDS or s.kind is SiteKind.TENSOR_ERROR]
    if not worded:
        return not classes
    return any(
        reason_fits(site.template, entry.message)
        if site.kind is SiteKind.TENSOR_ERROR
        else agrees(site.kind, site.template, entry.message) and _whole(site, entry.message)
        for site in worded
    )


def _whole(site: EntrySite, message: str) -> bool:
    """Whether the macro's own words are there: matching forgives a report that leaves them out, an entry has them."""
    forms = MessageTemplate(site.kind, site.template).printed
    forms = forms[:1] if site.kind in PREFIXED else forms
    return not forms or any(squeeze(message).startswith(literals(form)[0].strip()) for form in forms)


def _remedy(entry: Entry) -> str:
    for site in entry.sites:
        if site.prints and shown(site.prints):
            return f"a user sees: {shown(site.prints)}"
        printed = MessageTemplate(site.kind, site.template).printed if site.kind in PANIC_KINDS else ()
        if printed:
            return f"a user sees: {printed[0]}"
    return "write it as it is printed, holes as {name}"
