"""Bring new releases and the newest main into the site index, and say what became of the entries' sites.

Only revisions that the index does not have are read. The report is Markdown: for each repository, from the newest
release that the index had to the newest one and to main, each entry's site as same, moved, reworded or gone. "Gone"
becomes "fixed" by a person's decision alone.

  burn-triage kb sync --git DIR
  burn-triage kb sync --git DIR --since v0.20.0 --report drift.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.cli._building import add_building, plan
from kb.cli._options import add_kb, open_kb
from kb.folder import content_revision
from kb.model import MAIN, Revision
from kb.records import RepoIndex
from kb.upkeep.building import Built, build
from kb.upkeep.drift import drift, report


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb sync`."""
    add_kb(parser)
    add_building(parser)
    parser.add_argument("--since", metavar="TAG", help="report from this release on (default: the newest one before)")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the report there, not to standard output")


def run(args: argparse.Namespace) -> int:
    """Index what is new, then report; 0 also where entries lost their site."""
    folder = open_kb(args, write=True)
    built = []
    for one in build(plan(folder, args, fresh=False)):
        print(one.line, flush=True)
        built.append(one)
    catalog = open_catalog(folder)
    text = "\n".join(_reports(catalog, built, args.since)) or "Nothing new.\n"
    if args.report is None:
        print(text)
    else:
        args.report.write_text(text, encoding="utf-8")
    print(f"knowledge base is now at {content_revision(folder.path)}")
    return 0


def _reports(catalog: Catalog, built: list[Built], since: str | None) -> Iterator[str]:
    for one in built:
        old = catalog.revision(one.index.repo, since) if since else _newest(catalog, one.before)
        if old is None or (since is None and not one.written):
            continue
        targets = dict.fromkeys((catalog.revisions(old.repo)[-2], catalog.revisions(old.repo)[-1]))
        for new in targets:
            if new.order > old.order:
                yield report(old, new, drift(catalog, catalog.entries, old, new))


def _newest(catalog: Catalog, before: RepoIndex | None) -> Revision | None:
    """The newest release that the index had; None where it had none."""
    tags = [r.name for r in before.revisions if r.name != MAIN] if before is not None else []
    return catalog.revision(before.repo, tags[-1]) if before is not None and tags else None
