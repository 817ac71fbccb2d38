"""How a site stands later: at the newest release and at main, and since when it is gone. Facts of the index."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage.model import Place, Standing, State
from kb.model import MAIN, Revision, SiteAt, SiteIndex


def states(place: Place, index: SiteIndex, *, beside: bool = False) -> tuple[State, ...]:
    """At the newest release (the newest pre-release if the report is on one) and at main, where the index can tell.

    `beside`: the place is shown at the release beside the reporter's commit, who is then on no pre-release.
    """
    found = []
    for revision in _later(place.revision, index, beside):
        state = _state(place, revision, index)
        if state:
            found.append(state)
    return tuple(found)


def gone_since(place: Place, index: SiteIndex) -> str | None:
    """The first release from which on the site, followed through renames, stands nowhere; None while it does."""
    if place.site is None:
        return None
    later = [r for r in index.revisions(place.repo) if _is_later(r, place.revision)]
    first_gone = None
    for revision in reversed(later):
        if index.follow(place.site.key, revision):
            break
        first_gone = revision
    return first_gone.name if first_gone and later else None


def newest_for(revision: Revision, index: SiteIndex, beside: bool = False) -> Revision:
    """The newest release, or the newest pre-release for a reporter who is on one."""
    newest = index.newest_release(revision.repo)
    if (
        (revision.prerelease and not beside)
        or (revision.order < 0 and revision.date > newest.date)
        or revision.order > newest.order
    ):
        return index.newest_release(revision.repo, prerelease=True)
    return newest


def _later(revision: Revision, index: SiteIndex, beside: bool) -> list[Revision]:
    main = index.revision(revision.repo, MAIN)
    wanted = [newest_for(revision, index, beside), *([main] if main else [])]
    return [r for r in wanted if _is_later(r, revision)]


def _is_later(candidate: Revision, than: Revision) -> bool:
    if than.order >= 0:
        return candidate.order > than.order
    return candidate.date > than.date


def _state(place: Place, revision: Revision, index: SiteIndex) -> State | None:
    if place.site is None:
        return _function_state(place, revision, index)
    found = index.follow(place.site.key, revision)
    if not found:
        return State(revision, Standing.GONE)
    if not place.site.key.template:
        # Without words the key is shared by every such call of the function: what is called before it tells them apart.
        found = [f for f in found if f.receiver == place.site.receiver and f.target == place.site.target]
    if not found:
        return None
    site = _nearest(place.site, found)
    there = Place(site.key.repo, revision, site.path, site.line, site.key.function, site=site)
    if site.key.template != place.site.key.template:
        return State(revision, Standing.REWORDED, there)
    same = (site.key.repo, site.path, site.key.function) == (place.repo, place.path, place.function)
    return State(revision, Standing.SAME if same else Standing.MOVED, there)


def _function_state(place: Place, revision: Revision, index: SiteIndex) -> State | None:
    """A function of the same name in the same file; where it is not found, nothing is said."""
    for span in index.spans_in(revision, place.path):
        if span.span.function == place.function:
            there = Place(place.repo, revision, place.path, span.span.start, place.function, span=span)
            return State(revision, Standing.SAME, there)
    return None


def _nearest(site: SiteAt, found: Sequence[SiteAt]) -> SiteAt:
    """Of several places with one key the one in the same file and nearest by line."""
    return min(found, key=lambda f: (f.path != site.path, abs(f.line - site.line)))
