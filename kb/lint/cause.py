"""The cause names, in back-ticks, the function that raises the panic or one that leads to it.

An explanation that names only the crate or the type can be about anything in it; the wrong explanations that this
project was made against name another function altogether.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.model import SiteKind
from kb.prose import bare_name, paths, spans, spellings

NEEDS_INDEX = True


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each entry whose `meaning` names none of its functions."""
    for file, entry in tree.current:
        functions = leading(entry) | frozenset(entry.reached_by) | checked_by(tree, entry)
        if functions and not (accepted(tree, entry, functions) & named(entry.meaning)):
            wanted = ", ".join(f"`{name}`" for name in sorted(functions)[:4])
            yield Hit(
                file,
                ("meaning",),
                "the cause does not name the function that raises the panic",
                f"name in back-ticks, with its type where the name alone is common: {wanted}",
            )


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


def accepted(tree: Tree, entry: Entry, functions: frozenset[str]) -> set[str]:
    """The spellings that count: with the type always, the bare name only where one function of the crate bears it."""
    crates = {(p.repo, p.crate) for p in entry.sites} | {(p.repo, p.crate) for p in entry.cause_sites}
    found: set[str] = set()
    for function in functions:
        found |= spellings(function)
        bare = bare_name(function)
        owners = {owner for crate in crates for owner in tree.functions.get(crate, {}).get(bare, frozenset())}
        # A free function of the same name is most often a test of it, and no type tells the two apart.
        if {owner for owner in owners if "::" in owner} <= functions:
            found.add(bare)
    return found
