"""Every example text is about its own entry and about no other, by words and, where it prints one, by place."""

from __future__ import annotations

from collections.abc import Iterator

from kb import standing
from kb.claim import Claimants, claims
from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import SiteKind
from kb.printed import Spot, printed_place
from kb.shape import Path as DataPath

NEEDS_INDEX = True


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
    here = printed_place(tree.source(), text)
    if here and not here.empty and not belongs(here, entry, tree):
        names = ", ".join(here.functions)
        yield Hit(
            file, path, f"the example's place is {names}, no site of this entry", "take the right line and version"
        )
    for other in claimants.find(text):
        if other is not entry and not _elsewhere(here, other, tree):
            said = f"the example also matches {other.kb_id}: {other.title[:60]}"
            yield Hit(file, path, said, "give the two entries different `match` values, or merge them")
            return


def _elsewhere(here: Spot | None, other: Entry, tree: Tree) -> bool:
    """The printed place decides between entries with the same words."""
    return here is not None and not here.empty and not belongs(here, other, tree)


def belongs(spot: Spot, entry: Entry, tree: Tree) -> bool:
    """Whether a printed place is one of the entry's: a site itself, the call of the macro whose words those are, or,
    where no site stands, the function around the line."""
    macros = {own.function for own in entry.sites if own.macro_body}
    if any(s.key in entry.keys or (s.key.kind is SiteKind.MACRO_CALL and s.target in macros) for s in spot.sites):
        return True
    span = spot.function
    return span is not None and any(
        standing.is_function(own)
        and (own.repo, own.crate, own.function) == (span.repo, span.crate, span.span.function)
        and standing.ends_with(span.path, own.path)
        and standing.claimed(tree.source(), own, span.revision)
        for own in entry.sites
    )
