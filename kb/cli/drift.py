"""Report what a revision does to the entries: same, moved, reworded (old and new text), or gone.

The report is Markdown fit for a pull request. Exit status: 0 nothing for a person to do, 1 an entry has to be looked
at, 2 wrong usage. The revision has to be indexed: `kb sync` does that for a new one. A release of one repository
stands for the releases of the others that go with it. "Gone" becomes `fixed` or `removed` by a person's decision alone.

  burn-triage kb drift                        at main
  burn-triage kb drift --to v0.22.0-pre.2
"""

from __future__ import annotations

import argparse

from kb.cli._options import add_kb, open_kb, open_tree
from kb.errors import KnowledgeBaseError
from kb.lint.tree import Tree
from kb.model import MAIN, Revision
from kb.upkeep.drift import drift, markdown


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb drift`."""
    add_kb(parser)
    parser.add_argument("--to", metavar="REV", default=MAIN, help="tag, main, or commit of an indexed revision (main)")
    parser.add_argument("--repo", metavar="OWNER/NAME", help="whose revision it is (the first of kb/repos.yaml)")


def run(args: argparse.Namespace) -> int:
    """Print the report; 1 where a person has to look."""
    tree = open_tree(open_kb(args))
    found = drift(tree, _target(tree, args.repo, args.to))
    print(markdown(found, _target(tree, args.repo, args.to)), end="")
    return 1 if any(entry.needs_work for entry in found) else 0


def _target(tree: Tree, repo: str | None, name: str) -> Revision:
    if tree.index is None or not tree.index.repos():
        raise KnowledgeBaseError(f"{tree.root}: there is no site index; run `kb index --git DIR` first")
    repo = repo or tree.index.repos()[0]
    revision = tree.index.revision(repo, name)
    if revision is None:
        raise KnowledgeBaseError(f"--to {name}: {repo} has no such revision in the index; `kb sync` brings a new one")
    return revision
