"""How many panics of commits between releases are placed offline: sites of main's history, printed and looked up.

    python -m tests.bench.bench_commits --git DIR [--number 400] [--show]

Commits are drawn from main's own line, sites and functions from what stood there. Each is printed as cargo prints a git
checkout (the path names the commit) and as a clone prints it (no commit, a report on the commit's day). Nothing but
the index answers. "right" is the function in a file of that name; a site's words may be quoted at a release beside.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.lookup import _from_facts
from bot.triage.model import Place, Report
from bot.triage.query import crate_of
from kb.model import PANIC_KINDS, FileFacts, Revision, SiteKind
from kb.source.checkout import Checkout, find_checkout
from kb.source.parse import scan_file
from tests.bot.triage import printed_sites as printed

KB = Path(__file__).parent.parent.parent / "kb"
SEED = 11
IMPLICIT = "index out of bounds: the len is 2 but the index is 2"
Case = tuple[str, str, str, str, int, str]
"""Kind of case, path at the commit, function, message, line, position as printed."""


def cases(checkout: Checkout, revision: Revision, pick: Random) -> Iterator[Case]:
    """A site and a line of a function of one random file of a commit."""
    tree = [f for f in checkout.tree(revision.commit) if "/src/" in f.path and "test" not in f.path]
    files = [f for f in tree if f.path.endswith(".rs")]
    for file in pick.sample(files, min(12, len(files))):
        facts = scan_file(dict(checkout.blobs([file.sha]))[file.sha], file.path).facts
        sites = [s for s in facts.sites if s.kind in PANIC_KINDS and not s.test and not s.macro_body and s.function]
        if sites:
            yield from _both(facts, revision, file.path, pick)
            return


def _both(facts: FileFacts, revision: Revision, path: str, pick: Random) -> Iterator[Case]:
    file = _from_facts(facts, revision, path, crate_of(path))
    sites = [s for s in file.sites if s.key.kind in PANIC_KINDS and not s.test and not s.macro_body and s.key.function]
    site = pick.choice(sites)
    message = printed.printed_message(site, None, pick)  # type: ignore[arg-type]
    bare = site.key.kind in (SiteKind.UNWRAP, SiteKind.UNWRAP_ERR) or not site.key.template
    if message:
        where = f"{site.line}:{site.column}"
        yield ("bare site" if bare else "worded site", path, site.key.function, message, site.line, where)
    spans = [s for s in file.spans if s.span.end > s.span.start + 1 and not s.span.test]
    if spans:
        span = pick.choice(spans).span
        line = pick.randint(span.start + 1, span.end - 1)
        inner = min((s.span for s in spans if s.span.start <= line <= s.span.end), key=lambda s: s.end - s.start)
        # A column at which no macro and no method starts.
        yield "function", path, inner.function, IMPLICIT, line, f"{line}:9"


def drawn(checkout: Checkout, repo: str, knowledge: Knowledge, number: int) -> Iterator[tuple[Revision, Case]]:
    """Cases of random commits of main's own line that are not indexed."""
    pick = Random(SEED)
    shas = checkout._lines("rev-list", "--first-parent", knowledge.index.revisions(repo)[-1].commit)
    known = {r.commit for r in knowledge.index.revisions(repo)}
    for sha in pick.sample([s for s in shas if s not in known], number):
        commit = knowledge.index.commits(repo, sha)[0]
        revision = Revision(repo, sha, sha, commit.date, -1)
        for case in cases(checkout, revision, pick):
            yield revision, case


def verdict_of(place: Place | None, case: Case) -> str:
    """right, wrong or none."""
    if place is None:
        return "none"
    _, path, function, *_ = case
    same_file = place.path.rpartition("/")[2] == path.rpartition("/")[2]
    same = place.function.rpartition("::")[2] == function.rpartition("::")[2]
    return "right" if same and same_file else "wrong"


def main() -> None:
    """Print a line a repository, shape and kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--git", type=Path, metavar="DIR", required=True, help="folder with the clones")
    parser.add_argument("--number", type=int, default=200, help="commits a repository")
    parser.add_argument("--show", action="store_true", help="print what was not right")
    args = parser.parse_args()
    knowledge = open_for_command(KB, None)[0]
    for repo in knowledge.index.repos():
        checkout = find_checkout(args.git, repo)
        assert checkout is not None
        counts: Counter[tuple[str, str, str]] = Counter()
        for revision, case in drawn(checkout, repo, knowledge, args.number):
            for shape, path, date in (
                ("checkout", printed.checkout_path(repo, revision.commit, case[1]), None),
                ("clone", case[1], revision.date),
            ):
                body = printed.report(printed.LAYOUTS[0], f"{path}:{case[5]}", case[3])
                found = analyze(Report(None, "It stops", body, (), repo, date), knowledge)
                result = verdict_of(found.place, case)
                counts[shape, case[0], result] += 1
                if args.show and result != "right":
                    print(
                        result,
                        shape,
                        case,
                        revision.commit[:10],
                        found.place and (found.place.path, found.place.function),
                    )
                    print("   ", *[e.text for e in found.evidence if e.step in ("place", "revision")], sep="\n    ")
        for shape in ("checkout", "clone"):
            for kind in ("worded site", "bare site", "function"):
                total = sum(counts[shape, kind, r] for r in ("right", "wrong", "none"))
                right, wrong = counts[shape, kind, "right"], counts[shape, kind, "wrong"]
                print(f"{repo:22} {shape:9} {kind:12} {total:4}  right {right / max(total, 1):6.1%}  wrong {wrong}")


if __name__ == "__main__":
    main()
