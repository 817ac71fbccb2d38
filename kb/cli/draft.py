"""Write the skeleton of an entry with everything that the index knows about a panic.

SITE is a site's id or a fingerprint (both are on the dashboard and in the evidence), a function as the index names it,
or words of the message. With --report FILE it is found in a pasted report instead, by the place that the panic prints;
that leads to a panic that Rust raises by itself too (index out of bounds, overflow), whose place is a function.
The draft goes to stdout, or with --out below that folder as CRATE/KB-0000-words.yaml.

  burn-triage kb draft 8e3d8d0e74a28c29
  burn-triage kb draft "The size should match" --out kb/entries
  burn-triage kb draft --report panic.txt                a file, or - for what is piped in
  burn-triage kb draft Tensor::unsqueeze_dim --prints index_out_of_bounds
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.cli._options import add_kb, open_kb
from kb.entry import Entry
from kb.errors import KnowledgeBaseError
from kb.std_panics import StdPanic
from kb.upkeep.draft_functions import from_function, from_report
from kb.upkeep.drafts import file_name, find_keys, skeleton
from kb.upkeep.emit import entry_yaml


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb draft`."""
    add_kb(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("site", metavar="SITE", nargs="?", help="site id, fingerprint, function, or words of the message")
    what.add_argument("--report", metavar="FILE", help="a file with a panic as printed; - reads standard input")
    parser.add_argument(
        "--prints", choices=[str(kind) for kind in StdPanic], help="SITE is a function in which Rust itself panics so"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder to write below, such as kb/entries")


def run(args: argparse.Namespace) -> int:
    """Print or write one draft."""
    if args.prints and args.report:
        raise KnowledgeBaseError("--prints goes with a function as SITE; a report says itself what was printed")
    catalog = open_catalog(open_kb(args, prefix="# "))
    entry = _entry(catalog, args)
    for other in catalog.entries:
        if set(other.keys) & set(entry.keys):
            print(f"# {other.kb_id} has a site of this already: {other.title}")
    if args.out is None:
        print(entry_yaml(entry), end="")
        return 0
    target = args.out / file_name(entry)
    if target.exists():
        raise KnowledgeBaseError(f"{target} is there already; move it away, or give another --out")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(entry_yaml(entry), encoding="utf-8")
    print(f"# {target}")
    return 0


def _entry(catalog: Catalog, args: argparse.Namespace) -> Entry:
    today = datetime.now(UTC).date().isoformat()
    if args.report:
        return from_report(catalog, _read(args.report), today)
    if args.prints:
        return from_function(catalog, args.site, StdPanic(args.prints), today)
    return skeleton(catalog, find_keys(catalog, args.site), today)


def _read(name: str) -> str:
    """The report's text. Raises KnowledgeBaseError for a file that cannot be read."""
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise KnowledgeBaseError(f"{name}: cannot be read: {error.strerror}; give a file, or - for a pipe") from None
