"""Facts per revision to the index of a repository and back. Pure: the same facts give the same index, however got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.records import CommitRecord, FileVersion, PlacedSite, RepoIndex, RevisionRecord, SpanRow


@dataclass(frozen=True, slots=True)
class FileState:
    """One file at one revision."""

    crate: str
    sites: tuple[PlacedSite, ...]
    spans: tuple[SpanRow, ...]


@dataclass(frozen=True, slots=True)
class RevisionFacts:
    """One revision: its record and its files by path. Files without sites and functions are left out."""

    record: RevisionRecord
    files: Mapping[str, FileState]


def assemble(
    repo: str,
    facts: Sequence[RevisionFacts],
    names: Mapping[str, int],
    commits: Sequence[CommitRecord],
    pasts: Mapping[str, str] | None = None,
) -> RepoIndex:
    """`facts` in the order of the revisions; `names` with a bit for each of them, as in `RepoIndex`."""
    files: list[FileVersion] = []
    for path in sorted({path for revision in facts for path in revision.files}):
        files += _versions(path, [revision.files.get(path) for revision in facts])
    ordered = {name: names[name] for name in sorted(names) if names[name]}
    return RepoIndex(repo, tuple(r.record for r in facts), tuple(files), ordered, tuple(commits), pasts or {})


def disassemble(index: RepoIndex) -> list[RevisionFacts]:
    """What `assemble` was given, revision by revision."""
    files: list[dict[str, FileState]] = [{} for _ in index.revisions]
    for version in index.files:
        state = FileState(version.crate, version.sites, version.spans)
        for place in range(version.first, version.last + 1):
            files[place][version.path] = state
    return [RevisionFacts(record, files[place]) for place, record in enumerate(index.revisions)]


def move_bits(names: Mapping[str, int], places: Mapping[int, int]) -> dict[str, int]:
    """`names` with bit i put at `places[i]`; bits without a place are dropped."""
    known: dict[int, int] = {}
    moved = {}
    for name, mask in names.items():
        if mask not in known:
            known[mask] = sum(1 << new for old, new in places.items() if mask >> old & 1)
        moved[name] = known[mask]
    return moved


def _versions(path: str, states: Sequence[FileState | None]) -> list[FileVersion]:
    """Runs of equal neighbours."""
    found: list[FileVersion] = []
    first, current = 0, states[0]
    for place, state in enumerate((*states[1:], None), start=1):
        ends = place == len(states)
        if not ends and (state is current or state == current):
            continue
        if current is not None:
            found.append(FileVersion(path, current.crate, first, place - 1, current.sites, current.spans))
        first, current = place, state
    return found
