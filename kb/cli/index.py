"""Build the site index of the whole family from git clones.

DIR holds the clones with all tags, bare or not: `owner+name`, `owner/name`, `name` or `name.git`. What was parsed
before is taken from the cache ($XDG_CACHE_HOME/burn-triage), so an interrupted run goes on where it stopped. The
result depends on the clones alone: two runs write the same bytes.

  burn-triage kb index --git DIR
  burn-triage kb index --git DIR --repo tracel-ai/burn
"""

from __future__ import annotations

import argparse

from kb.cli._building import add_building, plan
from kb.cli._options import add_kb, open_kb
from kb.upkeep.building import build


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb index`."""
    add_kb(parser)
    add_building(parser)


def run(args: argparse.Namespace) -> int:
    """Write the generated files; one line a repository."""
    folder = open_kb(args, write=True)
    for built in build(plan(folder, args, fresh=True)):
        print(built.line, flush=True)
    return 0
