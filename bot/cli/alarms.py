"""List comments of outsiders on crash reports that offer an archive, a program or a shortened link.

Such offers are how malware is spread on issue trackers. Look at the comment on GitHub before you open anything; its
links are not printed here. `--dismiss` takes one off the list for good.
"""

from __future__ import annotations

import argparse

from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `alarms`."""
    parser.add_argument("--dismiss", type=int, metavar="COMMENT", help="the number of a comment that was looked at")


def run(args: argparse.Namespace) -> int:
    """Print or dismiss."""
    from bot.clock import SystemClock, iso
    from bot.store import alarms
    from bot.wiring import open_database

    with open_database(read_settings()).begin() as conn:
        if args.dismiss is not None:
            alarms.dismiss(conn, args.dismiss, by="command line", now=SystemClock().now())
        found = alarms.standing(conn)
    for alarm in found:
        print(f"{iso(alarm.raised_at)} {alarm.kind:9} {alarm.page}")
    if not found:
        print("no alarms")
    return 0
