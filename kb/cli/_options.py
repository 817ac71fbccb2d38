"""What the subcommands of `burn-triage kb` share: the option that says which knowledge base, and opening it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from kb.catalog import open_catalog
from kb.folder import KbFolder, find_kb
from kb.lint.tree import Tree, read_tree


def add_kb(parser: argparse.ArgumentParser) -> None:
    """Add `--kb DIR`."""
    parser.add_argument(
        "--kb",
        metavar="DIR",
        type=Path,
        help="folder of the knowledge base (default: BURN_TRIAGE_KB, else the nearest folder above that holds "
        "kb/repos.yaml, else the packaged copy)",
    )


def open_kb(args: argparse.Namespace, *, write: bool = False, prefix: str = "") -> KbFolder:
    """The knowledge base of a command line, named in the first line of output.

    `prefix` goes before that line where the output is read by a program. Raises KnowledgeBaseError where there is
    none, or where the command writes and the folder may only be read.
    """
    folder = find_kb(args.kb, os.environ, Path.cwd())
    print(f"{prefix}{folder}", flush=True)
    if write:
        folder.require_writable()
    return folder


def open_tree(folder: KbFolder) -> Tree:
    """The entries as the checks see them, with the index where the folder has one."""
    has_index = (folder.path / "sites").is_dir() and any((folder.path / "sites").iterdir())
    catalog = open_catalog(folder) if has_index else None
    return read_tree(folder.path, catalog, catalog)
