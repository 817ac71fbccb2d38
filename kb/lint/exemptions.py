"""Applies the exemptions that entries state, and finds those that nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

from kb.entry import Entry, Exemption
from kb.lint.finding import Finding, Hit, located
from kb.lint.tree import Tree
from kb.load import EntryFile

NAME = "exemptions"
"""Under this name the findings about exemptions themselves are shown."""


def settle(tree: Tree, hits: Mapping[str, Sequence[Hit]], ran: Mapping[str, ModuleType]) -> Iterator[Finding]:
    """The findings that stand after exemptions, and one for each exemption that is wrong or without use."""
    exempted = {(str(file.path), ex.check) for file, entry in tree.entries for ex in entry.exempt}
    used: set[tuple[str, str]] = set()
    for check, found in hits.items():
        for hit in found:
            key = (str(hit.file.path), check) if isinstance(hit.file, EntryFile) else ("", check)
            if key in exempted and getattr(ran[check], "EXEMPTABLE", True):
                used.add(key)
            else:
                yield located(hit, check, tree.root)
    for file, entry in tree.entries:
        yield from _stale(tree, file, entry, used, ran)


def _stale(
    tree: Tree, file: EntryFile, entry: Entry, used: set[tuple[str, str]], ran: Mapping[str, ModuleType]
) -> Iterator[Finding]:
    from kb.lint import checks

    for i, exemption in enumerate(entry.exempt):
        text = _complaint(exemption, (str(file.path), exemption.check) in used, ran, checks())
        if text:
            yield located(Hit(file, ("exempt", i), text[0], text[1]), NAME, tree.root)


def _complaint(
    exemption: Exemption, used: bool, ran: Mapping[str, ModuleType], known: Mapping[str, ModuleType]
) -> tuple[str, str] | None:
    name = exemption.check
    if name not in known:
        return f"exemption from `{name}`, which is no check", "the checks are " + ", ".join(known)
    if not getattr(known[name], "EXEMPTABLE", True):
        return f"exemption from `{name}`, which no entry may leave", "mend the finding itself"
    if name in ran and not used:
        return f"the exemption from `{name}` is no longer needed", "remove it"
    return None
