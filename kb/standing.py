"""Where an entry's sites stand, as the index tells: panic sites by their key, functions by name, crate and file. Pure.

A function holds many expressions over its life. An entry that names one claims the releases at which it can raise the
panic: those must have the function, others may have it too. For a panic site the index decides both ways.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.entry import EntrySite
from kb.model import MAIN, Revision, SiteAt, SiteIndex, SiteKind, SpanAt


def is_function(site: EntrySite) -> bool:
    """Whether the site is a function without a panic of its own."""
    return site.kind is SiteKind.FUNCTION


def ends_with(path: str, tail: str) -> bool:
    """Whether a path ends with `tail` at a folder border; every path ends with ""."""
    return not tail or path == tail or path.endswith(f"/{tail}")


def spans_of(index: SiteIndex, site: EntrySite, revision: Revision) -> list[SpanAt]:
    """The functions that a function site can mean at a revision: one, where its `path` says enough."""
    found = index.functions(revision, site.crate, site.function) if revision.repo == site.repo else ()
    return [span for span in found if ends_with(span.path, site.path)]


def places(index: SiteIndex, site: EntrySite, revision: Revision) -> Sequence[SiteAt]:
    """Where a site of an entry stands at a revision; a function at its first line."""
    if not is_function(site):
        return index.places(site.key, revision)
    return [SiteAt(site.key, revision, s.path, s.span.start, 1, s.span.test) for s in spans_of(index, site, revision)]


def homes(index: SiteIndex, site: EntrySite) -> Sequence[tuple[Revision, Revision, str]]:
    """Runs of revisions over which a function site's crate has the function, with the file."""
    found = index.function_homes(site.repo, site.crate, site.function)
    return [home for home in found if ends_with(home[2], site.path)]


def claimed(index: SiteIndex, site: EntrySite, revision: Revision) -> bool:
    """Whether a revision is among those that the site's `stands` names.

    A commit that is no release counts where the first release after it, or the last one before it, does.
    """
    orders = _orders(index, site, revision)
    return any(
        first.order <= order <= last.order
        for run in site.stands
        if (first := index.revision(site.repo, run.first)) and (last := index.revision(site.repo, run.last))
        for order in orders
    )


def stands(index: SiteIndex, site: EntrySite, revision: Revision) -> bool:
    """Whether the site stands at an indexed revision; a function counts only where the entry claims it."""
    if is_function(site) and not claimed(index, site, revision):
        return False
    return bool(places(index, site, revision))


def _orders(index: SiteIndex, site: EntrySite, revision: Revision) -> list[int]:
    if revision.repo != site.repo:
        return []
    if revision.order >= 0:
        return [revision.order]
    known = next(iter(index.commits(site.repo, revision.commit)), None)
    nearest = index.revision(site.repo, known.nearest if known else MAIN)
    if nearest is None:
        return []
    return [nearest.order, nearest.order - 1] if nearest.date >= revision.date else [nearest.order, nearest.order + 1]
