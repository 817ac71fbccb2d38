"""Read a repository's issue history, so that repeats are known from the first day on. Posts nothing.

Goes from the oldest issue to the newest and remembers how far it came: stop it whenever you like, the next call goes on
from there. Needs BURN_TRIAGE_APP_ID and BURN_TRIAGE_PRIVATE_KEY, and the App installed on the repository.

With --shadow it answers the newest issues on paper instead: the report in --report (report.html and report.md) shows
what would have been said on each, grouped by verdict, and what was unknown. Tick right or wrong in either form, and
`burn-triage cases add --ticks FILE` makes labelled cases of the ticks. Repeats are named as far as a walk without
--shadow has found them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bot.cli import INTERRUPTED
from bot.errors import UserError
from bot.settings import read_settings

PAPER_LIMIT = 500
"""Issues that are answered on paper unless another number is given."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `backfill`."""
    parser.add_argument("repo", nargs="?", help="the repository, owner/name")
    parser.add_argument("--repo", dest="named", metavar="OWNER/NAME", help="the same, as an option")
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="read at most N issues this time (default: all; with --shadow the newest 500)",
    )
    parser.add_argument("--anew", action="store_true", help="begin with the first issue again")
    parser.add_argument(
        "--pause",
        type=float,
        metavar="SECONDS",
        help="wait after each issue whose comments are asked for, so that the worker keeps its share (default: 1, with "
        "--shadow 0)",
    )
    parser.add_argument("--shadow", action="store_true", help="answer on paper and write a report")
    parser.add_argument("--report", type=Path, metavar="DIR", help="with --shadow: folder of the report")


def run(args: argparse.Namespace) -> int:
    """Walk and say how far it came."""
    repo = args.repo or args.named or ""
    if repo.count("/") != 1 or (args.repo and args.named) or (args.limit is not None and args.limit < 1):
        raise UserError("usage", "give the repository once, as owner/name, and --limit from 1")
    if args.pause is not None and args.pause < 0:
        raise UserError("usage", "give --pause from 0")
    if args.shadow != (args.report is not None):
        raise UserError("usage", "--shadow and --report DIR belong together")
    if args.shadow:
        return on_paper(repo, args)
    return walk(repo, args)


def walk(repo: str, args: argparse.Namespace) -> int:
    """From the oldest issue on, into the store."""
    from bot.wiring import make_backfill

    backfill = make_backfill(read_settings(), pause=1.0 if args.pause is None else args.pause)
    with shown_progress("panics", lambda: backfill.total(repo)) as show:
        watched = backfill.following(lambda progress: show(progress.number, progress.panics))
        progress = watched.walk(repo, limit=args.limit, anew=args.anew)
    print(f"{repo}: {progress.issues} issues read, {progress.panics} with a panic, the last is #{progress.number}")
    print("complete" if progress.finished_at else "not complete: call again to go on")
    return 0


def on_paper(repo: str, args: argparse.Namespace) -> int:
    """From the newest issue on, into a report; one that is interrupted is written as far as it came."""
    from bot.paper.report import Report, write_report
    from bot.paper.walk import FILE, AnswerFile
    from bot.wiring import make_paper_walk

    limit = args.limit or PAPER_LIMIT
    paper = make_paper_walk(read_settings(), args.report, pause=args.pause or 0.0)
    whole = True
    try:
        with shown_progress("comments", lambda: limit) as show:
            answers = replace(paper, on_step=show).walk(repo, limit=limit, anew=args.anew)
    except KeyboardInterrupt:
        found = AnswerFile(args.report / FILE).read(repo).values()
        answers, whole = sorted(found, key=lambda answer: -answer.number), False
    report = Report(repo, answers, whole)
    files = write_report(report, args.report)
    print("\n".join([*(f"{number:6} {what}" for what, number in report.counts), *map(str, files)]))
    if not whole:
        print("not complete: call again to go on")
    return 0 if whole else INTERRUPTED


@contextmanager
def shown_progress(of: str, total: Callable[[], int]) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal; nothing where the output goes to a file or another program."""
    if not sys.stderr.isatty():
        yield lambda _issues, _found: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("issue"), BarColumn(), MofNCompleteColumn(), TextColumn(f"{{task.fields[found]}} {of}"))
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("history", total=total(), found=0)
        yield lambda issues, found: bar.update(task, completed=issues, found=found)
