"""Show how the inbox stands: the last delivery, what waits, what was given up, who works, what was found missing."""

from __future__ import annotations

import argparse

from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """One action so far."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    summary = "one line for each thing that tells whether all is well; exit 1 when it is not"
    trouble = (
        "Not well: no worker is alive, a delivery waits for more than ten minutes, or a chore's last run failed. "
        "Parked jobs are counted and are no trouble by themselves."
    )
    actions.add_parser("status", help=summary, description=f"{summary.capitalize()}. {trouble}")


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    from bot.clock import SystemClock
    from bot.status import read_status
    from bot.wiring import open_database

    with open_database(read_settings()).connect() as conn:
        status = read_status(conn, SystemClock().now())
    print("\n".join(status.lines()))
    return 0 if status.is_well() else 1
