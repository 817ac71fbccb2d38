"""List panics that several issues show, those of most issues first: what keeps coming."""

from __future__ import annotations

import argparse

from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `repeats`."""
    parser.add_argument("--repo", metavar="OWNER/NAME", help="only this repository (default: all)")
    parser.add_argument("--since", default="", metavar="DATE", help="only issues opened then or later (ISO 8601)")
    parser.add_argument("--limit", type=int, default=30, metavar="N", help="how many at most (default: 30)")


def run(args: argparse.Namespace) -> int:
    """Print them."""
    from bot.store import occurrences
    from bot.wiring import open_database

    with open_database(read_settings()).connect() as conn:
        found = occurrences.repeated(conn, args.repo, since=args.since, limit=args.limit)
    print(f"{'issues':>6} {'open':>5} {'first':>7}  {'newest':10}  {'entry':8} fingerprint")
    for row in found:
        counts = f"{row.issues:6} {row.open:5} {'#' + str(row.first):>7}"
        print(f"{counts}  {row.last_opened_at[:10]:10}  {row.entry or '-':8} {row.fingerprint}")
    return 0
