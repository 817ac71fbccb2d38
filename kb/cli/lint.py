"""Check the entries: form, style, and every claim that the index or the source can decide.

All findings at once, sorted, each with file, line and remedy. Exit status: 0 none, 1 some, 2 wrong usage.

  burn-triage kb lint                         what can be checked without any checkout
  burn-triage kb lint --fix                   mend first what can be mended safely (ids.txt, schema.json)
  burn-triage kb lint --git DIR --bless       check against the clones in DIR, and write the proof of what holds
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kb.cli._options import add_kb, open_kb, open_tree
from kb.errors import KnowledgeBaseError
from kb.lint import Finding, checks, fix, lint
from kb.lint.tree import Tree, read_tree
from kb.upkeep.bless import bless


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb lint`."""
    add_kb(parser)
    parser.add_argument("entries", nargs="*", metavar="KB-0042", help="show findings of these entries only")
    parser.add_argument(
        "--skip", action="append", default=[], metavar="NAME", help="leave a check out: " + ", ".join(checks())
    )
    parser.add_argument("--fix", action="store_true", help="mend what can be mended safely, then check")
    parser.add_argument("--git", metavar="DIR", type=Path, help="folder with clones of the family, tags included")
    parser.add_argument("--bless", action="store_true", help="with --git: write the proof of every entry that holds")


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 where there is one."""
    if args.bless and args.git is None:
        raise KnowledgeBaseError("--bless needs the source: give --git DIR with clones of the family")
    folder = open_kb(args, write=args.fix or args.bless)
    tree = open_tree(folder)
    for name in args.entries:
        if not any(name in file.path.name for file in tree.files):
            raise KnowledgeBaseError(f"{name}: no such entry; give a KB id, as the file is called")
    if args.fix:
        for name in fix(tree, args.skip):
            print(f"mended: {name}")
        tree = read_tree(folder.path, tree.index, tree.names)
    findings: list[Finding] = []
    if args.git is not None:
        findings, written = bless(tree, args.git, _chosen(args.entries), write=args.bless, skip=args.skip)
        for path in written:
            print(f"proved: {path.relative_to(folder.path)}")
        tree = read_tree(folder.path, tree.index, tree.names)
    return report(sorted({*findings, *lint(tree, args.skip)}), tree, args.entries)


def _chosen(names: Sequence[str]) -> frozenset[str] | None:
    return frozenset(names) or None


def report(findings: Sequence[Finding], tree: Tree, only: Sequence[str]) -> int:
    """Print findings, of the entries named or all; the exit status."""
    shown = [f for f in findings if not only or any(name in Path(f.file).name for name in only)]
    for finding in shown:
        print(finding)
    files = len(tree.files)
    print(f"{len(shown)} finding{'' if len(shown) == 1 else 's'} in {files} entr{'y' if files == 1 else 'ies'}")
    sys.stdout.flush()
    return 1 if shown else 0
