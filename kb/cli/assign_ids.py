"""Give every draft that is ready the next id: its file gets the name, and ids.txt one line.

A draft (KB-0000) is ready when nothing waits in its `review` list. Run it on the main branch, after a merge: two
branches that assign at once collide in ids.txt, which is what that file is for.
"""

from __future__ import annotations

import argparse

from kb.cli._options import add_kb, open_kb
from kb.upkeep.ids import assign_ids


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb assign-ids`."""
    add_kb(parser)


def run(args: argparse.Namespace) -> int:
    """Rename drafts; print old and new name of each."""
    folder = open_kb(args, write=True)
    moved = assign_ids(folder.path)
    for old, new in moved:
        print(f"{old.relative_to(folder.path)} -> {new.relative_to(folder.path)}")
    print(f"{len(moved)} id{'' if len(moved) == 1 else 's'} given")
    return 0
