"""Who calls a tensor check, at one revision: the `check!` sites that can word what the check says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kb.catalog_store import Store
from kb.model import Revision, SiteAt, SiteIndex, SiteKind


def callers_of_check(
    store: Store, index: SiteIndex, checks: Mapping[str, Collection[str]], target: str, revision: Revision
) -> Sequence[SiteAt]:
    """The CHECK sites whose check is `target` or calls it. `checks`: each check of the revision with those it calls."""
    if revision.order < 0:
        return ()
    targets = _reaching(target, checks)
    marks = ",".join("?" * len(targets))
    query = (
        "SELECT DISTINCT path FROM identity JOIN site_key ON site_key.id = identity.site_key"
        " JOIN stand ON stand.site_key = identity.site_key JOIN file ON file.id = stand.file"
        f" WHERE target IN ({marks}) AND site_key.kind = ? AND site_key.repo = ? AND first <= ? AND last >= ?"
        " ORDER BY path"
    )
    values = (*sorted(targets), SiteKind.CHECK, revision.repo, revision.order, revision.order)
    return [
        site
        for (path,) in store.rows(query, values)
        for site in index.sites_in(revision, path)
        if site.key.kind is SiteKind.CHECK and site.target in targets
    ]


def _reaching(target: str, checks: Mapping[str, Collection[str]]) -> frozenset[str]:
    """`target` and every check that calls it, however far."""
    found, todo = {target}, [target]
    while todo:
        called = todo.pop()
        for name, calls in checks.items():
            if called in calls and name not in found:
                found.add(name)
                todo.append(name)
    return frozenset(found)
