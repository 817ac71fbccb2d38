"""Forget a person or an issue: everything kept here about it is deleted.

Name a login (`octocat`) or an issue (`owner/repo#12`). Deliveries, verdicts, disputes, memories and recorded jobs go;
what stands on GitHub is not touched (`/triage delete` on the issue removes our comment).
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
    from bot.jobs import JobQueue
    from bot.store import privacy
    from bot.wiring import open_database

    issue = ISSUE.fullmatch(args.what)
    if issue is None and not LOGIN.fullmatch(args.what):
        raise UserError("usage", f"{args.what!r} is neither a login nor an issue as owner/repo#number")
    engine = open_database(read_settings())
    queue = JobQueue(engine)
    with engine.begin() as conn:
        if issue is not None:
            rows = privacy.forget_issue(conn, issue["repo"], int(issue["number"]))
        else:
            rows = privacy.forget_person(conn, args.what)
    queue.forget(queue.of_rows(rows))
    print(f"forgotten: {args.what}, {len(rows)} deliveries")
    return 0
