"""The cause names, in back-ticks, the function that raises the panic or one that leads to it.

An explanation that names only the crate or the type can be about anything in it; the wrong explanations that this
project was made against name another function altogether. A public function can lead to several panics: where an entry
has functions that no other entry has, its cause names one of those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.model import SiteKind
from kb.prose import bare_name, paths, spans, spellings

NEEDS_INDEX = True


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each entry whose `meaning` names none of its functions, or none that are its own alone."""
    theirs = [(file, entry, functions(tree, entry)) for file, entry in tree.current]
    spelled = [accepted(tree, entry, found) for _, entry, found in theirs]
    shared = Counter(name for names in spelled for name in names)
    for (file, entry, found), names in zip(theirs, spelled, strict=True):
        own = {name for name in names if shared[name] == 1}
        if found and not (names & named(entry.meaning)):
            wanted = ", ".join(f"`{name}`" for name in sorted(found)[:4])
            text = "the cause does not name the function that raises the panic"
            yield Hit(
                file, ("meaning",), text, f"name in back-ticks, with its type where the name alone is common: {wanted}"
            )
        elif own and not (own & named(entry.meaning)):
            wanted = ", ".join(f"`{name}`" for name in sorted(own, key=lambda name: (len(name), name))[:4])
            text = "every function that the cause names is that of another entry too"
            yield Hit(file, ("meaning",), text, f"name one that tells the two apart: {wanted}")


def functions(tree: Tree, entry: Entry) -> frozenset[str]:
    """The functions that raise the panic, and those that lead to it."""
    return leading(entry) | frozenset(entry.reached_by) | checked_by(tree, entry)


def named(prose: str) -> set[str]:
    """Paths that the prose has in back-ticks."""
    return {path for span in spans(prose) for path in paths(span)}


def leading(entry: Entry) -> frozenset[str]:
    """The functions that raise the panic, print its line, or (foreign) make it happen."""
    found = {cause.function for cause in entry.cause_sites}
    for site in entry.sites:
        found |= {site.function, site.called_from}
        if site.kind in (SiteKind.CHECK, SiteKind.MACRO_CALL):
            found.add(site.target)
    return frozenset(found - {""})


def checked_by(tree: Tree, entry: Entry) -> frozenset[str]:
    """The API functions that call the entry's tensor checks, as the index knows them."""
    index = tree.source()
    ends = [
        (site.function, revision)
        for site in entry.sites
        if site.kind is SiteKind.TENSOR_ERROR
        for run in site.stands
        if (revision := index.revision(site.repo, run.last)) is not None
    ]
    return frozenset(call.key.function for check, revision in ends for call in index.callers_of_check(check, revision))


def accepted(tree: Tree, entry: Entry, wanted: frozenset[str]) -> set[str]:
    """The spellings that count: with the type always, the bare name only where one function of the crate bears it."""
    crates = {(p.repo, p.crate) for p in entry.sites} | {(p.repo, p.crate) for p in entry.cause_sites}
    found: set[str] = set()
    for function in wanted:
        found |= spellings(function)
        bare = bare_name(function)
        owners = {owner for crate in crates for owner in tree.functions.get(crate, {}).get(bare, frozenset())}
        # A free function of the same name is most often a test of it, and no type tells the two apart.
        if {owner for owner in owners if "::" in owner} <= wanted:
            found.add(bare)
    return found
