"""How the entries do: their answers, what of the source they cover, and which the source has left behind. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.store.board.entries import Use
from bot.web.shelf import Shelf
from kb import standing
from kb.entry import Entry, EntrySite
from kb.model import MAIN, Revision, SiteKey
from kb.upkeep.coverage import NOT_IN_PROGRAMS, columns

NO_USE = Use()


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of an entry's places on main. `change`: same, moved, reworded, gone, or ended where it says so."""

    change: str
    text: str

    @property
    def needs_work(self) -> bool:
        """Whether a person has to look: the entry says that it is still there."""
        return self.change in ("reworded", "gone")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of the list."""

    entry: Entry
    crates: tuple[str, ...]
    use: Use
    drift: Drift


@dataclass(frozen=True, slots=True)
class Covered:
    """How many places of a crate have an entry, at each of some revisions: (explained, all)."""

    crate: str
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """One repository. `total` stands for all its crates."""

    repo: str
    revisions: tuple[str, ...]
    total: Covered
    crates: tuple[Covered, ...]


SORTS = {
    "hits": "answers given",
    "disputed": "disputed and wrong",
    "drift": "left behind by the source",
    "id": "number",
}


def prepare(shelf: Shelf) -> None:
    """Work out at once what takes a tenth of a second and never changes, so that no visitor waits for it."""
    shelf.once("drift", drifts)
    shelf.once("coverage", coverage)


def rows(shelf: Shelf, uses: Mapping[str | None, Use], drifts: Mapping[str, Drift], sort: str) -> list[EntryRow]:
    """Every published entry, in the order asked for."""
    found = [
        EntryRow(entry, _crates(entry), uses.get(entry.kb_id, NO_USE), drifts[entry.kb_id]) for entry in shelf.published
    ]
    if sort == "id":
        return found
    if sort == "disputed":
        return sorted(found, key=lambda row: (-(row.use.disputed + row.use.wrong), -row.use.hits, row.entry.kb_id))
    if sort == "drift":
        return sorted(found, key=lambda row: (not row.drift.needs_work, row.drift.change == "same", row.entry.kb_id))
    return sorted(found, key=lambda row: (-row.use.hits, row.entry.kb_id))


def total_of(uses: Mapping[str | None, Use]) -> Use:
    """All answers that had an entry, together."""
    each = [use for entry, use in uses.items() if entry is not None]
    return Use(*(sum(getattr(use, name) for use in each) for name in Use.__slots__))


def drifts(shelf: Shelf) -> dict[str, Drift]:
    """Of every published entry at main."""
    last = {key.id: order for key, _, order, _ in shelf.ranges}
    mains = {repo: shelf.index.revision(repo, MAIN) for repo in shelf.index.repos()}
    return {entry.kb_id: _drift(entry, shelf, last, mains) for entry in shelf.published}


def _drift(entry: Entry, shelf: Shelf, last: Mapping[str, int], mains: Mapping[str, Revision | None]) -> Drift:
    if not entry.sites:
        return Drift("same", "raised elsewhere")
    ended = [site for site in entry.sites if not _stands(site, shelf, last, mains.get(site.repo))]
    if not ended:
        return Drift("same", "stands on main")
    if len(ended) < len(entry.sites):
        return Drift("same", f"{len(entry.sites) - len(ended)} of {len(entry.sites)} places stand on main")
    if not entry.affected.open:
        return Drift("ended", "ended, as the entry says")
    return _successor(ended[0], shelf, mains.get(ended[0].repo))


def _stands(site: EntrySite, shelf: Shelf, last: Mapping[str, int], main: Revision | None) -> bool:
    if main is None:
        return True
    known = last.get(site.key.id)
    return standing.stands(shelf.index, site, main) if known is None else known >= main.order


def _successor(site: EntrySite, shelf: Shelf, main: Revision | None) -> Drift:
    """What took the place of one that is not on main any more, as the index follows it."""
    places = shelf.index.follow(site.key, main) if main else ()
    if not places:
        return Drift("gone", "gone from main, and the entry says that it is still there")
    place = places[0]
    if (place.key.kind, place.key.template) == (site.kind, site.template):
        return Drift("moved", f"moved to {place.key.function}")
    return Drift("reworded", f"reworded in {place.key.function}, and the entry has the old words")


def coverage(shelf: Shelf) -> list[Coverage]:
    """Per repository and crate, at the newest release of each of the last minor versions and on main."""
    keys = [row for row in shelf.ranges if not NOT_IN_PROGRAMS.search(row[0].crate)]
    return [_covered(repo, shelf, [row for row in keys if row[0].repo == repo]) for repo in shelf.index.repos()]


def _covered(repo: str, shelf: Shelf, keys: Sequence[tuple[SiteKey, int, int, bool]]) -> Coverage:
    revisions = columns(shelf.index.revisions(repo))
    every: list[Counter[str]] = [Counter() for _ in revisions]
    explained: list[Counter[str]] = [Counter() for _ in revisions]
    for key, first, last, macro in keys:
        named = key.id in shelf.explained_by
        for number, revision in enumerate(revisions):
            if first <= revision.order <= last and key.crate and not macro:
                every[number][key.crate] += 1
                explained[number][key.crate] += named
    crates = sorted(every[-1], key=lambda crate: (-explained[-1][crate], -every[-1][crate], crate)) if every else []
    each = [Covered(c, tuple((e[c], a[c]) for e, a in zip(explained, every, strict=True))) for c in crates]
    sums = tuple((sum(e.values()), sum(a.values())) for e, a in zip(explained, every, strict=True))
    return Coverage(repo, tuple(revision.name for revision in revisions), Covered("", sums), tuple(each))


def _crates(entry: Entry) -> tuple[str, ...]:
    outside = (entry.match.crate,) if entry.foreign and entry.match and entry.match.crate else ()
    return tuple(dict.fromkeys(site.crate for site in entry.sites)) or outside
