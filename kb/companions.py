"""Which revisions of the family's repositories belong together, read from what each asks of the others. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kb.model import MAIN
from kb.records import RepoIndex, RequirementRecord, RevisionRecord

Pairs = dict[tuple[str, int], dict[str, int]]
"""(repository, place of its revision) -> other repository -> place of the revision that belongs to it."""


def companions(indexes: Sequence[RepoIndex]) -> Pairs:
    """Both ways: what a revision asks for, and for what is asked the newest release that asks for it."""
    found: Pairs = {}
    for index in indexes:
        for place, record in enumerate(index.revisions):
            for other in indexes:
                asked = _asked(record, other) if other is not index else None
                if asked is not None:
                    found.setdefault((index.repo, place), {})[other.repo] = asked
    return _both_ways(found, {index.repo: index for index in indexes})


def _both_ways(found: Pairs, indexes: Mapping[str, RepoIndex]) -> Pairs:
    both = {key: dict(pairs) for key, pairs in found.items()}
    for (repo, place), pairs in sorted(found.items(), key=lambda item: _rank(indexes[item[0][0]], item[0][1])):
        for other, theirs in pairs.items():
            both.setdefault((other, theirs), {}).setdefault(repo, place)
    return both


def _rank(index: RepoIndex, place: int) -> tuple[bool, bool, int]:
    """Of several that ask for the same: a release before a pre-release before main, the newest first."""
    record = index.revisions[place]
    return record.name == MAIN, record.prerelease, -place


def _asked(record: RevisionRecord, other: RepoIndex) -> int | None:
    for crate in _own_crates(other, record):
        place = _resolve(record.requires[crate], crate, other)
        if place is not None:
            return place
        if record.requires[crate].rev:
            # A commit of a branch that is not indexed: whatever was released by the time it was asked for.
            earlier = [i for i, r in enumerate(other.revisions) if r.name != MAIN and r.date <= record.date]
            return earlier[-1] if earlier else None
    return None


def _own_crates(other: RepoIndex, record: RevisionRecord) -> list[str]:
    """Crates of the other repository that are asked for, the one named like the repository first."""
    owned = {name for revision in other.revisions for name in revision.crates}
    asked = [name for name in record.requires if name in owned and name not in record.crates]
    name = other.repo.split("/")[1]
    return sorted(asked, key=lambda crate: (crate != name, crate))


def _resolve(need: RequirementRecord, crate: str, other: RepoIndex) -> int | None:
    if need.rev and not need.version:
        place = _by_commit(need.rev, other)
        if place is not None:
            return place
    asked = need.locked or re.sub(r"^[=^~ ]+", "", need.version)
    places = [
        place
        for place, revision in enumerate(other.revisions)
        if revision.name != MAIN and crate in revision.crates and revision.crates[crate].version == asked
    ]
    # A tag may still carry the version of another one (cubecl v0.7.1 says 0.8.0): the one of that name comes first.
    named = [place for place in places if other.revisions[place].name.endswith(asked)]
    return next(iter(named + places), None)


def _by_commit(rev: str, other: RepoIndex) -> int | None:
    """The release whose code is nearest; main where the commit is newer than the last release and nearer to main."""
    matches = [c for c in other.commits if c.sha.startswith(rev)] if len(rev) >= 7 else []
    if len(matches) != 1:
        return None
    commit = matches[0]
    names = [r.name for r in other.revisions]
    if commit.nearest not in names:
        return len(names) - 1
    place = names.index(commit.nearest)
    return len(names) - 1 if other.revisions[place].date < commit.date else place
