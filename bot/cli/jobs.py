"""List jobs, look at one, or run a parked one again.

A job belongs to a delivery; name it by its job id, by the delivery's GUID or by its row number.
"""

from __future__ import annotations

import argparse

from bot.errors import UserError
from bot.settings import read_settings

STATES = ("done", "parked", "running", "waiting")


def configure(parser: argparse.ArgumentParser) -> None:
    """The three actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="jobs, newest first", description="Jobs, newest first.")
    listing.add_argument("--state", choices=STATES, help="only jobs in this state (default: all)")
    listing.add_argument("--limit", type=int, default=30, help="how many at most (default: 30)")
    show = actions.add_parser(
        "show", help="one job with its steps and writes", description="One job with its steps and writes."
    )
    show.add_argument("job", help="job id, delivery GUID or row number")
    retry = actions.add_parser(
        "retry",
        help="run parked jobs again from their first step",
        description="Run parked jobs again from their first step.",
    )
    retry.add_argument("job", nargs="*", help="job ids, delivery GUIDs or row numbers")
    retry.add_argument("--all", action="store_true", help="every parked job")


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    from bot.backlog import WORDS, Backlog
    from bot.wiring import open_database

    backlog = Backlog(open_database(read_settings()))
    match args.action:
        case "list":
            states = [engine_word for engine_word, word in WORDS.items() if args.state in (None, word)]
            lines = [job.line() for job in backlog.jobs(states, args.limit)]
            print("\n".join(lines) or "no jobs")
        case "show":
            print("\n".join(backlog.describe(args.job)))
        case "retry":
            if bool(args.job) == args.all:
                raise UserError("usage", "name the jobs to run again, or give --all")
            for job in backlog.parked() if args.all else args.job:
                print(f"{backlog.retry(job)}  queued again")
    return 0
