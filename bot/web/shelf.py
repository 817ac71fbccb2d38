"""Everything the pages show, made once from the knowledge base: documents to search, entries by any id, bare sites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, Protocol, TypeVar

from bot.triage.knowledge import Knowledge
from bot.web.search import Doc, Query, Results, Run, search, vocabulary
from kb.entry import CauseSite, Entry, EntrySite, Status
from kb.model import LOCATED_KINDS, MAIN, Revision, SiteIndex, SiteKey, SiteKind

SHOWN_KINDS = LOCATED_KINDS | {SiteKind.TENSOR_ERROR}
"""Kinds of site that have a page: what a user can see printed."""
FOREIGN = "foreign"
"""Kind of an entry whose panic is raised outside the family."""
HOME_REPO = "tracel-ai/burn"

T = TypeVar("T")


class PageIndex(SiteIndex, Protocol):
    """What the pages ask of the index beyond what matching asks. `kb.catalog.Catalog` has it."""

    def homes(self, key: SiteKey) -> Sequence[tuple[Revision, Revision, str]]:
        """Runs of revisions, both ends inclusive, and the file there."""
        ...

    def overview(self, kinds: frozenset[SiteKind]) -> Sequence[tuple[SiteKey, int, int, bool]]:
        """All keys outside tests: first and last order, and whether only a macro's body holds the words."""
        ...


@dataclass(frozen=True)
class Shelf:
    """The knowledge base as the pages see it. Made once, then only read."""

    knowledge: Knowledge
    index: PageIndex
    fresh: Callable[[Knowledge], Knowledge] = lambda knowledge: knowledge
    """The knowledge with a source of its own for one analysis."""
    entries: Mapping[str, Entry] = field(init=False)
    """Published and withdrawn entries by KB id, 16-hex id and alias."""

    made: dict[str, Any] = field(default_factory=dict, init=False, compare=False)
    """What a page worked out of it once: it never changes."""

    def __post_init__(self) -> None:
        shown = [e for e in self.knowledge.entries.values() if e.live or e.status is Status.WITHDRAWN]
        by_id = {name: entry for entry in shown for name in (entry.kb_id, *entry.ids)}
        object.__setattr__(self, "entries", by_id)

    @cached_property
    def published(self) -> Sequence[Entry]:
        """Published entries by KB id."""
        return sorted((e for e in self.knowledge.entries.values() if e.live), key=lambda e: e.kb_id)

    @cached_property
    def sites(self) -> Mapping[str, SiteKey]:
        """Every site that has a page, by id: those without an entry, and those that an entry explains."""
        return {key.id: key for key, *_ in self._overview}

    @cached_property
    def explained_by(self) -> Mapping[str, Entry]:
        """The published entry of a site, by the site's id."""
        return {key.id: entry for entry in reversed(self.published) for key in entry.keys}

    @cached_property
    def docs(self) -> Sequence[Doc]:
        """Entries, then bare sites."""
        entries = [entry_doc(entry, self.index) for entry in self.published]
        bare = (row for row in self._overview if row[0].id not in self.explained_by)
        return [*entries, *(site_doc(key, first, last) for key, first, last, _ in bare)]

    def once(self, name: str, make: Callable[[Shelf], T]) -> T:
        """What `make` works out of the shelf; kept, for it never changes."""
        if name not in self.made:
            self.made[name] = make(self)
        found: T = self.made[name]
        return found

    @property
    def ranges(self) -> Sequence[tuple[SiteKey, int, int, bool]]:
        """Every site that has a page: first and last order, and whether only a macro's body holds the words."""
        return self._overview

    @cached_property
    def _overview(self) -> Sequence[tuple[SiteKey, int, int, bool]]:
        return self.index.overview(SHOWN_KINDS)

    @cached_property
    def crates(self) -> Sequence[str]:
        """Crates that documents are of."""
        return sorted({crate for doc in self.docs for crate in doc.crates if crate})

    @cached_property
    def kinds(self) -> Sequence[str]:
        """Kinds of site that documents are of."""
        return sorted({kind for doc in self.docs for kind in doc.kinds})

    @cached_property
    def words(self) -> frozenset[str]:
        """Words that a mistyped one can be meant to be."""
        return vocabulary(self.docs)

    def search(self, query: Query) -> Results:
        """What fits a query, entries first."""
        hits = [] if not query.text else self.knowledge.panics.match(query.text)
        hits = hits or ([] if not query.text else self.knowledge.checks.match(query.text))
        return search(self.docs, query, [key.id for hit in hits for key in hit.keys], self.words)

    def named(self, name: str) -> Entry | SiteKey | None:
        """By KB id, 16-hex id or alias in any case, or a site's id: the entry that explains it, else the bare site."""
        entry = next((e for n in (name, name.upper(), name.lower()) if (e := self.entries.get(n))), None)
        return entry or self.explained_by.get(name.lower()) or self.sites.get(name.lower())

    def orders_at(self, repo: str, name: str) -> Mapping[str, int] | None:
        """For a version (`v0.21.0`, `0.21.0`, `main`) of one repository the orders at all; None for an unknown one."""
        revision = self.index.revision(repo, name) or self.index.revision(repo, f"v{name}")
        if revision is None:
            return None
        found = {other: self._companion(revision, other) for other in self.index.repos()}
        return {other: companion.order for other, companion in found.items() if companion}

    def _companion(self, revision: Revision, repo: str) -> Revision | None:
        if revision.name == MAIN:
            return self.index.revision(repo, MAIN)
        return self.index.companion(revision, repo)


