"""What the knowledge base holds: revisions, sites per crate, entries, and how well sites are followed.

Sites are counted at main, tests left out. "With entry" counts the sites whose key an entry names.

  burn-triage kb stats
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
from kb.model import LOCATED_KINDS, SiteKey
from kb.moves import find_links
from kb.upkeep.following import steps


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb stats`."""
    add_kb(parser)
    parser.add_argument("--repo", metavar="OWNER/NAME", help="only this repository")
    parser.add_argument("--steps", action="store_true", help="share of the sites followed at each release step")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    folder = open_kb(args)
    catalog = open_catalog(folder)
    repos = [repo for repo in catalog.repos() if args.repo in (None, repo)]
    if not repos:
        raise KnowledgeBaseError(f"--repo {args.repo}: not in the index; known are {', '.join(catalog.repos())}")
    for line in _steps(folder.path, repos, catalog.repos()) if args.steps else _tables(catalog, repos):
        print(line)
    return 0


def _tables(catalog: Catalog, repos: Iterable[str]) -> Iterator[str]:
    named = {key for entry in catalog.entries if entry.live for key in entry.keys}
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
    main = catalog.revisions(repo)[-1]
    sites, covered = Counter[str](), Counter[str]()
    for site in catalog.all_sites(main):
        if not site.test and site.key.kind in LOCATED_KINDS:
            sites[site.key.crate] += 1
            covered[site.key.crate] += site.key in named
    yield f"  {'crate':<28}{'sites':>7}{'with entry':>12}"
    for crate, count in sorted(sites.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {crate or '(no crate)':<28}{count:>7}{covered[crate]:>12}"
    yield f"  {'all':<28}{sites.total():>7}{covered.total():>12}"


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
