"""Work on the knowledge base: the site index, its entries, and the checks that prove them."""

from __future__ import annotations

import argparse

import kb.cli
from bot.cli._preview import comment_of
from kb.cli import run

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Every subcommand of `kb`; those that show comments get the function that writes them."""
    kb.cli.configure(parser)
    parser.set_defaults(comment_of=comment_of)
