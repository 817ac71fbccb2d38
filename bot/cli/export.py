"""Write the public pages as a folder of files, for any web server or file host: no program runs there.

Every explained error has its page and its JSON, under each of its ids. Pasting a log needs a server, or
`burn-triage explain`. The folder must be new, empty, or an earlier export, which is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.cli._options import add_knowledge
from bot.clock import SystemClock
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `export`."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="where to write")
    add_knowledge(parser, "for the source excerpts")
    parser.add_argument("--sites", action="store_true", help="also a page for each place without an explanation")


def run(args: argparse.Namespace) -> int:
    """Write, and say how much."""
    from bot.opening import chosen_kb
    from bot.web.export import export
    from bot.wiring_pages import make_export_desk

    settings = read_settings()
    print(chosen_kb(settings, args.kb))
    done = export(make_export_desk(settings, SystemClock(), args.kb, args.clones), args.folder, sites=args.sites)
    print(f"{done.pages} pages, {done.files} files, {done.size / 1e6:.1f} MB in {args.folder}")
    return 0
