"""What the page of an entry, or of a bare site, shows beside the entry's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.triage import wording
from bot.triage.roles import cause_text
from bot.web.excerpt import Excerpt, Excerpts
from bot.web.shelf import HOME_REPO, Shelf, affected_runs
from bot.web.timeline import Standpoint, Timeline, places, shown, standpoints, timeline
from kb.entry import CauseSite, End, Entry
from kb.model import LOCATED_KINDS, MAIN, Revision, SiteAt, SiteKey

LONGEST_NAME = 110
MOST_ALSO = 12
_REASON = re.compile(r"^=== .* ===\n(?:.*\n)*?\s*Reason:\s*(?:\d+\.\s*)?(.+)")
"""The first reason of burn's tensor checks, which print a heading, the operation and then the reasons."""

_BARE = re.compile(
    r"not (yet )?implemented|explicit panic|internal error: entered unreachable code|assertion .*failed"
    r"|called `(Option|Result)::unwrap\(\)` on an? `(None|Err)` value"
)
"""Words of std alone: a hundred places print them, so a page needs its entry's title."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """Where a panic is thrown: the newest release that has it, main, and the other places of the same entry."""

    at: SiteAt
    excerpt: Excerpt | None
    on_main: SiteAt | None
    """On main, where that is another revision; None where it is not there."""
    also: tuple[SiteAt, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Generated:
    """A function of ours that makes a foreign panic happen, with its line at the last release that has it."""

    site: CauseSite
    revision: Revision
    path: str
    link: str


@dataclass(frozen=True, slots=True)
class View:
    """All that a page adds."""

    name: str
    """The message in one line, as the title quotes it."""
    source: SourceView | None
    generated: tuple[Generated, ...]
    timelines: tuple[Timeline, ...]
    index_date: str
    """Day of the main that was indexed."""
    in_burn: tuple[str, str] | None = None
    """For an entry of another repository: the first and the last of burn's releases that build on an affected one."""
    ending: str = ""
    """Markdown: what ended the problem, or where it is raised since."""


def short_name(entry: Entry) -> str:
    """The telling line of an entry's message: of a tensor check the reason, of a foreign panic what must be in it."""
    if entry.foreign and entry.match and entry.match.value:
        return _cut(entry.match.value.strip().split("\n", 1)[0])
    text = cause_text(entry.message).strip()
    reason = _REASON.search(text)
    line = reason[1] if reason else text.split("\n", 1)[0]
    return _cut(entry.title.replace("`", "") if _BARE.fullmatch(line) else line)


def site_name(key: SiteKey) -> str:
    """A bare site's message in one line, else what kind of panic stands in which function."""
    return _cut(key.template.strip().split("\n", 1)[0]) or f"{key.kind}() in {key.function or key.crate}"


def view_entry(entry: Entry, shelf: Shelf, excerpts: Excerpts) -> View:
    """The page of an entry. Source is fetched by permalink where no clone has it."""
    points = standpoints(entry.sites, shelf.index)
    ranges = {run.repo: (run.first, run.last) for run in affected_runs(entry, shelf.index)}
    repos = list(dict.fromkeys([*(p.key.repo for p in points), *ranges]))
    lines = [timeline(points, repo, shelf.index, [ranges[repo]] if repo in ranges else []) for repo in repos]
    return View(
        name=short_name(entry),
        source=_source(points, shelf, excerpts, ranges, entry.repo, fetch=True),
        generated=tuple(_generated(entry, shelf)),
        timelines=tuple(lines),
        index_date=_index_date(entry.repo, shelf),
        in_burn=_in_burn(entry, shelf),
        ending="\n\n".join(wording.ending(entry, shelf.knowledge)),
    )


def view_site(key: SiteKey, shelf: Shelf, excerpts: Excerpts) -> View:
    """The page of a site without an entry. Thousands of them: their source comes from a clone or not at all."""
    points = [Standpoint(key)]
    line = timeline(points, key.repo, shelf.index, [])
    source = _source(points, shelf, excerpts, {}, key.repo, fetch=False)
    return View(site_name(key), source, (), (line,), _index_date(key.repo, shelf))


