"""The revisions of a clone that are indexed, and the list of its commits with the nearest release of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
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
    found = []
    for tag in releases(checkout.tags(), member.tags):
        commit = checkout.commit(f"refs/tags/{tag}")
        if commit is not None:
            found.append(Release(tag, commit.sha, commit.date, is_prerelease(version_of(tag, member.tags))))
    head = checkout.branch(member.branch)
    if head is None:
        raise KnowledgeBaseError(f"{checkout.folder}: no branch {member.branch}; name the branch in kb/repos.yaml")
    return [*found, Release(MAIN, head.sha, head.date, False)]


def list_commits(checkout: Checkout, revisions: Sequence[Release]) -> tuple[CommitRecord, ...]:
    """Every commit of main and of the releases, by date and sha, with the nearest release ("" where there is none)."""
    tags = [r for r in revisions if r.name != MAIN]
    contained = _first_release_of(checkout, tags)
    dates = {commit.sha: commit.date for commit, _ in contained.values()}
    on_main = {commit.sha: commit.date for commit in checkout.log(revisions[-1].commit)}
    dates |= on_main
    by_date = sorted((r.date, r.name) for r in tags)
    records = [
        CommitRecord(sha, date, contained[sha][1] if sha in contained else _last_before(by_date, date), sha in on_main)
        for sha, date in dates.items()
    ]
    return tuple(sorted(records, key=lambda c: (c.date, c.sha)))


def _first_release_of(checkout: Checkout, tags: Sequence[Release]) -> Mapping[str, tuple[LoggedCommit, str]]:
    found: dict[str, tuple[LoggedCommit, str]] = {}
    for place, tag in enumerate(tags):
        for commit in checkout.log(tag.commit, without=[before.commit for before in tags[:place]]):
            found[commit.sha] = (commit, tag.name)
    return found


def _last_before(by_date: Sequence[tuple[str, str]], date: str) -> str:
    if not by_date:
        return ""
    return by_date[max(bisect_right(by_date, (date, "\U0010ffff")) - 1, 0)][1]
