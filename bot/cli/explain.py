"""Explain a panic to a person: a log, an issue's text or a bare message, from FILE or stdin (`-`).

Exit status: 0 a panic was found, 1 there is none, 2 wrong usage. Of a long log the last 4 MiB are read.

  cargo run 2>&1 | burn-triage explain
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bot.cli import FAILURE
from bot.cli._options import add_knowledge
from bot.errors import UserError
from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.contract import verdict_json
from bot.triage.model import Outcome, Report, Verdict
from bot.triage.render import render
from bot.unfolded import unfolded

LARGEST = 4 * 1024 * 1024
"""Bytes that are read; a log's panics are looked for in its last part when it is longer."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `explain`."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="file to read; - or nothing: stdin")
    add_knowledge(parser)
    parser.add_argument("--json", action="store_true", help="the verdict as JSON, as `analyze` writes it")
    parser.add_argument("--why", action="store_true", help="print every step that led to the answer")


def run(args: argparse.Namespace) -> int:
    """0 when a panic was found, 1 when there was none."""
    text = read_text(args.file)
    knowledge, folder = open_for_command(args.kb, args.clones)
    print(folder, file=sys.stderr if args.json else sys.stdout)
    verdict = analyze(Report(id=None, title="", body=text), knowledge)
    if args.json:
        print(json.dumps(verdict_json(None, verdict, render(verdict, knowledge)), indent=2))
    else:
        show(render(verdict, knowledge, spoken=True) or "")
    if args.why and not args.json:
        print("\n".join(why_lines(verdict)))
    return FAILURE if verdict.outcome is Outcome.NONE else 0


def read_text(name: str) -> str:
    """The text of a file or of stdin as UTF-8, bad bytes replaced. Raises UserError where it cannot be read."""
    if name == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise UserError("unreadable", f"cannot read {name}: {error.strerror}; give a readable file or -") from None
    return data[-LARGEST:].decode("utf-8", "replace").removeprefix("\ufeff")


def show(markdown: str) -> None:
    """On a terminal rendered, elsewhere as it is."""
    plain = unfolded(markdown)
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(plain))
    else:
        print(plain)


def why_lines(verdict: Verdict) -> list[str]:
    """The evidence, one step a line."""
    return ["", "Why:", *(f"  {e.step:9} {e.text}" for e in verdict.evidence)]
