"""A place as a report prints it, held against the index: which site stands there, or which function is around it.

This is the part of resolving that needs no report around it, for examples and drafts; the whole is in `bot.triage`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.model import LOCATED_KINDS, SiteAt, SiteIndex, SpanAt

_PLACE = re.compile(
    r"[/\\](?P<crate>[A-Za-z_][A-Za-z0-9_-]*?)-(?P<version>\d+\.\d+\.\d+(?:-pre\.\d+)?)[/\\]"
    r"(?P<file>src[/\\][\w./\\-]+\.rs):(?P<line>\d+)(?::(?P<column>\d+))?"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """What stands on a printed line of a release."""

    line: int
    column: int | None
    sites: tuple[SiteAt, ...]
    span: SpanAt | None
    """The innermost function around the line."""

    @property
    def function(self) -> SpanAt | None:
        """The function that holds a panic without a site: none where a site begins at the printed column."""
        at = [s for s in self.sites if s.key.kind in LOCATED_KINDS and self.column in (None, s.column)]
        return None if at else self.span

    @property
    def empty(self) -> bool:
        """Neither site nor function."""
        return not self.sites and self.span is None

    @property
    def functions(self) -> list[str]:
        """Names of the functions that the line is of."""
        own = {self.span.span.function} if self.span and not self.sites else set()
        return sorted({site.key.function for site in self.sites} | own)


def printed_place(index: SiteIndex, text: str) -> Spot | None:
    """What the first registry path with a line in a text leads to; None where none leads to a release of the family."""
    for match in _PLACE.finditer(text):
        for repo in index.repos_of_crate(match["crate"]):
            revision = index.revision_of_crate(repo, match["crate"], match["version"])
            if revision is not None:
                paths = index.paths(revision, match["file"].replace("\\", "/"), match["crate"])
                line, column = int(match["line"]), int(match["column"]) if match["column"] else None
                sites = tuple(s for path in paths for s in index.sites_in(revision, path) if s.line == line)
                spans = [s for path in paths for s in index.spans_in(revision, path)]
                around = [s for s in spans if s.span.start <= line <= s.span.end]
                span = min(around, key=lambda s: s.span.end - s.span.start, default=None)
                return Spot(line, column, sites, span)
    return None
