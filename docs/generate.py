"""Writes what the documentation takes from the code: docs/reference.md, and the README's exchange, as text and picture.

`--check` writes nothing and exits 1 where something is stale.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Template
from types import ModuleType
from xml.etree import ElementTree

from bot import commands
from bot.cli import build_parser
from bot.mcp.tool import all_tools
from bot.metrics import METRICS, PREFIX
from bot.opening import open_for_command
from bot.settings import settings_table
from bot.triage import formats
from bot.triage.analyze import analyze
from bot.triage.model import Report
from bot.triage.render import render
from bot.web.page import found_pages
from bot.web.prose import comment as comment_html
from kb import lint

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs/reference.md"
README = ROOT / "README.md"
PICTURE = ROOT / "docs/exchange.svg"
PICTURE_TEMPLATE = ROOT / "docs/exchange-template.svg"
BEGIN = "<!-- exchange:begin, written by docs/generate.py -->\n"
END = "<!-- exchange:end -->\n"
REGISTRY = "/home/rowan/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"
REPORT = f"""\
Training an autoencoder with burn 0.20.0, features `train`, `vulkan` and `fusion`. After some hours:

    thread '<unnamed>' (27113) panicked at {REGISTRY}/burn-ir-0.20.0/src/handle.rs:88:32:
    Should have handle for tensor TensorId {{ value: 497010 }}
    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

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
## Metrics

On `BURN_TRIAGE_METRICS_LISTEN`, for Prometheus. All are gauges, read from the database at each scrape.

{metrics}
## Slash commands

Written in an issue's text or in a comment, at the start of a line, outside code and quotes.

{commands}
## Panic formats

{formats}
## Pages

Served on the receiver's address where `BURN_TRIAGE_PAGES` or a public URL says so.

{pages}
## Tools for assistants

`burn-triage mcp` serves them: [for coding assistants](assistants.md).

{tools}
## Checks of the knowledge base

`burn-triage kb lint` runs them all; `--skip NAME` leaves one out.

{checks}"""


PICTURE_HEIGHT = 1020
"""Units of the picture. More than the text takes in Chromium: other fonts may break its lines elsewhere."""


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
        metrics=table(("Metric", "What a value means"), metrics()),
        commands=table(("Command", "What it does"), slash_commands()),
        formats=table(("Format", "What it looks like, and since when"), panic_formats()),
        pages=table(("Address", "What it shows"), pages()),
        tools=table(("Tool", "What it does"), assistant_tools()),
        checks=table(("Check", "What it finds"), ((name, first_sentence(m)) for name, m in lint.checks().items())),
    )


def panic_formats() -> Iterator[tuple[str, str]]:
    """Name and first sentence of each format."""
    for one in formats.all_formats():
        yield one.name, first_sentence(sys.modules[f"{formats.__name__}.{one.name}"])


def pages() -> Iterator[tuple[str, str]]:
    """Address and first sentence of each page."""
    for name, page in found_pages().items():
        yield page.rule, re.sub(r"^`[^`]*`: ", "", first_sentence(sys.modules[f"bot.web.pages.{name}"]))


def assistant_tools() -> Iterator[tuple[str, str]]:
    """Usage and first sentence of each tool."""
    for tool in all_tools().values():
        needed = tool.input["required"]
        arguments = ", ".join(name if name in needed else f"[{name}]" for name in tool.input["properties"])
        yield f"{tool.name}({arguments})", tool.description.split(". ")[0].rstrip(".") + "."


def metrics() -> Iterator[tuple[str, str]]:
    """Name with labels, and meaning, of each metric."""
    for metric in METRICS:
        labels = "{" + ", ".join(metric.labels) + "}" if metric.labels else ""
        yield PREFIX + metric.name + labels, metric.meaning


def slash_commands() -> Iterator[tuple[str, str]]:
    """Usage and summary of each command."""
    for command in commands.COMMANDS.values():
        yield command.usage, command.summary


@cache
def answer() -> str:
    """The comment that the report gets, as Markdown."""
    knowledge, _ = open_for_command(ROOT / "kb", None)
    comment = render(analyze(Report(id=None, title="", body=REPORT), knowledge), knowledge) or ""
    # The revision of the knowledge base changes with every entry; a README that names it would be stale for nothing.
    return re.sub(r"^Knowledge base [0-9a-f]+\.\n\n", "", comment, flags=re.MULTILINE)


def picture() -> str:
    """Report and comment as an SVG that fits light and dark: the same HTML that the dashboard makes of a comment."""
    parts = {"height": PICTURE_HEIGHT, "report": comment_html(REPORT), "answer": comment_html(answer())}
    svg = Template(PICTURE_TEMPLATE.read_text("utf-8")).substitute(parts)
    ElementTree.fromstring(svg)  # where the HTML is no XML this tells where
    return svg


def exchange() -> str:
    """The report and its answer, as Markdown."""
    said = "\n".join(f"> {line}".rstrip() for line in answer().strip().splitlines())
    return f"````markdown\n{REPORT}````\n\nand is answered:\n\n{said}\n"


def readme() -> str:
    """The whole README with a fresh exchange."""
    head, rest = README.read_text("utf-8").split(BEGIN)
    return head + BEGIN + exchange() + END + rest.split(END)[1]


def main() -> int:
    """0 when everything is current or was written, 1 when `--check` found something stale."""
    pages = {REFERENCE: reference(), README: readme(), PICTURE: picture()}
    if sys.argv[1:] == ["--check"]:
        return int(any(path.read_text("utf-8") != text for path, text in pages.items()))
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
