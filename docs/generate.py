"""Writes what the documentation takes from the code: docs/reference.md. `--check` only says whether it is current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from bot import commands
from bot.cli import build_parser
from bot.settings import settings_table
from bot.triage import formats
from kb import lint

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs/reference.md"

PAGE = """\
# Reference

<!-- Written by docs/generate.py from the code: `make docs` renews it. -->

## Subcommands

Each has a complete `--help`. Exit status: 0 done, 1 failed, 2 wrong usage.

{subcommands}
## Settings

Environment variables. A name of the second form (`…_FILE`) gives the path of a file that holds the value. Unknown names
and values that cannot be used are reported all at once, at start.

{settings}
## Slash commands

Written in an issue's text or in a comment, at the start of a line, outside code and quotes.

{commands}
## Panic formats

{formats}
## Checks of the knowledge base

`burn-triage kb lint` runs them all; `--skip NAME` leaves one out.

{checks}"""


def first_sentence(module: ModuleType) -> str:
    """The first line of a module's docstring."""
    return (module.__doc__ or "").strip().split("\n", 1)[0]


def leaves(parser: argparse.ArgumentParser, help_: str = "") -> Iterator[tuple[argparse.ArgumentParser, str]]:
    """Every parser without subcommands below `parser`, with its one-line help."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield parser, help_
    for group in groups:
        summaries = {choice.dest: choice.help or "" for choice in group._choices_actions}
        for name, child in group.choices.items():
            yield from leaves(child, summaries.get(name, ""))


def table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    """A Markdown table of two columns, the first one as code."""
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    lines += [f"| `{name}` | {text.replace('|', chr(92) + '|')} |" for name, text in rows]
    return "\n".join(lines) + "\n"


def reference() -> str:
    """The whole page."""
    return PAGE.format(
        subcommands=table(("Command", "What it does"), ((p.prog, text) for p, text in leaves(build_parser()))),
        settings=settings_table(),
        commands=table(("Command", "What it does"), slash_commands()),
        formats=table(("Format", "What it looks like, and since when"), panic_formats()),
        checks=table(("Check", "What it finds"), ((name, first_sentence(m)) for name, m in lint.checks().items())),
    )


def panic_formats() -> Iterator[tuple[str, str]]:
    """Name and first sentence of each format."""
    for one in formats.all_formats():
        yield one.name, first_sentence(sys.modules[f"{formats.__name__}.{one.name}"])


def slash_commands() -> Iterator[tuple[str, str]]:
    """Usage and summary of each command."""
    for command in commands.COMMANDS.values():
        yield command.usage, command.summary


def main() -> int:
    """0 when the page is current or was written, 1 when `--check` found it stale."""
    if sys.argv[1:] == ["--check"]:
        return int(REFERENCE.read_text("utf-8") != reference())
    REFERENCE.write_text(reference(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