def affects(entry: Entry) -> str:
    """The range in which a user can meet the problem, in one sentence of Markdown."""
    name, range_ = entry.repo.split("/")[1], entry.affected
    if range_.fixed:
        by = f" ({range_.fixed_by.pr or range_.fixed_by.commit[:10]})" if range_.fixed_by else ""
        return f"{name} {range_.first} up to, not including, {range_.fixed}, which fixes it{by}."
    if range_.open:
        return f"{name} {range_.first} and everything since; open on main."
    words = {
        End.MOVED: "later releases raise it elsewhere",
        End.REWORDED: "later releases word it otherwise",
        End.UNREACHABLE: "later releases do not reach it any more",
        End.REMOVED: "later releases do not have the function any more",
    }
    after = f"; {words[range_.ended]}" if range_.ended in words else ""
    return f"{name} {range_.first} to {range_.last}{after}."


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1].rstrip() + "…"


def _index_date(repo: str, shelf: Shelf) -> str:
    main = shelf.index.revision(repo, MAIN)
    return main.date[:10] if main else ""


def _in_burn(entry: Entry, shelf: Shelf) -> tuple[str, str] | None:
    """People know burn's version, not that of what it builds on."""
    if entry.repo == HOME_REPO:
        return None
    index, runs = shelf.index, affected_runs(entry, shelf.index)
    releases = [r for r in index.revisions(HOME_REPO) if r.is_release]
    built_on = [(r, other) for r in releases if (other := index.companion(r, entry.repo))]
    met = [r.name for r, other in built_on if any(run.first <= other.order <= run.last for run in runs)]
    return (met[0], met[-1]) if met else None


def _source(
    points: Sequence[Standpoint],
    shelf: Shelf,
    excerpts: Excerpts,
    met: Mapping[str, tuple[int, int]],
    home: str,
    *,
    fetch: bool,
) -> SourceView | None:
    found = [newest for point in points if (newest := _newest(point, shelf, met))]
    if not found:
        return None
    first = min((sites[0] for sites in found), key=lambda site: _rank(site, shelf, met, home))
    others = list(dict.fromkeys(site for sites in found for site in sites if site != first))
    main = shelf.index.revision(first.key.repo, MAIN)
    on_main = next((s for p in points if p.key == first.key and main for s in places(p, main, shelf.index)), None)
    return SourceView(
        at=first,
        excerpt=excerpts.read(first, fetch=fetch),
        on_main=on_main,
        also=tuple(others[:MOST_ALSO]),
        more=max(0, len(others) - MOST_ALSO),
    )


def _is_printed(site: SiteAt) -> bool:
    """Whether a log can name this very line: a macro's body and the words of a tensor check stand elsewhere."""
    return site.key.kind in LOCATED_KINDS and not site.macro_body


def _rank(site: SiteAt, shelf: Shelf, met: Mapping[str, tuple[int, int]], home: str) -> tuple[bool, bool, int]:
    """Lowest first: a line that a log can name, of the entry's own repository, at the newest release that counts."""
    newest = shelf.index.newest_release(site.key.repo).order
    counting = min(newest, met[site.key.repo][1]) if site.key.repo in met else newest
    return not _is_printed(site), site.key.repo != home, max(0, counting - site.revision.order)


def _newest(point: Standpoint, shelf: Shelf, met: Mapping[str, tuple[int, int]]) -> list[SiteAt]:
    """Where a site stands at the newest release, else on main, else at the last revision that has it.

    `met`: the orders between which the problem can be met, by repository; a place before or after says nothing of it.
    """
    index = shelf.index
    revisions = [index.newest_release(point.key.repo), *reversed(index.revisions(point.key.repo))]
    homes = index.homes(point.key)
    first, last = met.get(point.key.repo, (0, revisions[1].order))
    counting = [r for r in revisions if first <= r.order <= last] or revisions
    standing = [r for r in counting if any(a.order <= r.order <= b.order for a, b, _ in homes)]
    return next((found for r in standing if (found := places(point, r, index))), [])


def _generated(entry: Entry, shelf: Shelf) -> list[Generated]:
    found = []
    for site in entry.cause_sites:
        revision = shelf.index.revision(site.repo, site.stands[-1].last)
        spans = shelf.index.functions(revision, site.crate, site.function) if revision else ()
        if revision and spans:
            found.append(Generated(site, revision, spans[0].path, spans[0].permalink(spans[0].span.start)))
    return found


def label(site: SiteAt) -> str:
    """`burn-autodiff v0.21.0` for a site at a revision."""
    return f"{site.key.crate} {shown(site.revision)}"
