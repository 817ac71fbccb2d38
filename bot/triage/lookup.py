"""Look a printed location up in one file at one revision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum

from bot.triage.knowledge import BlobRef, Knowledge
from bot.triage.model import Location, PanicReport, Place
from bot.triage.std_messages import is_generic, is_implicit
from kb.messages import SHORTEST_LITERAL
from kb.model import LOCATED_KINDS, PANIC_KINDS, FileFacts, FileSites, Revision, SiteAt, SiteKey, SiteKind, SpanAt
from kb.template import agrees, literal_length, literals, squeeze

TENSOR_BANNER = "=== Tensor Operation Error ==="
_EXPECTS = (SiteKind.EXPECT, SiteKind.EXPECT_ERR)
LONG_BEGINNING = 30
"""Characters that the beginning of a sentence needs to stand for it."""
SHORTEST_REMNANT = 12
"""Characters in a row that a message must share with the words of the site at its exact place to be a damaged copy."""


class Hit(IntEnum):
    """What stands at the printed line; higher is better."""

    NOTHING = 0
    """The file is there, but line and text lead nowhere."""
    DISAGREES = 1
    """A site at line and column, whose text is another."""
    FUNCTION = 2
    """No site, but a function, and the message is one that needs no site of its own."""
    SITE = 3
    """A site at the line (and column, where printed) that can print the message."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one look-up."""

    hit: Hit
    place: Place | None = None
    worded: bool = False
    """The words of the message decided too: a bare unwrap or a macro call agrees without proving much."""
    damaged: bool = False
    """The message is only like the site's words: a cut or mangled copy, or the text of another site."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file at one revision, from the index or read on the spot."""

    repo: str
    revision: Revision
    path: str
    sites: Sequence[SiteAt]
    spans: Sequence[SpanAt]


def indexed_file(knowledge: Knowledge, revision: Revision, path: str) -> SourceFile:
    """A file of an indexed revision."""
    index = knowledge.index
    return SourceFile(revision.repo, revision, path, index.sites_in(revision, path), index.spans_in(revision, path))


def read_file(knowledge: Knowledge, revision: Revision, path: str, crate: str) -> SourceFile | None:
    """A file of a commit that is no release: as the index knows it, else read through `knowledge.source`.

    None where it cannot be had.
    """
    known = knowledge.index.facts(revision.repo, revision.commit, path)
    facts = known or knowledge.source.facts(BlobRef(revision.repo, revision.commit, path))
    return _from_facts(facts, revision, path, crate) if facts else None


def look(file: SourceFile, panic: PanicReport) -> Finding:
    """What stands at the panic's location in `file`. The location must have a line."""
    location = panic.location
    if location is None or location.line is None:
        return Finding(Hit.NOTHING)
    here = _sites_at(file, location)
    fitting = [s for s in here if _agrees(s, panic.message)]
    copied = [] if fitting else _damaged(file, here, panic.message)
    for site in (fitting or copied)[:1]:
        return Finding(Hit.SITE, _place(file, site), worded=_worded(site), damaged=bool(copied))
    # An expression that panics by itself never starts where a macro or a method name does: what is there disagrees.
    if here and location.column is not None:
        return Finding(Hit.DISAGREES, _place(file, here[0]))
    span = innermost(file.spans, location.line)
    if span and needs_no_site(panic.message):
        return Finding(Hit.FUNCTION, span_place(file, span, location.line))
    return Finding(Hit.NOTHING, span_place(file, span, location.line) if span else None)


def sites_with_words(file: SourceFile, message: str) -> list[SiteAt]:
    """Sites of the file whose template fits the message, with words enough; one per function and template."""
    if is_generic(message):
        return []
    found = [s for s in file.sites if _has_words(s.key) and agrees(s.key.kind, s.key.template, message)]
    return list({(s.key.function, s.key.template): s for s in found}.values())


