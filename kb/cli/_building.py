"""The options that `kb index` and `kb sync` share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from kb.errors import KnowledgeBaseError
from kb.folder import KbFolder
from kb.upkeep.building import Plan


def add_building(parser: argparse.ArgumentParser) -> None:
    """Add `--git`, `--repo` and `--processes`."""
    parser.add_argument("--git", metavar="DIR", type=Path, required=True, help="folder with the clones of the family")
    parser.add_argument(
        "--repo", action="append", default=[], metavar="OWNER/NAME", help="only this repository (may be repeated)"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="cores to use (default: all)"
    )


def plan(folder: KbFolder, args: argparse.Namespace, *, fresh: bool) -> Plan:
    """What the command line asks for. Raises KnowledgeBaseError for a folder that is not there."""
    if not args.git.is_dir():
        raise KnowledgeBaseError(f"--git {args.git}: no such folder; give the folder that holds the clones")
    if args.processes < 1:
        raise KnowledgeBaseError(f"--processes {args.processes}: give 1 or more")
    return Plan(folder.path, args.git, tuple(args.repo), args.processes, fresh)
