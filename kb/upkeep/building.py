"""Builds the generated files of the family from git clones: what `kb index` and `kb sync` share."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kb.compiling import read_index
from kb.errors import KnowledgeBaseError
from kb.family import Member, load_family
from kb.folder import cache_folder
from kb.gcpause import gc_paused
from kb.records import RepoIndex
from kb.sitefiles import encode
from kb.source.blobcache import BlobCache
from kb.source.checkout import Checkout, find_checkout
from kb.source.indexer import index_repo
from kb.source.releases import find_releases
from kb.source.scanning import Progress


@dataclass(frozen=True, slots=True)
class Built:
    """One repository, indexed and written."""

    before: RepoIndex | None
    index: RepoIndex
    written: tuple[str, ...]
    """Names of the generated files that changed."""
    seconds: float

    @property
    def new_revisions(self) -> tuple[str, ...]:
        """Names of the revisions that the index did not have, or had at another commit."""
        known = {(r.name, r.commit) for r in self.before.revisions} if self.before is not None else set()
        return tuple(r.name for r in self.index.revisions if (r.name, r.commit) not in known)

    @property
    def line(self) -> str:
        """For people: what is in the index, and what changed."""
        last = self.index.revisions[-1]
        changed = f"{len(self.written)} files changed" if self.written else "unchanged"
        return (
            f"{self.index.repo}: {len(self.index.revisions) - 1} releases and main at {last.commit[:12]} of"
            f" {last.date[:10]}, {changed} ({self.seconds:.1f} s)"
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What to build: the knowledge base, where the clones are, which repositories, on how many cores."""

    kb: Path
    clones: Path
    repos: tuple[str, ...] = ()
    """Only these; () for the whole family."""
    processes: int = 2
    fresh: bool = True
    """Index every release anew; else build on the files that are there."""


def build(plan: Plan, environ: Mapping[str, str] = os.environ) -> Iterator[Built]:
    """Index and write, one repository after the other. Raises KnowledgeBaseError before anything is written."""
    family = load_family(plan.kb)
    todo = [(member, _clone(plan, member)) for member in _chosen(family, plan.repos)]
    with BlobCache(cache_folder(environ) / "scans.sqlite") as cache:
        for member, checkout in todo:
            with gc_paused():
                built = _build(plan, family, member, checkout, cache)
            yield built


def _build(plan: Plan, family: Sequence[Member], member: Member, checkout: Checkout, cache: BlobCache) -> Built:
    start = time.monotonic()
    before = None if plan.fresh else read_index(plan.kb, member.repo)
    if before is not None and is_current(before, checkout, member):
        return Built(before, before, (), time.monotonic() - start)
    wanted = wanted_crates(family, member)
    with _progress(member.repo) as progress:
        index = index_repo(checkout, member, wanted, cache, known=before, processes=plan.processes, progress=progress)
    return Built(before, index, _write(plan.kb / "sites" / member.name, index), time.monotonic() - start)


def is_current(index: RepoIndex, checkout: Checkout, member: Member) -> bool:
    """Whether the clone has no release and no main that the index does not have."""
    known = [(r.name, r.commit) for r in index.revisions]
    return known == [(r.name, r.commit) for r in find_releases(checkout, member)]


def wanted_crates(family: Sequence[Member], member: Member) -> Callable[[str], bool]:
    """Which requirements are kept: the foreign crates of the member, and crates named like another repository."""
    names = {other.name for other in family if other is not member}
    return lambda crate: crate in member.foreign or any(crate == n or crate.startswith(f"{n}-") for n in names)


def _chosen(family: Sequence[Member], repos: Sequence[str]) -> Sequence[Member]:
    known = {member.repo: member for member in family}
    for repo in repos:
        if repo not in known:
            raise KnowledgeBaseError(f"--repo {repo}: not in kb/repos.yaml; known are {', '.join(known)}")
    return [member for member in family if not repos or member.repo in repos]


def _clone(plan: Plan, member: Member) -> Checkout:
    found = find_checkout(plan.clones, member.repo)
    if found is None:
        raise KnowledgeBaseError(
            f"--git {plan.clones}: no clone of {member.repo} there; run `git clone --bare"
            f" https://github.com/{member.repo} {plan.clones / member.name}.git`"
        )
    return found


def _write(folder: Path, index: RepoIndex) -> tuple[str, ...]:
    folder.mkdir(parents=True, exist_ok=True)
    files = encode(index)
    written = []
    for name, contents in files.items():
        file = folder / name
        if not file.is_file() or file.read_bytes() != contents:
            # A file beside it and a rename: an interrupted run leaves no half-written file behind.
            part = folder / f".{name}.part"
            part.write_bytes(contents)
            part.replace(file)
            written.append(name)
    for file in folder.iterdir():
        if file.name not in files:
            file.unlink()
            written.append(file.name)
    return tuple(sorted(written))


@contextmanager
def _progress(repo: str) -> Iterator[Progress | None]:
    """A progress bar on stderr, only where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(repo)
        yield lambda done, total: bar.update(task, completed=done, total=total)
