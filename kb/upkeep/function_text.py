"""The source text of function sites: what a proof is bound to, and whether it can raise what the entry says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from kb import standing
from kb.entry import Entry, EntrySite
from kb.model import Revision, SiteIndex, SpanAt
from kb.std_panics import can_raise
from kb.upkeep.clones import Clones


def texts(index: SiteIndex, clones: Clones, site: EntrySite) -> Iterator[tuple[SpanAt, str]]:
    """The function with its text at both ends of each run that the site claims, where the clone has it."""
    for tag in dict.fromkeys(tag for run in site.stands for tag in (run.first, run.last)):
        revision = index.revision(site.repo, tag)
        for span in standing.spans_of(index, site, revision) if revision else ():
            code = clones.code(span)
            if code is not None:
                yield span, code


def function_hashes(index: SiteIndex, clones: Clones, entry: Entry) -> dict[str, str]:
    """Sixteen hex digits over the texts of each function site, by the site's id."""
    gathered: dict[str, list[str]] = {}
    for site in entry.sites:
        if standing.is_function(site):
            gathered.setdefault(site.key.id, []).extend(code for _, code in texts(index, clones, site))
    return {name: hashlib.sha256("\0".join(found).encode()).hexdigest()[:16] for name, found in gathered.items()}


def wrong_texts(index: SiteIndex, clones: Clones, site: EntrySite) -> Iterator[str]:
    """What the source holds against a function site: no function there, or nothing in it that can panic so."""
    found = list(texts(index, clones, site))
    if not found:
        yield f"the source has no {site.function} where the index says"
    for span, code in found:
        if site.prints and not can_raise(site.prints, code):
            yield f"nothing in {site.function} at {span.revision.name} can raise {site.prints}"


def changed(index: SiteIndex, clones: Clones, site: EntrySite, old: Revision, new: Revision) -> bool:
    """Whether the function's text differs between two revisions that both have it."""
    before = {code for s in standing.spans_of(index, site, old) if (code := clones.code(s)) is not None}
    after = {code for s in standing.spans_of(index, site, new) if (code := clones.code(s)) is not None}
    return bool(before and after) and before != after
