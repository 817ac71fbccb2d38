"""Every example text is about its own entry and about no other, by words and, where it prints one, by place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.claim import Claimants, claims
from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import SiteAt, SiteKind
from kb.shape import Path as DataPath

NEEDS_INDEX = True

_PLACE = re.compile(
    r"[/\\](?P<crate>[A-Za-z_][A-Za-z0-9_-]*?)-(?P<version>\d+\.\d+\.\d+(?:-pre\.\d+)?)[/\\]"
    r"(?P<file>src[/\\][\w./\\-]+\.rs):(?P<line>\d+)"
)


def check(tree: Tree) -> Iterator[Hit]:
    """Entries without an example, examples that fit another entry, or not their own."""
    claimants = Claimants([entry for _, entry in tree.current])
    for file, entry in tree.current:
        if not entry.examples:
            yield Hit(file, ("examples",), "no example", "give a text as users print it")
        for i, example in enumerate(entry.examples):
            yield from _example(tree, claimants, file, entry, ("examples", i, "text"), example.text)


def _example(
    tree: Tree, claimants: Claimants, file: EntryFile, entry: Entry, path: DataPath, text: str
) -> Iterator[Hit]:
    if not claims(entry, text):
        yield Hit(file, path, "the example does not match this entry", "its words must be those of a site, and `match`")
        return
    here = place(tree, text)
    if here and not any(belongs(site, entry) for site in here):
        names = ", ".join(sorted({site.key.function for site in here}))
        yield Hit(
            file, path, f"the example's place is {names}, no site of this entry", "take the right line and version"
        )
    for other in claimants.find(text):
        if other is not entry and not _elsewhere(here, other):
            said = f"the example also matches {other.kb_id}: {other.title[:60]}"
            yield Hit(file, path, said, "give the two entries different `match` values, or merge them")
            return


def _elsewhere(here: list[SiteAt] | None, other: Entry) -> bool:
    """The printed place decides between entries with the same words."""
    return bool(here) and not any(belongs(site, other) for site in here or ())


def belongs(site: SiteAt, entry: Entry) -> bool:
    """Whether a printed place is one of the entry's: a site itself, or the call of the macro whose words those are."""
    macros = {own.function for own in entry.sites if own.macro_body}
    return site.key in entry.keys or (site.key.kind is SiteKind.MACRO_CALL and site.target in macros)


def place(tree: Tree, text: str) -> list[SiteAt] | None:
    """The sites on the line that an example prints; [] where the line has none, None where no place can be read."""
    index = tree.source()
    for match in _PLACE.finditer(text):
        for repo in index.repos_of_crate(match["crate"]):
            revision = index.revision_of_crate(repo, match["crate"], match["version"])
            if revision is None:
                continue
            tail = match["file"].replace("\\", "/")
            return [
                site
                for path in index.paths(revision, tail, match["crate"])
                for site in index.sites_in(revision, path)
                if site.line == int(match["line"])
            ]
    return None
