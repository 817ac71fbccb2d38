"""An independent truth for the index: the texts that the projects' own tests expect their panics to hold.

    python -m tests.bench.bench_should_panic --git DIR [--at v0.21.0]

`#[should_panic(expected = "...")]` passes where the text stands somewhere in the panic's message. For each such text
this looks for a template of the same revision that can print it, and prints the share, then every text without one.
Texts of the standard library and the frame around every tensor check belong to no site and are counted apart.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.folder import find_kb
from kb.model import MAIN, PANIC_KINDS, Revision, SiteKind
from kb.source.checkout import find_checkout

KB = Path(__file__).parent.parent.parent / "kb"
EXPECTED = re.compile(rb'should_panic\s*\(\s*expected\s*=\s*(r?#*"(?:[^"\\]|\\.)*"#*)', re.DOTALL)
KINDS = PANIC_KINDS | {SiteKind.TENSOR_ERROR, SiteKind.ERR_VALUE, SiteKind.THISERROR, SiteKind.DISPLAY, SiteKind.BAIL}
HOLE = re.compile(r"\{[^{}]*\}")
STANDARD = re.compile(
    r"index out of bounds|out of range|attempt to|called `(Option|Result)::|assertion (failed|`)|already borrowed"
    r"|=== Tensor Operation Error ===|Operation: '"
    r"|not implemented|not yet implemented|entered unreachable|overflow|mid > len|explicit panic"
)


def expected_texts(sources: Iterator[tuple[str, bytes]]) -> Counter[str]:
    """Every expected text with how often it stands there."""
    return Counter(_value(m[1].decode()) for _, source in sources for m in EXPECTED.finditer(source))


def _value(literal: str) -> str:
    """What a Rust string literal says: a backslash at the end of a line takes the line break and the indent along."""
    if literal.startswith("r"):
        return literal.strip("r#")[1:-1]
    text = re.sub(r"\\\n\s*", "", literal[1:-1])
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def can_hold(template: str, text: str) -> bool:
    """Whether some message of this template holds the text; a hole can print anything."""
    parts = [part.replace("{{", "{").replace("}}", "}") for part in HOLE.split(template)]
    if text in template or any(text in part for part in parts):
        return True
    return len(parts) > 1 and any(_runs_on(parts, i, text) for i in range(len(parts)))


def _runs_on(parts: Sequence[str], first: int, text: str) -> bool:
    """Whether the text starts with the end of part `first`, then goes on with holes and the parts after it."""
    part = parts[first]
    starts = [part[k:] for k in range(len(part) + 1) if text.startswith(part[k:]) and len(part[k:]) >= 6]
    return any(_follows(parts[first + 1 :], text[len(start) :]) for start in starts)


def _follows(parts: Sequence[str], rest: str) -> bool:
    for part in parts:
        if part in rest:
            rest = rest[rest.index(part) + len(part) :]
        else:
            return True  # the text ends within this part, or within the hole before it
    return True


def report(catalog: Catalog, revision: Revision, texts: Counter[str]) -> None:
    """Print the share and what is left."""
    templates = {site.key.template for site in catalog.all_sites(revision) if site.key.kind in KINDS}
    templates = {template for template in templates if template}
    missing = {text: count for text, count in texts.items() if not any(can_hold(t, text) for t in templates)}
    standard = {text: count for text, count in missing.items() if STANDARD.search(text)}
    held, total = texts.total() - sum(missing.values()), texts.total()
    ours = total - sum(standard.values())
    print(f"{revision.repo} {revision.name}: {total} expected texts ({len(texts)} different)")
    print(f"  held by a template: {held} ({held / max(ours, 1):.1%} of those that belong to a site)")
    print(f"  standard library and check frame: {sum(standard.values())}; neither: {ours - held}")
    for text in sorted(missing.keys() - standard.keys()):
        print(f"    {missing[text]} x {text!r}")


def main() -> None:
    """Every repository of the index that has a clone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--git", type=Path, metavar="DIR", required=True, help="folder with the clones")
    parser.add_argument("--at", default=MAIN, metavar="REVISION", help="tag or main")
    args = parser.parse_args()
    catalog = open_catalog(find_kb(KB, {}, KB))
    for repo in catalog.repos():
        revision, checkout = catalog.revision(repo, args.at), find_checkout(args.git, repo)
        if revision is not None and checkout is not None:
            shas = {f.sha for f in checkout.tree(revision.commit) if f.path.endswith(".rs")}
            report(catalog, revision, expected_texts(iter(list(checkout.blobs(sorted(shas))))))


if __name__ == "__main__":
    main()
