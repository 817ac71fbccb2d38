"""Write the skeleton of an entry with everything that the index knows about a panic.

SITE is a site's id or a fingerprint (both are on the dashboard and in the evidence), a function as the index names it,
or words of the message. The draft goes to stdout, or with --out below that folder as CRATE/KB-0000-words.yaml.

  burn-triage kb draft "HandleContainer::get_handle"
  burn-triage kb draft "The size should match" --out kb/entries
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from kb.catalog import open_catalog
from kb.cli._options import add_kb, open_kb
from kb.errors import KnowledgeBaseError
from kb.upkeep.drafts import file_name, find_keys, skeleton
from kb.upkeep.emit import entry_yaml


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb draft`."""
    add_kb(parser)
    parser.add_argument("site", metavar="SITE", help="site id, fingerprint, function, or words of the message")
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder to write below, such as kb/entries")


def run(args: argparse.Namespace) -> int:
    """Print or write one draft."""
    catalog = open_catalog(open_kb(args, prefix="# "))
    entry = skeleton(catalog, find_keys(catalog, args.site), datetime.now(UTC).date().isoformat())
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