def begins_with(file: SourceFile, message: str) -> list[SiteAt]:
    """Sites of the file whose fixed words before the first hole are many and begin the message."""
    text = squeeze(message)
    found = [(s, literals(s.key.template)[0].strip()) for s in file.sites if s.key.kind in PANIC_KINDS]
    return [s for s, words in found if len(words) >= LONG_BEGINNING and text.startswith(words)]


def can_print(file: SourceFile, message: str) -> bool:
    """Whether any site of the file, wherever it stands, can print the message; templates that are all holes count."""
    return any(_prints_anything(s.key) or agrees(s.key.kind, s.key.template, message) for s in file.sites)


def innermost(spans: Sequence[SpanAt], line: int) -> SpanAt | None:
    """The smallest function around a line."""
    around = [s for s in spans if s.span.start <= line <= s.span.end]
    return min(around, key=lambda s: s.span.end - s.span.start, default=None)


def span_place(file: SourceFile, span: SpanAt, line: int) -> Place:
    """The function, at the printed line."""
    return Place(file.repo, file.revision, file.path, line, span.span.function, span=span)


def needs_no_site(message: str) -> bool:
    """Whether a panic with this message may stand at a line without a site.

    Implicit panics of the standard library, and tensor checks whose helper tracks its caller.
    """
    return is_implicit(message) or message.startswith(TENSOR_BANNER)


def _sites_at(file: SourceFile, location: Location) -> list[SiteAt]:
    found = [s for s in _on_line(file.sites, location.line or 0) if s.key.kind in LOCATED_KINDS and not s.macro_body]
    return [s for s in found if location.column in (None, s.column)]


def _on_line(sites: Sequence[SiteAt], line: int) -> Sequence[SiteAt]:
    return sites.on_line(line) if isinstance(sites, FileSites) else [s for s in sites if s.line == line]


def _agrees(site: SiteAt, message: str) -> bool:
    kind, template = site.key.kind, site.key.template
    if kind is SiteKind.CHECK:
        return message.startswith(TENSOR_BANNER)
    if not message or kind in (SiteKind.MACRO_CALL, SiteKind.CUBE) or _prints_anything(site.key):
        return True
    return agrees(kind, template, message)


def _prints_anything(key: SiteKey) -> bool:
    """An `expect` whose text is an expression: the index has no words for it."""
    return key.kind in _EXPECTS and not key.template


def _damaged(file: SourceFile, here: Sequence[SiteAt], message: str) -> list[SiteAt]:
    """Sites at the exact place of whose words the message is a cut or mangled copy, and of nothing else in the file.

    A text that another site of the file prints as it stands is no copy of a similar one: the line is another version's.
    """
    copied = [s for s in here if s.key.kind in PANIC_KINDS and _keeps_words(s.key.template, message)]
    return [] if copied and sites_with_words(file, message) else copied


def _keeps_words(template: str, message: str) -> bool:
    text, words = squeeze(message)[:300], squeeze(template)[:300]
    if not words:
        return False
    shared = SequenceMatcher(None, text, words, autojunk=False).find_longest_match()
    return shared.size >= min(SHORTEST_REMNANT, len(words)) and shared.size >= 6


def _worded(site: SiteAt) -> bool:
    return site.key.kind is SiteKind.CHECK or _has_words(site.key)


def _has_words(key: SiteKey) -> bool:
    """A template that is all holes fits everything and tells nothing."""
    return literal_length(key.template) >= SHORTEST_LITERAL


def _place(file: SourceFile, site: SiteAt) -> Place:
    return Place(file.repo, file.revision, file.path, site.line, site.key.function, site=site)


def _from_facts(facts: FileFacts, revision: Revision, path: str, crate: str) -> SourceFile:
    sites = [
        SiteAt(
            SiteKey(revision.repo, crate, s.function, s.kind, s.template),
            revision,
            path,
            s.line,
            s.column,
            s.test,
            s.macro_body,
            s.target,
            s.receiver,
        )
        for s in facts.sites
    ]
    spans = [SpanAt(revision.repo, crate, revision, path, span) for span in facts.spans]
    return SourceFile(revision.repo, revision, path, sites, spans)
