"""The knowledge base as the checks see it: files, index, names. Nothing here writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from kb.entry import Entry
from kb.load import EntryFile, load_files
from kb.model import Revision, SiteIndex, SiteKey, SiteKind


class NameIndex(Protocol):
    """Which identifiers stand in a repository's source at which release."""

    def has_name(self, revision: Revision, name: str) -> bool:
        """Whether the source of that revision holds the identifier."""
        ...


@dataclass(eq=False)
class Tree:
    """One knowledge base: `root` holds `entries/`, `ids.txt`, `schema.json`, `TEMPLATE.yaml`."""

    root: Path
    files: tuple[EntryFile, ...]
    index: SiteIndex | None = None
    names: NameIndex | None = None
    _ranks: dict[str, dict[str, int]] = field(default_factory=dict)

    @cached_property
    def entries(self) -> Sequence[tuple[EntryFile, Entry]]:
        """Every entry that has the shape of one, with its file."""
        return [(file, file.entry) for file in self.files if file.entry is not None]

    @cached_property
    def current(self) -> Sequence[tuple[EntryFile, Entry]]:
        """The same without the withdrawn ones, whose claims need not hold any more."""
        return [(file, entry) for file, entry in self.entries if entry.withdrawn is None]

    def source(self) -> SiteIndex:
        """The index; checks that ask for it declare NEEDS_INDEX."""
        assert self.index is not None
        return self.index

    def rank(self, repo: str, tag: str) -> int | None:
        """Place of a release in its repository's line, main last; None for a tag that the index does not know."""
        if repo not in self._ranks:
            revisions = self.source().revisions(repo) if repo in self.source().repos() else ()
            self._ranks[repo] = {revision.name: i for i, revision in enumerate(revisions)}
        return self._ranks[repo].get(tag)

    def between(self, repo: str, first: str, last: str) -> Iterator[Revision]:
        """The releases from `first` to `last`, both inclusive; none where one is unknown or the order is wrong."""
        start, end = self.rank(repo, first), self.rank(repo, last)
        if start is not None and end is not None:
            yield from self.source().revisions(repo)[start : end + 1]

    @cached_property
    def keys_by_crate(self) -> Mapping[tuple[str, str], Sequence[SiteKey]]:
        """All site keys of the index by repository and crate."""
        groups: dict[tuple[str, str], list[SiteKey]] = defaultdict(list)
        for key in self.source().keys(frozenset(SiteKind)):
            groups[key.repo, key.crate].append(key)
        return groups

    @cached_property
    def functions(self) -> Mapping[tuple[str, str], Mapping[str, frozenset[str]]]:
        """Per crate: each function's bare name, and the functions that bear it."""
        found: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
        for crate, keys in self.keys_by_crate.items():
            names: dict[str, set[str]] = defaultdict(set)
            for key in keys:
                names[key.function.rsplit("::", 1)[-1]].add(key.function)
            found[crate] = {name: frozenset(functions) for name, functions in names.items()}
        return found


def read_tree(root: Path, index: SiteIndex | None = None, names: NameIndex | None = None) -> Tree:
    """The knowledge base below `root`. Raises KnowledgeBaseError where there is no `entries` folder."""
    return Tree(root, load_files(root / "entries"), index, names)
