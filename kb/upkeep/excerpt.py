"""Holds a page's code excerpt and source line against the source itself."""

from __future__ import annotations

import dataclasses
import re

from kb.upkeep.clones import Clones
from kb.upkeep.importer import Checked

FEW = 3
"""Lines of an excerpt that may differ: pages are made from other commits than the one at hand."""


def against_clone(checked: Checked, clones: Clones) -> Checked:
    """The same with what the clone adds: the page's own commit where it has it, and the excerpt's lines.

    Raises KnowledgeBaseError for a missing clone.
    """
    page, site = checked.page, checked.site
    if site is None:
        return checked
    clone = clones.clone(page.repo)
    own = clone.commit(page.commit) if page.commit else None
    commit = own.sha if own else site.revision.commit
    source = clones.text(page.repo, commit, page.path)
    if source is None:
        return dataclasses.replace(checked, reasons=(*checked.reasons, f"{page.path} does not exist at {commit[:10]}"))
    notes, reasons = list(checked.notes), list(checked.reasons)
    if own:
        notes.append(f"the clone has the page's commit {page.commit}; its source was read")
    missing = foreign_lines(page.code, source)
    if len(missing) > FEW:
        reasons.append(f"the excerpt is not of {page.path} at {commit[:10]}: it has no line {missing[0]!r}")
    elif missing:
        notes.append(f"{len(missing)} lines of the excerpt differ at {commit[:10]}, the first: {missing[0]!r}")
    return dataclasses.replace(checked, notes=tuple(notes), reasons=tuple(reasons))


def foreign_lines(excerpt: str, source: str) -> list[str]:
    """Lines of the excerpt that the source does not have, white space aside."""
    known = {_squeeze(line) for line in source.splitlines()}
    return [line.strip() for line in excerpt.splitlines() if _squeeze(line) and _squeeze(line) not in known]


def _squeeze(line: str) -> str:
    return re.sub(r"\s+", "", line)
