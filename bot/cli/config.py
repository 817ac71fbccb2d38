"""Check a repository's `.github/burn-triage.yml`, print its schema, show what holds where, or switch one off."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bot.configuration import parse, schema, to_json
from bot.errors import UserError
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """The actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser(
        "check",
        help="read a file as the bot would, and print what it comes to",
        description="Read a file as the bot would, and print what it comes to. Exit 2 with every fault if it cannot.",
    )
    check.add_argument("file", type=Path, help="the file, `-` for stdin")
    actions.add_parser("schema", help="the JSON schema of the file", description="The JSON schema of the file.")
    actions.add_parser(
        "show",
        help="what holds in each repository, and what is wrong with its file",
        description="What holds in each repository that was looked at, and what is wrong with its file.",
    )
    for name, help_ in (
        ("off", "switch the bot off in a repository, whatever its file says"),
        ("back", "take that switch back; what was opened meanwhile is backlog"),
    ):
        switch = actions.add_parser(name, help=help_, description=f"{help_.capitalize()}.")
        switch.add_argument("repo", help="the repository, owner/name")


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    match args.action:
        case "check":
            print(json.dumps(to_json(parse(_text(args.file))), indent=2))
        case "schema":
            print(json.dumps(schema(), indent=2))
        case "show":
            _show()
        case "off" | "back":
            _switch(args.repo, off=args.action == "off")
    return 0


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("unreadable", f"cannot read {file}: {error}; give the file's path, or `-` for stdin") from None


def _switch(repo: str, *, off: bool) -> None:
    from bot.clock import SystemClock
    from bot.store import configurations, installations
    from bot.wiring import open_database

    now = SystemClock().now()
    with open_database(read_settings()).begin() as conn:
        known = installations.find_repository(conn, repo) or configurations.find(conn, repo)
        if known is None:
            raise UserError("no_such_repository", f"the App is not known to be in {repo}; check the name")
        if off:
            configurations.switch_off(conn, known.repo_id, repo, by="the operator", now=now)
        else:
            configurations.switch_back(conn, known.repo_id, now=now)
    print(f"{repo} {'switched off' if off else 'follows its file again'}")


def _show() -> None:
    from bot.store import configurations
    from bot.wiring import open_database

    with open_database(read_settings()).connect() as conn:
        found = configurations.every(conn)
    for stored in found:
        since = f" since {stored.on_since}" if stored.on_since and stored.in_force == "on" else ""
        switch = f", switched off by {stored.switched_off_by or 'a maintainer'}" if stored.switched_off_at else ""
        print(f"{stored.repo:40} {stored.in_force}{since}{switch}")
        print("".join(f"  {line}\n" for line in stored.error.splitlines()), end="")
    if not found:
        print("no repository was looked at yet")
