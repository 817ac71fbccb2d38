"""Report what a revision does to the entries: same, moved, reworded (old and new text), or gone.

The report is Markdown fit for a pull request. Exit status: 0 nothing for a person to do, 1 an entry has to be looked
at, 2 wrong usage. The revision has to be indexed: `kb sync` does that for a new one. A release of one repository
stands for the releases of the others that go with it. "Gone" becomes `fixed` or `removed` by a person's decision alone.
With --git the source of function sites is compared too: one that changed has to be read again.

  burn-triage kb drift                        at main
  burn-triage kb drift --to v0.22.0-pre.2 --git DIR
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from kb.cli._options import add_kb, open_kb, open_tree
from kb.errors import KnowledgeBaseError
from kb.lint.tree import Tree
from kb.model import MAIN, Revision
from kb.upkeep.clones import Clones
from kb.upkeep.drift import drift, markdown
from kb.upkeep.function_text import changed


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb drift`."""
    add_kb(parser)
    parser.add_argument("--to", metavar="REV", default=MAIN, help="tag, main, or commit of an indexed revision (main)")
    parser.add_argument("--repo", metavar="OWNER/NAME", help="whose revision it is (the first of kb/repos.yaml)")
    parser.add_argument("--git", metavar="DIR", type=Path, help="folder with clones of the family, tags included")


def run(args: argparse.Namespace) -> int:
    """Print the report; 1 where a person has to look."""
    tree = open_tree(open_kb(args))
    target = _target(tree, args.repo, args.to)
    found = drift(tree, target, partial(changed, tree.source(), Clones(args.git))) if args.git else drift(tree, target)
    print(markdown(found, target), end="")
    return 1 if any(entry.needs_work for entry in found) else 0


def _target(tree: Tree, repo: str | None, name: str) -> Revision:
    if tree.index is None or not tree.index.repos():
        raise KnowledgeBaseError(f"{tree.root}: there is no site index; run `kb index --git DIR` first")
    repo = repo or tree.index.repos()[0]
    revision = tree.index.revision(repo, name)
    if revision is None:
        raise KnowledgeBaseError(f"--to {name}: {repo} has no such revision in the index; `kb sync` brings a new one")
    return revision
