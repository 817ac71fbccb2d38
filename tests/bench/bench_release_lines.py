"""How many lines of `kb/sites` a release changes: for each step the index as it was, main being the release then.

    python -m tests.bench.bench_release_lines [--repo tracel-ai/burn]

"Changed" are lines that stood there and read otherwise afterwards, or went; "new" are lines of sites that came with the
release. Both as a share of the lines before.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kb.compiling import read_index
from kb.family import load_family
from kb.gcpause import gc_paused
from kb.model import MAIN
from kb.records import RepoIndex
from kb.sitefiles import encode
from kb.source.assemble import RevisionFacts, assemble, disassemble

KB = Path(__file__).parent.parent.parent / "kb"


def lines(repo: str, facts: Sequence[RevisionFacts]) -> Counter[tuple[str, bytes]]:
    """The lines of all sites files of an index of these releases, main being the last of them."""
    main = RevisionFacts(replace(facts[-1].record, name=MAIN), facts[-1].files)
    files = encode(assemble(repo, [*facts, main], {}, ()))
    return Counter((name, line) for name, data in files.items() if name[0] != "_" for line in data.splitlines())


def report(index: RepoIndex) -> None:
    """Print a line for each step from release to release."""
    facts = disassemble(index)[:-1]
    before = lines(index.repo, facts[:1])
    for place in range(1, len(facts)):
        after = lines(index.repo, facts[: place + 1])
        total, gone, new = before.total(), (before - after).total(), (after - before).total()
        name = facts[place].record.name
        print(f"{index.repo} {name:<15} {total:>6} lines  changed {gone / total:6.1%}  new {(new - gone) / total:6.1%}")
        before = after


def main() -> None:
    """Every repository, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", metavar="OWNER/NAME", help="only this repository")
    args = parser.parse_args()
    for member in load_family(KB):
        index = read_index(KB, member.repo) if args.repo in (None, member.repo) else None
        if index is not None:
            with gc_paused():
                report(index)


if __name__ == "__main__":
    main()
