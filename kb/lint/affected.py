"""Version claims: known tags in order, the affected range where the sites stand, an end that the index agrees with."""

from __future__ import annotations

from collections.abc import Iterator

from kb import standing as stand
from kb.entry import End, Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import MAIN
from kb.shape import Path as DataPath

NEEDS_INDEX = True
GONE = frozenset({End.REMOVED, End.REWORDED})
"""Ends that say: the site is no longer in the source."""


def check(tree: Tree) -> Iterator[Hit]:
    """Findings about `affected` and the versions of workarounds."""
    for file, entry in tree.current:
        ranges = list(_ranges(entry))
        bad = [hit for path, repo, first, last in ranges for hit in _range(tree, file, path, repo, first, last)]
        yield from bad
        if not bad:
            yield from _fixed(tree, file, entry)
            yield from _ended(tree, file, entry)
            yield from _covered(tree, file, entry)
            yield from _exceptions(tree, file, entry)


def _ranges(entry: Entry) -> Iterator[tuple[DataPath, str, str, str]]:
    yield ("affected",), entry.repo, entry.affected.first, entry.affected.last or MAIN
    for i, workaround in enumerate(entry.workarounds):
        versions = workaround.versions
        yield ("workarounds", i, "versions"), versions.repo or entry.repo, versions.first, versions.last


def _range(tree: Tree, file: EntryFile, path: DataPath, repo: str, first: str, last: str) -> Iterator[Hit]:
    for tag in (first, last):
        if tree.rank(repo, tag) is None:
            yield Hit(file, path, f"{repo} has no release {tag}", "take a tag of that repository, or state `repo`")
            return
    if not list(tree.between(repo, first, last)):
        yield Hit(file, path, f"the range ends before it begins: {first} to {last}", "swap the ends")


def _fixed(tree: Tree, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    affected = entry.affected
    if not affected.fixed:
        if affected.ended is End.FIXED or affected.fixed_by:
            yield Hit(
                file, ("affected",), "fixed, but in which release?", "give the first release that is free as `fixed`"
            )
        return
    if affected.fixed_by is None:
        yield Hit(
            file,
            ("affected", "fixed"),
            "`fixed` without the commit",
            "give `fixed_by: {commit, pr}`; a text that vanished is no fix",
        )
    rank, first = tree.rank(entry.repo, affected.fixed), tree.rank(entry.repo, affected.first)
    if rank is None or affected.fixed == MAIN:
        yield Hit(
            file, ("affected", "fixed"), f"{entry.repo} has no release {affected.fixed}", "name a tag, or leave it open"
        )
        return
    last = tree.rank(entry.repo, affected.last) if affected.last else None
    if (first is not None and rank <= first) or (last is not None and rank != last + 1):
        yield Hit(
            file,
            ("affected", "fixed"),
            f"`fixed: {affected.fixed}` does not follow the affected range",
            "it is the first release after the last one that is affected",
        )


def _ended(tree: Tree, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """Both ways: gone must be said, and must not be said while the site stands."""
    index = tree.source()
    standing = [s for s in entry.sites if (main := index.revision(s.repo, MAIN)) and stand.stands(index, s, main)]
    if entry.sites and not standing and entry.affected.open:
        yield Hit(
            file,
            ("affected",),
            "none of its sites stands at main any more, and the entry is open",
            "give `to` and how it `ended`: fixed, moved, reworded, removed",
        )
    if standing and entry.affected.ended in GONE:
        yield Hit(
            file,
            ("affected", "ended"),
            f"`{entry.affected.ended}`, but {standing[0].function} still stands at main",
            "a site that stands while nothing leads there is `unreachable`; a repaired cause is `fixed`",
        )
    if not entry.affected.open and entry.affected.ended is None and not entry.affected.fixed:
        yield Hit(file, ("affected",), "the range ends and nothing says how", "give `ended`")


def _covered(tree: Tree, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """Nobody is affected at a release where none of the sites of that repository stands."""
    sites = [s for s in entry.sites if s.repo == entry.repo]
    stands = {r.name for s in sites for run in s.stands for r in tree.between(s.repo, run.first, run.last)}
    claimed = [
        r.name for r in tree.between(entry.repo, entry.affected.first, entry.affected.last or _last(tree, entry))
    ]
    outside = [name for name in claimed if name not in stands]
    if sites and outside:
        yield Hit(
            file,
            ("affected",),
            f"affected at {outside[0]}" + (f" to {outside[-1]}" if len(outside) > 1 else "") + ", where no site stands",
            "narrow the range, or add the site of that release",
        )


def _last(tree: Tree, entry: Entry) -> str:
    rank = tree.rank(entry.repo, entry.affected.fixed) if entry.affected.fixed else None
    return tree.source().revisions(entry.repo)[rank - 1].name if rank else MAIN


def _exceptions(tree: Tree, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    for i, workaround in enumerate(entry.workarounds):
        versions = workaround.versions
        names = {r.name for r in tree.between(versions.repo or entry.repo, versions.first, versions.last)}
        for tag in workaround.except_:
            if tag not in names:
                yield Hit(file, ("workarounds", i, "except"), f"{tag} is outside the range", "leave it out")
