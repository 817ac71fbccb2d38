"""Drafts about panics that Rust raises by itself: from a function's name, or from a report that somebody pasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb import standing
from kb.catalog import Catalog
from kb.claim import messages
from kb.entry import Entry, EntrySite, Example, Stand
from kb.errors import KnowledgeBaseError
from kb.model import Revision, SiteAt, SiteIndex, SiteKey, SiteKind, SpanAt
from kb.printed import Spot, printed_place
from kb.std_panics import StdPanic, std_panic
from kb.upkeep.drafts import SEVERAL, TODO, about, printed, skeleton

FOLDER = "/home/user/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"
"""Where the example's path begins: nothing of the reporter's own machine goes into a draft."""


def from_report(index: SiteIndex, text: str, today: str) -> Entry:
    """A draft about the panic of a pasted report: the site at its place, else the function around it.

    Raises KnowledgeBaseError where the report prints no place of an indexed release, or no text of Rust's own there.
    """
    spot = printed_place(index, text)
    if spot is None or spot.empty:
        raise KnowledgeBaseError(
            "the report has no place like `burn-ir-0.20.1/src/handle.rs:61:9` of an indexed release; "
            "give the site, or the function with --prints, instead"
        )
    if spot.function is None:
        return skeleton(index, [_site_at(spot).key], today)
    found = [(kind, message) for message in messages(text) if (kind := std_panic(message)) is not None]
    if not found:
        raise KnowledgeBaseError(
            f"no site stands at that place of {spot.function.span.function}, and the text is none that Rust prints by "
            "itself; check version and line, or give the function with --prints called"
        )
    kind, message = found[0]
    return _about(index, spot.function, kind, _example(spot, message.split("\n", 1)[0]), today)


def from_function(catalog: Catalog, name: str, kind: StdPanic, today: str) -> Entry:
    """A draft about a function as the index names it, or its end. Raises KnowledgeBaseError for none or several."""
    found: dict[tuple[str, str, str], SpanAt] = {}
    for repo in catalog.repos():
        for (crate, path, function), mask in catalog.all_functions(repo).items():
            if function == name or function.endswith(f"::{name}"):
                revision = catalog.revisions(repo)[mask.bit_length() - 1]
                span = next(s for s in catalog.functions(revision, crate, function) if s.path == path)
                at = found.get((repo, crate, function))
                if at is None or at.revision.order < revision.order:
                    found[repo, crate, function] = span
    if len(found) != 1:
        listed = "".join(f"\n  {crate} {function}" for _, crate, function in sorted(found)[:SEVERAL])
        raise KnowledgeBaseError(
            f"{name}: {len(found) or 'no'} such functions in the index; give the whole name{listed}"
            if found
            else f"{name}: no such function in the index; `kb sites grep --functions` looks for names"
        )
    span = next(iter(found.values()))
    words = printed(SiteKey(span.repo, span.crate, span.span.function, SiteKind.FUNCTION, kind))
    return _about(catalog, span, kind, Example(f"{TODO}: a header with its line\n{words}\n", f"{TODO}: where"), today)


def _site_at(spot: Spot) -> SiteAt:
    return next((s for s in spot.sites if s.column == spot.column), spot.sites[0])


def _about(index: SiteIndex, span: SpanAt, kind: StdPanic, shown: Example, today: str) -> Entry:
    whole = EntrySite(span.repo, span.crate, span.span.function, SiteKind.FUNCTION, (), prints=kind)
    many = len(standing.spans_of(index, whole, span.revision)) > 1
    site = replace(whole, path=span.path[span.path.rfind("src/") :] if many else "")
    return about(index, [replace(site, stands=_runs(index, site))], shown, today)


def _runs(index: SiteIndex, site: EntrySite) -> tuple[Stand, ...]:
    """Where the function stands; a person cuts it down to where the panic does."""
    revisions: Sequence[Revision] = index.revisions(site.repo)
    orders = sorted({o for a, b, _ in standing.homes(index, site) for o in range(a.order, b.order + 1)})
    runs: list[list[int]] = []
    for order in orders:
        if runs and order == runs[-1][1] + 1:
            runs[-1][1] = order
        else:
            runs.append([order, order])
    return tuple(Stand(revisions[first].name, revisions[last].name) for first, last in runs)


def _example(spot: Spot, message: str) -> Example:
    span = spot.span
    assert span is not None
    inner, version = span.path[span.path.rfind("src/") :], span.revision.name.removeprefix("v")
    column = f":{spot.column}" if spot.column else ""
    header = f"thread 'main' panicked at {FOLDER}/{span.crate}-{version}/{inner}:{spot.line}{column}:"
    return Example(f"{header}\n{message}\n", "a report; its place checked against the index")
