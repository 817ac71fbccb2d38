"""Every file is an entry: YAML, the known fields, values of the right form, in the folder of its crate."""

from __future__ import annotations

from collections.abc import Iterator

from kb.entry import UNRELEASED, Entry, Status
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import SiteKind
from kb.std_panics import StdPanic

EXEMPTABLE = False


def check(tree: Tree) -> Iterator[Hit]:
    """What the reader of entries found wrong, folders, and fields that belong together."""
    for file in tree.files:
        for problem in file.problems:
            yield Hit(file, problem.path, problem.text, problem.remedy or "see kb/TEMPLATE.yaml")
    for file, entry in tree.entries:
        yield from _folder(file, entry)
        yield from _together(file, entry)
        yield from _functions(file, entry)


def _folder(file: EntryFile, entry: Entry) -> Iterator[Hit]:
    crates = [site.crate for site in entry.sites] or [entry.match.crate if entry.match else ""]
    folder = file.path.parent.name
    if folder not in crates:
        yield Hit(file, (), f"the file lies in {folder}/", f"move it to {crates[0] or 'the folder of its crate'}/")


def _functions(file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """A function site has the class of its text and nothing of a panic site; no other site has a class."""
    for i, site in enumerate(entry.sites):
        if site.kind is not SiteKind.FUNCTION:
            if site.prints or site.path:
                yield Hit(
                    file, ("sites", i), "`prints` and `path` are for `kind: function`", "take them out, or change kind"
                )
            continue
        if site.prints is None:
            known = ", ".join(StdPanic)
            yield Hit(file, ("sites", i), "a function without the class of its text", f"give `prints`, one of: {known}")
        if site.template or site.receiver or site.target or site.macro_body or site.called_from:
            yield Hit(file, ("sites", i), "a function site has no words or receiver of its own", "take them out")
        if site.prints is StdPanic.CALLED and not (entry.match and entry.match.value):
            text = "`prints: called` without `match.value`"
            yield Hit(file, ("sites", i, "prints"), text, "give the words that the other crate prints there")


def _together(file: EntryFile, entry: Entry) -> Iterator[Hit]:
    if entry.foreign and entry.sites:
        yield Hit(
            file, ("sites",), "a foreign entry with sites of ours", "move them to `cause_sites`, or drop `foreign`"
        )
    if entry.foreign and not (entry.match and entry.match.crate and len(entry.match.value) >= 12):
        yield Hit(
            file,
            ("foreign",),
            "a foreign entry needs `match` with the crate and a text of 12 characters or more",
            "take the words that only this problem prints",
        )
    if not entry.foreign and not entry.sites:
        yield Hit(file, ("sites",), "no site", "name the panic site, or say `foreign: true`")
    if (entry.status is Status.WITHDRAWN) != (entry.withdrawn is not None):
        yield Hit(file, ("status",), "`status: withdrawn` and `withdrawn:` go together", "give both, or neither")
    if (entry.kb_id == UNRELEASED) != (entry.status is Status.DRAFT):
        yield Hit(
            file, ("status",), "only drafts are KB-0000, and all of them are", "`kb assign-ids` gives the next id"
        )
    if entry.status is Status.PUBLISHED and entry.review:
        yield Hit(file, ("review",), "claims are waiting for review", "check each, then remove the list")