def entry_doc(entry: Entry, index: SiteIndex) -> Doc:
    """An entry as a document."""
    places: list[EntrySite | CauseSite] = [*entry.sites, *entry.cause_sites]
    names = [entry.kb_id, *entry.ids, *entry.issues, *(p.crate for p in places), *(p.function for p in places)]
    head = f"{entry.title}\n{entry.message}".lower()
    outside = [entry.match.crate, entry.match.value] if entry.match else []
    words = "\n".join([head, entry.summary, entry.when.trigger, *names, *outside]).lower()
    return Doc(
        id=entry.kb_id,
        explained=True,
        title=entry.title,
        message=entry.message,
        summary=entry.summary,
        repos=_unique([entry.repo, *(p.repo for p in places)]),
        crates=_unique([*(p.crate for p in places), *outside[:1]]),
        kinds=(FOREIGN,) if entry.foreign else _unique(str(site.kind) for site in entry.sites),
        severity=str(entry.severity),
        runs=tuple(affected_runs(entry, index)),
        keys=tuple(key.id for key in entry.keys),
        head=head,
        words=words,
    )


def affected_runs(entry: Entry, index: SiteIndex) -> list[Run]:
    """The range in which the problem can be met, as orders of the entry's repository; [] where it names no release."""
    first = index.revision(entry.repo, entry.affected.first)
    last = index.revision(entry.repo, entry.affected.last or MAIN)
    if first is None or last is None:
        return []
    fixed = index.revision(entry.repo, entry.affected.fixed) if entry.affected.fixed else None
    return [Run(entry.repo, first.order, fixed.order - 1 if fixed else last.order)]


def site_doc(key: SiteKey, first: int, last: int) -> Doc:
    """A panic site without an entry as a document."""
    words = f"{key.template}\n{key.function}\n{key.crate}\n{key.id}\n{key.kind}".lower()
    return Doc(
        id=key.id,
        explained=False,
        title=key.template or f"{key.kind} in {key.function}",
        message=key.template,
        summary="",
        repos=(key.repo,),
        crates=(key.crate,),
        kinds=(str(key.kind),),
        severity="",
        runs=(Run(key.repo, first, last),),
        keys=(key.id,),
        head=key.template.lower(),
        words=words,
    )


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


class LazyShelf:
    """Opens the shelf when it is first asked for, once a process: after the fork, and not while deliveries wait."""

    def __init__(self, opening: Callable[[], Shelf]) -> None:
        self._opening = opening
        self._lock = Lock()
        self._shelf: Shelf | None = None

    def __call__(self) -> Shelf:
        """The shelf; every caller but the first waits for the first to open it."""
        if self._shelf is None:
            with self._lock:
                if self._shelf is None:
                    shelf = self._opening()
                    _ = shelf.docs, shelf.crates, shelf.kinds, shelf.words
                    self._shelf = shelf
        return self._shelf
