"""How many of the panics that users can print have an entry, per crate and release."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kb.catalog import Catalog
from kb.model import LOCATED_KINDS, Revision, SiteAt, SiteKey, SiteKind

SERIES = 4
"""The newest releases of so many minor versions are counted, beside main."""

NOT_IN_PROGRAMS = re.compile(
    r"(^|[/-])(xtask|examples?|tests?|benches|model-checks)([/-]|$)|-(derive|macros|macros-internal)$"
)
"""Crates that users' programs do not run: tools, examples, tests, and what runs while compiling."""


class Why(StrEnum):
    """Why an entry is missing, as far as the place itself tells: what it prints."""

    UNFINISHED = "unfinished"
    """`todo!` and `unimplemented!`: what is missing is said, seldom what to do."""
    WORDS = "own words"
    """The source wrote a sentence: an entry can be looked for by it, and nobody has written one."""
    CHECK = "check"
    """A tensor check: one entry for each check, if its words do not say all."""
    KERNEL = "kernel"
    """The line of `#[cube]` or of a macro's call: what was raised is inside."""
    VALUE = "value only"
    """An unwrap: it prints the error of another place, and the cause is there."""


@dataclass
class Coverage:
    """Counts at one revision: sites by crate, and those of them that an entry names."""

    revision: Revision
    sites: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)


def columns(revisions: Sequence[Revision]) -> Sequence[Revision]:
    """The newest full release of each of the last minor versions, oldest first, then the newest revision.

    Where there is no full release, the newest tag stands for it.
    """
    tags = [r for r in revisions if r.is_release]
    full = [r for r in tags if not r.prerelease] or tags[-1:]
    newest = {r.name.rpartition(".")[0]: r for r in full}
    return [*list(newest.values())[-SERIES:], *(r for r in revisions[-1:] if not r.is_release)]


def coverage(catalog: Catalog, revision: Revision, named: Collection[SiteKey]) -> Coverage:
    """Counts over the sites that a user's program can print at that revision."""
    found = Coverage(revision)
    for site in printed(catalog, revision):
        found.sites[site.key.crate] += 1
        found.explained[site.key.crate] += site.key in named
    return found


def printed(catalog: Catalog, revision: Revision) -> Iterator[SiteAt]:
    """The sites that a user's program can print at that revision."""
    folders = {crate: folder for crate, (folder, _) in catalog.crates_at(revision).items()}
    for site in catalog.all_sites(revision):
        crate = site.key.crate
        if can_be_printed(site) and not (NOT_IN_PROGRAMS.search(crate) or NOT_IN_PROGRAMS.search(folders[crate])):
            yield site


def why_missing(site: SiteAt) -> Why:
    """What kind of place it is that no entry names."""
    kind = site.key.kind
    if kind in (SiteKind.TODO, SiteKind.UNIMPLEMENTED):
        return Why.UNFINISHED
    if kind is SiteKind.CHECK:
        return Why.CHECK
    if kind in (SiteKind.CUBE, SiteKind.MACRO_CALL):
        return Why.KERNEL
    return Why.WORDS if re.search(r"\w", re.sub(r"\{.*?\}", "", site.key.template or "")) else Why.VALUE


def can_be_printed(site: SiteAt) -> bool:
    """A place that the header of a user's panic can show and that is meant to be reachable.

    Not: tests, the inside of macros (the header shows their call), `unreachable!`, code that belongs to no crate.
    """
    meant = site.key.kind in LOCATED_KINDS and site.key.kind is not SiteKind.UNREACHABLE
    return bool(site.key.crate) and meant and not site.test and not site.macro_body
