"""Code names in prose and in Rust blocks exist in the source of the releases that the entry is about."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from functools import cache

from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.model import MAIN, Revision
from kb.prose import names, spans
from kb.shape import Path as DataPath
from kb.shape import texts
from kb.source.snippet import used_names

NEEDS_INDEX = True
SHORTEST = 3
"""Shorter names are variables and type parameters."""


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each name that no release in question has."""
    if tree.names is None:
        return
    for file, entry in tree.current:
        revisions = relevant(tree, entry)
        known = _Known(tree, revisions, own_words(entry))
        for path, line, name in used(entry):
            if name not in outside() and not known.has(name):
                text = f"`{name}` is no name of the source at {_range(revisions)}"
                yield Hit(
                    file, path, text, "spell it as the source does; text that is no code goes in quotes", line=line
                )


@cache
def outside() -> frozenset[str]:
    """Names that no source of the family defines: the standard library's, other crates', keys of Cargo.toml, files."""
    text = (importlib.resources.files("kb.lint") / "outside_names.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def used(entry: Entry) -> Iterator[tuple[DataPath, int, str]]:
    """Every code name with the field it stands in and its line inside a block of Rust (0 in prose)."""
    for path, prose in texts(entry, "prose"):
        for span in spans(prose):
            for name in names(span):
                if len(name) >= SHORTEST:
                    yield path, 0, name
    for path, code in texts(entry, "rust"):
        for name, line in used_names(code):
            if len(name) >= SHORTEST:
                yield path, line, name


def relevant(tree: Tree, entry: Entry) -> list[Revision]:
    """The affected releases, those where a site stands, and the companions of both in the rest of the family."""
    index = tree.source()
    runs = [(entry.repo, entry.affected.first, entry.affected.last or MAIN)]
    sites = (*entry.sites, *entry.affected.moved_to)
    runs += [(site.repo, run.first, run.last) for site in sites for run in site.stands]
    runs += [(site.repo, run.first, run.last) for site in entry.cause_sites for run in site.stands]
    runs += [(w.versions.repo or entry.repo, w.versions.first, w.versions.last) for w in entry.workarounds]
    own = {r for repo, first, last in runs for r in tree.between(repo, first, last)}
    own |= {r for repo, _, _ in runs if (r := index.revision(repo, entry.affected.fixed)) and entry.affected.fixed}
    others = {c for r in own for repo in index.repos() if repo != r.repo and (c := index.companion(r, repo))}
    return sorted(own | others, key=lambda r: (r.repo, r.order))


def own_words(entry: Entry) -> frozenset[str]:
    """Words of the message, the templates and the matched value: prose may quote them."""
    quoted = [entry.message, entry.match.value if entry.match else ""]
    quoted += [site.template for site in entry.sites] + [cause.template for cause in entry.cause_sites]
    return frozenset(word for text in quoted for word in names(text))


class _Known:
    def __init__(self, tree: Tree, revisions: list[Revision], own: frozenset[str]) -> None:
        self._tree = tree
        self._revisions = revisions
        self._seen: dict[str, bool] = dict.fromkeys(own, True)

    def has(self, name: str) -> bool:
        index = self._tree.names
        if name not in self._seen:
            self._seen[name] = index is not None and any(index.has_name(r, name) for r in self._revisions)
        return self._seen[name]


def _range(revisions: list[Revision]) -> str:
    if not revisions:
        return "any release it claims"
    return f"{revisions[0].repo} {revisions[0].name} to {revisions[-1].repo} {revisions[-1].name}"
