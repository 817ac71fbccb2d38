"""Print how right the answers were: confirmed and open disputes apart, by entry and over all, each with its n.

An answer counts as wrong when a maintainer said so (`/triage wrong`, or `/triage entry` with another entry). What the
author or others call wrong is an open dispute until then: `at least` is the share if all of those are right.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from bot.settings import read_settings

if TYPE_CHECKING:
    from bot.store.answers import Precision


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `precision`."""
    parser.add_argument("--repo", metavar="OWNER/NAME", help="only answers in this repository (default: all)")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from bot.store import answers
    from bot.wiring import open_database

    with open_database(read_settings()).connect() as conn:
        rows = answers.precision(conn, args.repo)
        liked = answers.liked(conn)
    thumbs = {name: liked.get(name, (0, 0)) for name in (row.entry for row in rows)}
    thumbs[""] = (sum(up for up, _ in liked.values()), sum(down for _, down in liked.values()))
    if args.json:
        print(json.dumps([as_json(row, thumbs[row.entry]) for row in rows], indent=1))
        return 0
    print(
        f"{'entry':10} {'n':>5} {'right':>6} {'wrong':>6} {'disputed':>9} {'precision':>10} {'at least':>9}  reactions"
    )
    for row in rows:
        up, down = thumbs[row.entry]
        shares = f"{_percent(row.confirmed):>10} {_percent(row.at_least):>9}"
        counts = f"{row.answers:5} {row.right:6} {row.wrong:6} {row.disputed:9}"
        print(f"{_name(row):10} {counts} {shares}  +{up} -{down}")
    return 0


def as_json(row: Precision, thumbs: tuple[int, int]) -> dict[str, object]:
    """One row as plain values; shares from 0 to 1, null without answers."""
    return {
        "entry": None if row.entry == "" else row.entry,
        "all": row.entry == "",
        "n": row.answers,
        "right": row.right,
        "wrong": row.wrong,
        "disputed": row.disputed,
        "precision": row.confirmed,
        "at_least": row.at_least,
        "reactions": {"up": thumbs[0], "down": thumbs[1]},
    }


def _name(row: Precision) -> str:
    return "all" if row.entry == "" else row.entry or "no entry"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
