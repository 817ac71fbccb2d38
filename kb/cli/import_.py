"""Check pages of a generated knowledge base against the index, and make drafts of those that hold.

A page is a text as such sites print it, or the same as JSON (kb/README.md has the fields). Exit status 1 and the
reasons, on stderr, for a page that fails; 0 and an unreviewed draft on stdout, or below --out DIR, for one that passes.
Nothing else is written. The index decides; with --git the source itself is asked as well.

  burn-triage kb import PAGE.txt
  burn-triage kb import PAGE.json MORE.txt --out drafts --git DIR
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.cli._options import add_kb, open_kb
from kb.entry import Entry
from kb.errors import KnowledgeBaseError
from kb.upkeep.clones import Clones
from kb.upkeep.drafts import file_name
from kb.upkeep.emit import entry_yaml
from kb.upkeep.excerpt import against_clone
from kb.upkeep.importer import Checked, check_page, draft_of
from kb.upkeep.page import parse_page


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb import`."""
    add_kb(parser)
    parser.add_argument("pages", nargs="+", metavar="PAGE", type=Path, help="a page, as text or as JSON")
    parser.add_argument(
        "--git", metavar="DIR", type=Path, help="folder with clones of the family, to read the source too"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, help="write drafts there, as CRATE/KB-0000-words.yaml")


def run(args: argparse.Namespace) -> int:
    """Check every page; 1 where one fails."""
    folder = open_kb(args, prefix="# ")
    catalog = open_catalog(folder)
    clones = Clones(args.git) if args.git else None
    failed = False
    for path in args.pages:
        checked = _check(path, catalog, clones)
        _report(path, checked)
        if checked.reasons:
            failed = True
        else:
            taken = [value for entry in catalog.entries for value in entry.ids]
            _write(draft_of(checked, catalog, catalog, datetime.now(UTC).date().isoformat(), taken), args.out)
    return 1 if failed else 0


def _check(path: Path, catalog: Catalog, clones: Clones | None) -> Checked:
    try:
        page = parse_page(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KnowledgeBaseError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KnowledgeBaseError(f"{path}: no UTF-8 text; save the page as text") from None
    except KnowledgeBaseError as error:
        raise KnowledgeBaseError(f"{path}: {error}") from None
    checked = check_page(page, catalog, catalog, catalog.entries)
    return against_clone(checked, clones) if clones is not None else checked


def _report(path: Path, checked: Checked) -> None:
    verdict = "refused" if checked.reasons else "passes as an unreviewed draft"
    print(f"{path}: {verdict}", file=sys.stderr)
    lines: Sequence[str] = [f"reason: {text}" for text in checked.reasons]
    lines = [*lines, *(f"note: {text}" for text in checked.notes), *(f"to review: {claim}" for claim in checked.claims)]
    for line in lines:
        print(f"  {line}", file=sys.stderr)


def _write(entry: Entry, out: Path | None) -> None:
    if out is None:
        print(entry_yaml(entry), end="")
        return
    target = out / file_name(entry)
    if target.exists():
        raise KnowledgeBaseError(f"{target} is there already; move it away, or give another --out")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(entry_yaml(entry), encoding="utf-8")
    print(f"# {target}")
