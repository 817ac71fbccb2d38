"""Read a repository's issue history, so that repeats are known from the first day on. Posts nothing.

Goes from the oldest issue to the newest and remembers how far it came: stop it whenever you like, the next call goes on
from there. Needs BURN_TRIAGE_APP_ID and BURN_TRIAGE_PRIVATE_KEY, and the App installed on the repository.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.errors import UserError
from bot.settings import read_settings

if TYPE_CHECKING:
    from bot.store.backfills import Progress


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `backfill`."""
    parser.add_argument("repo", help="the repository, owner/name")
    parser.add_argument("--limit", type=int, metavar="N", help="read at most N issues this time (default: all)")
    parser.add_argument("--anew", action="store_true", help="begin with the first issue again")
    parser.add_argument(
        "--pause",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="wait after each issue whose comments are asked for, so that the worker keeps its share (default: 1)",
    )


def run(args: argparse.Namespace) -> int:
    """Walk and say how far it came."""
    from bot.wiring import make_backfill

    if args.repo.count("/") != 1 or (args.limit is not None and args.limit < 1) or args.pause < 0:
        raise UserError("usage", "give the repository as owner/name, --limit from 1, --pause from 0")
    backfill = make_backfill(read_settings(), pause=args.pause)
    with shown_progress(lambda: backfill.total(args.repo)) as on_step:
        progress = backfill.following(on_step).walk(args.repo, limit=args.limit, anew=args.anew)
    print(f"{args.repo}: {progress.issues} issues read, {progress.panics} with a panic, the last is #{progress.number}")
    print("complete" if progress.finished_at else "not complete: call again to go on")
    return 0


@contextmanager
def shown_progress(total: Callable[[], int]) -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal; nothing where the output goes to a file or another program."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("issue"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[panics]} panics"))
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("history", total=total(), panics=0)
        yield lambda progress: bar.update(task, completed=progress.number, panics=progress.panics)
