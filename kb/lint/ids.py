"""Ids are unique and append-only: `ids.txt` holds every id ever given, and every one of them still has its file."""

from __future__ import annotations

from collections.abc import Iterator

from kb.entry import UNRELEASED
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.upkeep.ids import LEDGER, Ledger, ledger_line, read_ledger

EXEMPTABLE = False


def check(tree: Tree) -> Iterator[Hit]:
    """Ids used twice, changed, or gone; lines of the list that are out of order."""
    ledger = read_ledger(tree.root)
    for problem in ledger.problems:
        yield Hit(tree.root / LEDGER, (), problem.text, problem.remedy, line=problem.line)
    yield from _twice(tree)
    yield from _unlisted(tree, ledger)
    yield from _vanished(tree, ledger)


def fix(tree: Tree) -> None:
    """Append the ids of entries that the list does not know yet. Never changes a line that is there."""
    ledger = read_ledger(tree.root)
    missing = sorted(
        ledger_line(entry) for _, entry in tree.entries if entry.kb_id != UNRELEASED and entry.kb_id not in ledger.rows
    )
    if missing:
        with (tree.root / LEDGER).open("a", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in missing)


def _twice(tree: Tree) -> Iterator[Hit]:
    numbers: dict[str, str] = {}
    owners: dict[str, str] = {}
    for file, entry in tree.entries:
        if entry.kb_id != UNRELEASED and numbers.setdefault(entry.kb_id, file.path.name) != file.path.name:
            yield Hit(file, (), f"{entry.kb_id} stands in two files", "give the newer one KB-0000 and `kb assign-ids`")
        for at, value in (("id", entry.id), *(("aliases", alias) for alias in entry.aliases)):
            owner = owners.setdefault(value, str(file.path))
            if owner != str(file.path) or (at == "aliases" and value == entry.id):
                yield Hit(file, (at,), f"the id {value} is used twice", f"it belongs to {owner}; ids are never reused")


def _unlisted(tree: Tree, ledger: Ledger) -> Iterator[Hit]:
    for file, entry in tree.entries:
        if entry.kb_id == UNRELEASED:
            continue
        row = ledger.rows.get(entry.kb_id)
        if row is None:
            yield Hit(file, ("id",), f"{entry.kb_id} is not in {LEDGER}", "run `kb lint --fix`")
        elif row[0] != entry.id:
            yield Hit(file, ("id",), f"the id of {entry.kb_id} was {row[0]}", "put it back; an id never changes")
        else:
            for gone in sorted(set(row[1:]) - set(entry.aliases)):
                yield Hit(file, ("aliases",), f"the alias {gone} was removed", "put it back; links still use it")


def _vanished(tree: Tree, ledger: Ledger) -> Iterator[Hit]:
    present = {file.path.name[:7] for file in tree.files}
    for kb_id in ledger.rows:
        if kb_id not in present:
            yield Hit(
                tree.root / LEDGER,
                (),
                f"{kb_id} has no file any more",
                "put it back, with `status: withdrawn` and the reason if it no longer holds",
                line=ledger.lines[kb_id],
            )
