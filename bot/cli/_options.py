"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_knowledge(parser: argparse.ArgumentParser, clones_for: str = "for commits between releases") -> None:
    """Add `--kb DIR` and `--clones DIR`, as `bot.opening.open_for_command` takes them."""
    parser.add_argument(
        "--kb",
        type=Path,
        metavar="DIR",
        help="folder of the knowledge base (default: BURN_TRIAGE_KB, else the nearest folder above that holds "
        "kb/repos.yaml, else the packaged copy)",
    )
    parser.add_argument(
        "--clones",
        type=Path,
        metavar="DIR",
        help=f"folder of local git clones of the family, {clones_for} (default: BURN_TRIAGE_CLONES, else none)",
    )
