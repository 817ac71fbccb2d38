"""Bring new releases and the newest main into the site index, and say what became of the entries' sites.

Only revisions that the index does not have are read. The report is Markdown: for each new revision, the entries whose
site is the same, moved, reworded or gone there. "Gone" becomes "fixed" by a person's decision alone.

  burn-triage kb sync --git DIR
  burn-triage kb sync --git DIR --report drift.md
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kb.catalog import open_catalog
from kb.cli._building import add_building, plan
from kb.cli._options import add_kb, open_kb, open_tree
from kb.folder import content_revision
from kb.lint.tree import Tree
from kb.model import Revision
from kb.upkeep.building import Built, build
from kb.upkeep.drift import drift, markdown


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb sync`."""
    add_kb(parser)
    add_building(parser)
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the report there, not to standard output")


def run(args: argparse.Namespace) -> int:
    """Index what is new, then report; 0 also where entries lost their site."""
    folder = open_kb(args, write=True)
    built = []
    for one in build(plan(folder, args, fresh=False)):
        print(one.line, flush=True)
        built.append(one)
    changed = [one for one in built if one.new_revisions]
    if not (folder.path / "entries").is_dir():
        text = "No entries, so nothing to report on.\n"
    else:
        open_catalog(folder, read={one.index.repo: one.index for one in built})
        text = _report(open_tree(folder), changed) if changed else "Nothing new.\n"
    if args.report is None:
        print(text)
    else:
        args.report.write_text(text, encoding="utf-8")
    print(f"knowledge base is now at {content_revision(folder.path)}")
    return 0


def _report(tree: Tree, built: Sequence[Built]) -> str:
    return "\n".join(markdown(drift(tree, target), target) for one in built for target in _targets(tree, one))


def _targets(tree: Tree, one: Built) -> list[Revision]:
    found = (tree.source().revision(one.index.repo, name) for name in one.new_revisions)
    return [revision for revision in found if revision is not None]
