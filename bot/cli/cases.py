"""Make labelled cases of the answers that maintainers confirmed or called wrong, for `burn-triage evaluate`.

`export` reads each issue as it stands on GitHub now, redacts it, and writes one case a file. Needs BURN_TRIAGE_APP_ID
and BURN_TRIAGE_PRIVATE_KEY. It posts nothing. `add` makes cases of a report that `burn-triage backfill --shadow` wrote
and somebody ticked.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli import FAILURE
from bot.errors import UserError
from bot.settings import Settings, read_settings

if TYPE_CHECKING:
    from bot.store.answers import ConfirmedAnswer


def configure(parser: argparse.ArgumentParser) -> None:
    """The two actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="what maintainers decided", description="What maintainers decided, by issue.")
    export = actions.add_parser(
        "export", help="write the cases", description="Write one case a file. Files that are there already stay."
    )
    export.add_argument("folder", type=Path, metavar="DIR", help="folder for the files; made where it is missing")
    add = actions.add_parser(
        "add",
        help="make cases of a ticked report on paper",
        description="Make cases of a ticked report on paper. Files that are there already stay.",
    )
    add.add_argument("folder", type=Path, metavar="DIR", nargs="?", default=Path("cases"), help="folder for the files")
    add.add_argument(
        "--ticks", type=Path, required=True, metavar="FILE", help="the downloaded ticks, or report.md with ticked boxes"
    )
    add.add_argument("--report", type=Path, metavar="DIR", help="the report's folder (default: that of the ticks)")
    add.add_argument("--overwrite", action="store_true", help="write files anew that are there already")
    export.add_argument("--overwrite", action="store_true", help="write files anew that are there already")


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    if args.action == "add":
        return _add(args.folder, args.ticks, args.report or args.ticks.parent, overwrite=args.overwrite)
    from bot.store import answers
    from bot.wiring import open_database

    settings = read_settings()
    with open_database(settings).connect() as conn:
        decided = answers.confirmed(conn)
    if args.action == "list":
        for answer in decided:
            instead = f", right is {answer.right_entry}" if answer.right_entry else ""
            print(f"{answer.repo}#{answer.number} {answer.decided}{instead}: {answer.answer}")
        print(f"{len(decided)} answers")
        return 0
    for line in _export(args.folder, decided, settings, overwrite=args.overwrite):
        print(line)
    return 0


def _export(folder: Path, decided: Sequence[ConfirmedAnswer], settings: Settings, *, overwrite: bool) -> Iterator[str]:
    from bot.backfill import refuse_writes
    from bot.evaluation.confirmed import case_of, case_text, file_name
    from bot.wiring import connect_github

    settings.require("app_id", "private_key")
    github = connect_github(settings, refuse_writes)
    _make(folder)
    for answer in decided:
        file = folder / file_name(answer)
        if file.exists() and not overwrite:
            yield f"{file.name}: there already"
            continue
        home = github.find_installation(answer.repo)
        snapshot = github.read_issue(answer.repo, answer.number, installation_id=home) if home else None
        case = case_of(answer, snapshot) if snapshot and not snapshot.gone else None
        if case is None:
            yield f"{file.name}: left out, the issue or its verdict is gone"
            continue
        file.write_text(case_text(case), encoding="utf-8")
        yield f"{file.name}: {answer.decided}"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("unwritable", f"cannot make the folder {folder}: {error.strerror}; name another") from None


def _add(folder: Path, ticks: Path, report: Path, *, overwrite: bool) -> int:
    """One line for each tick; 1 where one of them gave no case."""
    from bot.evaluation.confirmed import case_text
    from bot.paper.ticks import case_name, case_of_tick, read_ticks
    from bot.paper.walk import FILE, AnswerFile

    try:
        given = read_ticks(ticks.read_text(encoding="utf-8"), str(ticks))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("unreadable", f"cannot read {ticks}: {error}") from None
    answers = AnswerFile(report / FILE).read()
    if not answers:
        raise UserError("no_report", f"{report / FILE} is not there: name the report's folder with --report")
    _make(folder)
    left_out = 0
    for number, word in sorted(given.items()):
        answer = answers.get(number)
        case = case_of_tick(answer, word) if answer else "the report has no such issue"
        if answer is None or isinstance(case, str):
            left_out += 1
            print(f"issue {number}: left out, {case}")
            continue
        file = folder / case_name(answer)
        if file.exists() and not overwrite:
            print(f"{file.name}: there already")
            continue
        file.write_text(case_text(case), encoding="utf-8")
        print(f"{file.name}: {word}")
    return FAILURE if left_out else 0
