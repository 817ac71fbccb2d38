"""Each published entry has a proof, and nothing of it changed since."""

from __future__ import annotations

from collections.abc import Iterator

from kb.entry import Status
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.upkeep.proof import function_ids, prose_hash, site_ids

EXEMPTABLE = False
REMEDY = "check it against the source with `kb lint --git DIR --bless`"


def check(tree: Tree) -> Iterator[Hit]:
    """Missing proofs, prose or claims that differ from the proved ones, sites that were not proved."""
    for file, entry in tree.current:
        if entry.proof is None:
            if entry.status is Status.PUBLISHED:
                yield Hit(file, (), "no proof", REMEDY)
        elif entry.proof.prose != prose_hash(entry):
            yield Hit(file, ("proof", "prose"), "the entry changed after its proof", REMEDY)
        elif set(entry.proof.sites) != set(site_ids(entry)) or set(entry.proof.functions) != set(function_ids(entry)):
            yield Hit(file, ("proof", "sites"), "its sites are not those of its proof", REMEDY)
