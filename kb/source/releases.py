"""The revisions of a clone that are indexed, and the list of its commits with the nearest release of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kb.errors import KnowledgeBaseError
from kb.family import Member
from kb.model import MAIN
from kb.records import CommitRecord
from kb.source.checkout import Checkout, LoggedCommit
from kb.source.versions import is_prerelease, releases, version_of


@dataclass(frozen=True, slots=True)
class Release:
    """A revision to index: a tag, or main."""

    name: str
    commit: str
    date: str
    prerelease: bool


def find_releases(checkout: Checkout, member: Member) -> Sequence[Release]:
    """Releases by version, then main. Raises KnowledgeBaseError where the clone has no such branch."""
    commits = checkout.tags()
    found = [
        Release(tag, commits[tag].sha, commits[tag].date, is_prerelease(version_of(tag, member.tags)))
        for tag in releases(commits, member.tags)
    ]
    head = checkout.branch(member.branch)
    if head is None:
        raise KnowledgeBaseError(f"{checkout.folder}: no branch {member.branch}; name the branch in kb/repos.yaml")
    return [*found, Release(MAIN, head.sha, head.date, False)]


def list_commits(
    history: Mapping[str, tuple[LoggedCommit, Sequence[str]]], revisions: Sequence[Release], line: Sequence[str]
) -> tuple[CommitRecord, ...]:
    """Every commit of main and of the releases, by date and sha, with the nearest release ("" where there is none).

    `history`: all commits that the revisions reach, with their parents; `line`: main and its first parents, from the
    root on.
    """
    parents = {sha: above for sha, (_, above) in history.items()}
    tags = [r for r in revisions if r.name != MAIN]
    nearest: dict[str, str] = {}
    for tag in tags:
        nearest.update((sha, tag.name) for sha in _ancestors(tag.commit, parents, nearest))
    on_main = _ancestors(revisions[-1].commit, parents, {})
    places = {sha: place for place, sha in enumerate(line)}
    records = [
        CommitRecord(
            sha,
            commit.date,
            nearest.get(sha) or _last_before(tags, commit.date),
            sha in on_main,
            places.get(sha, -1),
            "" if sha in places or not above else above[0],
        )
        for sha, (commit, above) in history.items()
    ]
    return tuple(sorted(records, key=lambda c: (c.date, c.sha)))


def _ancestors(start: str, parents: Mapping[str, Sequence[str]], known: Collection[str]) -> set[str]:
    """`start` and all commits before it, but for those that are known with all before them."""
    found, todo = set(), [start]
    while todo:
        sha = todo.pop()
        if sha not in found and sha not in known:
            found.add(sha)
            todo += parents.get(sha, ())
    return found


def _last_before(tags: Sequence[Release], date: str) -> str:
    """The highest version that was out at a date; the lowest of all where none was.

    Not the newest by date: a patch of an old line, or a tag that was set anew, is not what main was near to.
    """
    earlier = [tag for tag in tags if tag.date <= date] or tags[:1]
    return earlier[-1].name if earlier else ""
