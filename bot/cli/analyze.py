"""Analyse reports in bulk: one JSON object a line in, one verdict a line out, in order.

Input lines: {"id", "title", "body", "comments": [string, ...], "repo"?, "created_at"?}, where `comments` are the
author's own. A line that is no such object gets {"id": null, "error": ...}, the run goes on, and the exit status is 2
at the end. Verdicts go to stdout, everything else to stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from bot.cli import USAGE
from bot.cli._options import add_knowledge
from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.contract import report_fields, verdict_json
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report
from bot.triage.render import render


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `analyze`."""
    parser.add_argument("--batch", action="store_true", required=True, help="read NDJSON from stdin (the only mode)")
    add_knowledge(parser)


def run(args: argparse.Namespace) -> int:
    """0 when every line was a report, 2 otherwise."""
    knowledge, folder = open_for_command(args.kb, args.clones)
    print(folder, file=sys.stderr)
    failed = False
    for verdict in verdicts(lines_of(sys.stdin), knowledge):
        failed = failed or "error" in verdict
        print(json.dumps(verdict, ensure_ascii=True), flush=True)
    return USAGE if failed else 0


def verdicts(lines: Iterable[str], knowledge: Knowledge) -> Iterator[dict[str, Any]]:
    """One verdict, or one error, for each line that is not blank."""
    for line in lines:
        if not line.strip():
            continue
        try:
            report = parse_line(line)
        except ValueError as error:
            yield {"id": None, "error": str(error)}
            continue
        verdict = analyze(report, knowledge)
        yield verdict_json(report.id, verdict, render(verdict, knowledge))


def parse_line(line: str) -> Report:
    """A report from one input line. Raises ValueError with a sentence that says what is wrong."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("a report must be a JSON object")
    return Report(**report_fields(value))


def lines_of(stream: TextIO) -> Iterator[str]:
    """Lines of stdin as UTF-8 whatever the locale, bad bytes replaced; only `\\n` ends a line."""
    for raw in stream.buffer:
        yield raw.decode("utf-8", "replace").removeprefix("\ufeff")
