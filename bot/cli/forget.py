"""Forget a person or an issue: everything kept here about it is deleted.

Name a login (`octocat`) or an issue (`owner/repo#12`). Deliveries, verdicts, disputes, memories and recorded jobs go
at once, records of jobs under way within eleven minutes. What stands on GitHub is not touched (`/triage delete` on the
issue removes our comment), and what happens there from now on is taken in like anything new.
"""

from __future__ import annotations

import argparse
import re

from bot.errors import UserError
from bot.settings import read_settings

ISSUE = re.compile(r"(?P<repo>[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)#(?P<number>[0-9]{1,18})")
LOGIN = re.compile(r"[A-Za-z0-9-]{1,100}(\[bot\])?")


def configure(parser: argparse.ArgumentParser) -> None:
    """What to forget."""
    parser.add_argument("what", help="a login, or an issue as owner/repo#number")


def run(args: argparse.Namespace) -> int:
    """Forget it."""
    from bot import forgetting
    from bot.clock import SystemClock
    from bot.jobs import JobQueue
    from bot.wiring import open_database

    issue = ISSUE.fullmatch(args.what)
    if issue is None and not LOGIN.fullmatch(args.what):
        raise UserError("usage", f"{args.what!r} is neither a login nor an issue as owner/repo#number")
    engine = open_database(read_settings())
    parts = engine, JobQueue(engine), SystemClock()
    if issue is not None:
        count = forgetting.forget_issue(*parts, issue["repo"], int(issue["number"]))
    else:
        count = forgetting.forget_person(*parts, args.what)
    print(f"forgotten: {args.what}, {count} deliveries")
    return 0
