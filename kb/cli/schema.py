"""Print the JSON schema of an entry, generated from the model; --write puts it into the knowledge base.

Editors check an entry while it is typed when its first line is
  # yaml-language-server: $schema=../../schema.json
"""

from __future__ import annotations

import argparse

from kb.cli._options import add_kb, open_kb
from kb.upkeep.schema import FILE, schema_text


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb schema`."""
    add_kb(parser)
    parser.add_argument("--write", action="store_true", help=f"write {FILE} of the knowledge base instead of printing")


def run(args: argparse.Namespace) -> int:
    """Print or write the schema."""
    if not args.write:
        print(schema_text(), end="")
        return 0
    folder = open_kb(args, write=True)
    (folder.path / FILE).write_text(schema_text(), encoding="utf-8")
    print(f"written: {folder.path / FILE}")
    return 0
