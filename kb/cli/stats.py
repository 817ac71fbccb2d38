"""What the knowledge base holds: revisions, sites per crate, entries, and how well sites are followed.

Each figure is EXPLAINED/SITES: the places that a user's program can print at that release, and those of them that an
entry names. Left out: tests, tools, what runs while compiling, the inside of macros, and `unreachable!`.

  burn-triage kb stats
  burn-triage kb stats --missing                          the places of the newest releases without an entry, by kind
  burn-triage kb stats --missing burn-fusion              those of one crate, each with its place
  burn-triage kb stats --cases tests/corpus/reports       how many labelled reports stand at a place with an entry
  burn-triage kb stats --repo tracel-ai/burn --steps      share of the sites found again, release by release
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.cli._options import add_kb, open_kb
from kb.compiling import read_index
from kb.errors import KnowledgeBaseError
from kb.model import SiteAt, SiteKey
from kb.moves import find_links
from kb.upkeep import cases
from kb.upkeep.coverage import Why, columns, coverage, printed, why_missing
from kb.upkeep.following import steps


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb stats`."""
    add_kb(parser)
    parser.add_argument("--repo", metavar="OWNER/NAME", help="only this repository")
    parser.add_argument(
        "--missing",
        nargs="?",
        const="",
        metavar="CRATE",
        help="places of the newest release without an entry: counts by kind, or those of a crate one by one",
    )
    parser.add_argument(
        "--cases", metavar="DIR", type=Path, help="a folder of labelled reports: those whose place an entry names"
    )
    parser.add_argument("--steps", action="store_true", help="share of the sites followed at each release step")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    folder = open_kb(args)
    catalog = open_catalog(folder)
    repos = [repo for repo in catalog.repos() if args.repo in (None, repo)]
    if not repos:
        raise KnowledgeBaseError(f"--repo {args.repo}: not in the index; known are {', '.join(catalog.repos())}")
    if args.steps:
        lines = _steps(folder.path, repos, catalog.repos())
    elif args.cases is not None:
        lines = cases.lines(cases.read_places(args.cases), _named(catalog))
    elif args.missing is None:
        lines = _tables(catalog, repos)
    else:
        lines = _missing(catalog, repos, args.missing)
    for line in lines:
        print(line)
    return 0


def _named(catalog: Catalog) -> set[SiteKey]:
    return {key for entry in catalog.entries if entry.live for key in entry.keys}


def _tables(catalog: Catalog, repos: Iterable[str]) -> Iterator[str]:
    named = _named(catalog)
    yield f"entries: {sum(entry.live for entry in catalog.entries)}"
    for repo in repos:
        revisions = catalog.revisions(repo)
        releases = [r for r in revisions if r.is_release]
        yield ""
        yield f"{repo}: {len(releases)} releases, newest {catalog.newest_release(repo).name}"
        yield from (f"  last release {r.name} of {r.date[:10]}" for r in releases[-1:])
        yield f"  main {revisions[-1].commit[:12]} of {revisions[-1].date[:10]}; newer source is unknown here"
        yield from _crates(catalog, repo, named)


def _crates(catalog: Catalog, repo: str, named: set[SiteKey]) -> Iterator[str]:
    counted = [coverage(catalog, revision, named) for revision in columns(catalog.revisions(repo))]
    yield f"  {'crate':<28}" + "".join(f"{one.revision.name:>15}" for one in counted)
    last = counted[-1].sites
    crates = sorted({crate for one in counted for crate in one.sites}, key=lambda crate: (-last[crate], crate))
    for crate in crates:
        yield f"  {crate:<28}" + "".join(_cell(one.explained[crate], one.sites[crate]) for one in counted)
    yield f"  {'all':<28}" + "".join(_cell(one.explained.total(), one.sites.total()) for one in counted)


def _missing(catalog: Catalog, repos: Iterable[str], only: str) -> Iterator[str]:
    named = _named(catalog)
    found = False
    for repo in repos:
        release = catalog.newest_release(repo)
        sites = [site for site in printed(catalog, release) if only in ("", site.key.crate)]
        without = [site for site in sites if site.key not in named]
        found = found or bool(sites)
        if only and sites:
            yield f"{only} of {repo} {release.name}: {len(without)} of {len(sites)} places have no entry"
            yield from map(_place, sorted(without, key=lambda site: (why_missing(site), site.path, site.line)))
        elif not only:
            yield from ("", f"{repo} {release.name}: {len(without)} of {len(sites)} places have no entry")
            yield from _by_kind(without)
    if not found:
        raise KnowledgeBaseError(f"--missing {only}: no crate with such places in a newest release")


def _by_kind(sites: Iterable[SiteAt]) -> Iterator[str]:
    counts = Counter((site.key.crate, why_missing(site)) for site in sites)
    crates = Counter[str]()
    for (crate, _), count in counts.items():
        crates[crate] += count
    yield f"  {'crate':<28}" + "".join(f"{why:>12}" for why in Why)
    for crate in sorted(crates, key=lambda crate: (-crates[crate], crate)):
        yield f"  {crate:<28}" + "".join(f"{counts[crate, why] or '-':>12}" for why in Why)


def _place(site: SiteAt) -> str:
    words = site.key.template or site.receiver
    return f"  {why_missing(site):<12}{site.path}:{site.line} {site.key.function} {site.key.kind} {words!r}"


def _cell(explained: int, sites: int) -> str:
    return f"{f'{explained}/{sites}' if sites else '-':>15}"


def _steps(kb: Path, repos: Sequence[str], family: Sequence[str]) -> Iterator[str]:
    indexes = [index for repo in family if (index := read_index(kb, repo)) is not None]
    links = find_links(indexes)
    for index in indexes:
        if index.repo in repos:
            found = steps(index, [link for link in links if link.old.repo == index.repo])
            share = sum(s.followed * s.total for s in found) / max(sum(s.total for s in found), 1)
            yield f"{index.repo}: {share:.1%} of the sites found again over {len(found)} steps"
            for step in found:
                ways = ", ".join(f"{how} {count}" for how, count in step.linked.items())
                yield f"  {step.old:>15} -> {step.new:<15}{step.total:>6} sites  {step.followed:6.1%}  {ways}"
