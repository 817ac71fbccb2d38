"""Make labelled cases of the answers that maintainers confirmed or called wrong, for `burn-triage evaluate`.

`export` reads each issue as it stands on GitHub now, redacts it, and writes one case a file. Needs BURN_TRIAGE_APP_ID
and BURN_TRIAGE_PRIVATE_KEY. It posts nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    export.add_argument("--overwrite", action="store_true", help="write files anew that are there already")


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("unwritable", f"cannot make the folder {folder}: {error.strerror}; name another") from None
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
