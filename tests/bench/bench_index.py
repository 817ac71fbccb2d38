"""What the site index costs: opening it, memory, look-ups; with clones, also a whole index and one new release.

    python -m tests.bench.bench_index [--git DIR]

Look-ups are timed over many different places, first when nothing is cached, then again. With `--git` a fresh cache is
used, so that the figures are those of a machine that never indexed before; CPU and wall clock are shown apart.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.catalog import Catalog, open_catalog
from kb.compiling import read_index
from kb.family import load_family
from kb.folder import find_kb
from kb.model import MAIN, Revision, SiteAt, SiteKind
from kb.sitefiles import encode
from kb.source.blobcache import BlobCache
from kb.source.checkout import find_checkout
from kb.source.indexer import index_repo
from kb.upkeep.building import Plan, build, wanted_crates

KB = Path(__file__).parent.parent.parent / "kb"
PLACES = 1000


def microseconds(calls: Sequence[Callable[[], object]]) -> str:
    """Median and 90th percentile of single calls."""
    taken = []
    for call in calls:
        start = time.perf_counter_ns()
        call()
        taken.append((time.perf_counter_ns() - start) / 1000)
    return f"median {statistics.median(taken):7.1f} us, p90 {statistics.quantiles(taken, n=10)[-1]:7.1f} us"


def locate(catalog: Catalog, revision: Revision, tail: str, line: int, column: int) -> SiteAt | None:
    """What the resolver does with a location whose revision is known."""
    for path in catalog.paths(revision, tail):
        for site in catalog.sites_in(revision, path).on_line(line):
            if site.column == column:
                return site
    return None


def look_ups(catalog: Catalog) -> None:
    """Time single look-ups over sites of a release."""
    revision = catalog.newest_release("tracel-ai/burn")
    sites = random.Random(1).sample(list(catalog.all_sites(revision)), PLACES)
    calls = [
        lambda s=site: locate(catalog, revision, s.path.partition("/")[2], s.line, s.column)  # type: ignore[misc]
        for site in sites
    ]
    print(f"location, not cached   {microseconds(calls)}")
    print(f"location, again        {microseconds(calls)}")
    main = catalog.revision("tracel-ai/burn", MAIN)
    assert main is not None
    print(f"follow to main         {microseconds([lambda k=s.key: catalog.follow(k, main) for s in sites])}")  # type: ignore[misc]


def fresh_process() -> None:
    """Open the catalogue in a process of its own and read all keys: time from start, and memory."""
    code = (
        "import resource, time; t = time.perf_counter()\n"
        "from pathlib import Path\n"
        "from kb.catalog import open_catalog; from kb.folder import find_kb; from kb.model import SiteKind\n"
        f"kb = Path({str(KB)!r}); c = open_catalog(find_kb(kb, {{}}, kb)); o = time.perf_counter()\n"
        "k = c.keys(frozenset(SiteKind)); e = time.perf_counter()\n"
        "m = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "print(f'import and open {o - t:.3f} s, {len(k)} keys {e - o:.3f} s, {m:.0f} MB')"
    )
    print(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip())


def spent(name: str, work: Callable[[], object]) -> None:
    """Run `work`; print wall clock and the CPU of this process and its children."""
    before, start = os.times(), time.perf_counter()
    work()
    after = os.times()
    cpu = sum(after[:4]) - sum(before[:4])
    print(f"{name:<34} {time.perf_counter() - start:6.1f} s wall, {cpu:6.1f} s CPU")


def indexing(clones: Path) -> None:
    """A whole index into a scratch folder, then one release more with the cache of the others."""
    with tempfile.TemporaryDirectory() as scratch:
        kb, cache = Path(scratch) / "kb", Path(scratch) / "cache"
        kb.mkdir()
        (kb / "repos.yaml").write_bytes((KB / "repos.yaml").read_bytes())
        environ = {"XDG_CACHE_HOME": str(cache)}
        spent("all repositories, empty cache", lambda: list(build(Plan(kb, clones), environ)))
        spent("all repositories, full cache", lambda: list(build(Plan(kb, clones), environ)))
        same = all(
            (KB / "sites" / f.parent.name / f.name).read_bytes() == f.read_bytes() for f in kb.rglob("_files.gz")
        )
        print(f"the committed files are those of this run: {same}")
        one_release(clones, kb)


def one_release(clones: Path, kb: Path) -> None:
    """The newest release of burn and main come in; all blobs of the other releases are known."""
    family = load_family(kb)
    member, known = family[0], read_index(kb, family[0].repo)
    checkout = find_checkout(clones, member.repo)
    assert checkout is not None
    assert known is not None
    wanted, newest = wanted_crates(family, member), known.revisions[-2].name
    rest = frozenset(r.name for r in known.revisions) - {newest, MAIN}
    with tempfile.TemporaryDirectory() as scratch, BlobCache(Path(scratch) / "scans.sqlite") as cache:
        before = index_repo(checkout, member, wanted, cache, only=rest)
        spent(
            f"one new release ({newest} and main)",
            lambda: encode(index_repo(checkout, member, wanted, cache, known=before)),
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--git", type=Path, metavar="DIR", help="folder with the clones: times indexing too")
    args = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f}")
    catalog = open_catalog(find_kb(KB, {}, KB))
    fresh_process()
    look_ups(catalog)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(catalog.keys(frozenset(SiteKind)))} keys, {memory} MB")
    if args.git is not None:
        indexing(args.git)


if __name__ == "__main__":
    main()
