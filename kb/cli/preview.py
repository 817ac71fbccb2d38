"""Show an entry as readers will see it: the comment on an issue with its first example, and its page.

burn-triage kb preview KB-0042
burn-triage kb preview kb/entries/burn-core/KB-0000-a-draft.yaml
"""

from __future__ import annotations

import argparse
from pathlib import Path

from kb.catalog import open_catalog
from kb.cli._options import add_kb, open_kb
from kb.entry import Entry
from kb.errors import KnowledgeBaseError
from kb.folder import KbFolder
from kb.load import load_file, load_files
from kb.upkeep.page_text import page_text


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb preview`."""
    add_kb(parser)
    parser.add_argument("entry", metavar="ENTRY", help="KB id, id or alias of 16 hex digits, or an entry's file")


def run(args: argparse.Namespace) -> int:
    """Print the comment, where the bot is there to write one, and the page."""
    folder = open_kb(args)
    entry = find_entry(folder, args.entry)
    # The comment is the bot's to write and `kb` does not know the bot: `burn-triage kb` hands its function in.
    comment_of = getattr(args, "comment_of", None)
    if comment_of is not None:
        print(f"\n--- the comment, on a report of its first example ---\n\n{comment_of(entry, folder) or '(silent)'}")
    print(f"\n--- the page ---\n\n{page_text(entry, open_catalog(folder))}", end="")
    return 0


def find_entry(folder: KbFolder, name: str) -> Entry:
    """The entry that a name or a file means. Raises KnowledgeBaseError where there is none, or it cannot be read."""
    files = (load_file(Path(name)),) if name.endswith((".yaml", ".yml")) else load_files(folder.path / "entries")
    for file in files:
        if file.entry is not None and (len(files) == 1 or name in (file.entry.kb_id, *file.entry.ids)):
            return file.entry
        if file.problems and (len(files) == 1 or file.path.name.startswith(name)):
            problem = file.problems[0]
            raise KnowledgeBaseError(f"{file.path}:{file.line(problem.path)}: {problem.text}; {problem.remedy}")
    raise KnowledgeBaseError(f"{name}: no such entry; give a KB id, its 16 hex digits, or its file")
