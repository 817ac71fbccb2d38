"""Which revisions a report can mean: pinned by the path, stated in the text, or main at the date of the report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.triage.knowledge import CommitRef, Knowledge
from bot.triage.model import Fact, Location
from kb.model import MAIN, Commit, Revision, SiteIndex

_NUMBERS = re.compile(r"\d+")
_STATED = ("burn", "cubecl", "cubek", "burn-onnx")


@dataclass(frozen=True, slots=True)
class Pinned:
    """What the location's path says about its revision."""

    revision: Revision | None
    """The release, or the commit when it is on main; None where neither is known to the index."""
    near: tuple[Revision, ...] = ()
    """For a commit: the releases beside it, the nearest first."""
    why: str = ""
    newer: bool = False
    """The version is above everything that the index holds."""


def pin(location: Location, repo: str, knowledge: Knowledge) -> Pinned | None:
    """The revision that the path itself names, None where it names none."""
    if location.commit:
        return _pin_commit(location.commit, repo, knowledge)
    if location.crate and location.version:
        return _pin_version(location.crate, location.version, repo, knowledge.index)
    return None


def stated(facts: Sequence[Fact], repo: str, knowledge: Knowledge) -> list[Revision]:
    """Revisions of `repo` that the report names: a commit, a release, or the release of a sister repository."""
    found: list[Revision] = []
    for fact in facts:
        if fact.name == f"{repo.split('/')[1]} commit":
            pinned = _pin_commit(fact.value, repo, knowledge)
            found += [pinned.revision] if pinned.revision else []
        elif fact.name in _STATED:
            found += _releases_named(fact, repo, knowledge.index)
    return list(dict.fromkeys(found))


def around(date: str | None, repo: str, index: SiteIndex) -> list[Revision]:
    """Indexed revisions nearest to a date first: the release before it, the one after it, then outwards; main last."""
    releases = [r for r in index.revisions(repo) if r.is_release]
    main = index.revision(repo, MAIN)
    if not date:
        ordered = list(reversed(releases))
    else:
        before = [r for r in releases if r.date[:10] <= date[:10]]
        # Old lines get patch releases years later: what comes after a date is a higher version, not just a later day.
        reached = before[-1].order if before else -1
        after = [r for r in releases if r.order > reached]
        ordered = [*before[-1:], *after[:1], *reversed(before[-3:-1]), *after[1:2], *reversed(before[:-3])]
    return [*ordered, main] if main else ordered


def sides(date: str, repo: str, index: SiteIndex) -> list[Revision]:
    """The revisions between which main stood on a date: the release before and the one that came of it, or main itself.

    () where one side is missing. Patch releases of an older line are no side: main went on without them.
    """
    commit = index.main_at(repo, date)
    nearest = index.revision(repo, commit.nearest) if commit else None
    if commit is None or nearest is None:
        return []
    main = index.revision(repo, MAIN)
    if nearest.date < commit.date:
        return [nearest, main] if main else []
    before = [r for r in index.revisions(repo) if r.order < nearest.order and r.date <= commit.date]
    return [before[-1], nearest] if before else []


def main_commit(date: str | None, repo: str, index: SiteIndex) -> Revision | None:
    """Main as it stood on a date, as a revision that has to be read on the spot."""
    commit = index.main_at(repo, date) if date else None
    return as_revision(commit, index) if commit else None


def as_revision(commit: Commit, index: SiteIndex) -> Revision:
    """A commit of main as a revision: the indexed one where it is indexed."""
    known = index.revision(commit.repo, commit.sha)
    return known or Revision(commit.repo, commit.sha, commit.sha, commit.date, order=-1)


def version_of(name: str) -> tuple[int, ...]:
    """`v0.21.0-pre.3` -> (0, 21, 0): for comparing, pre-releases counted as their release."""
    return tuple(int(n) for n in _NUMBERS.findall(name.split("-", 1)[0]))


def _pin_version(crate: str, version: str, repo: str, index: SiteIndex) -> Pinned:
    revision = index.revision_of_crate(repo, crate, version)
    if revision:
        return Pinned(revision, why=f"the path names {crate} {version}, which is {revision.name} of {repo}")
    newest = index.newest_release(repo, prerelease=True)
    newer = version_of(version) > version_of(newest.name)
    reason = f"newer than the index, which ends at {newest.name}" if newer else "no release of it is indexed"
    return Pinned(None, why=f"the path names {crate} {version} of {repo}: {reason}", newer=newer)


def _pin_commit(sha: str, repo: str, knowledge: Knowledge) -> Pinned:
    index = knowledge.index
    known = index.revision(repo, sha)
    if known:
        return Pinned(known, why=f"the path names commit {sha[:10]}, which is {known.name} of {repo}")
    commits = index.commits(repo, sha) or _off_main(sha, repo, knowledge)
    if len(commits) != 1:
        main = index.revision(repo, MAIN)
        until = f" up to {main.date[:10]}" if main else ""
        reason = "is not unique" if commits else f"is not on main{until}: newer, or of a fork or a branch"
        return Pinned(None, why=f"the path names commit {sha[:10]} of {repo}, which {reason}")
    commit = commits[0]
    near = [r for r in (index.revision(repo, commit.nearest), *around(commit.date, repo, index)[:4]) if r]
    unique = tuple(dict.fromkeys(near))
    return Pinned(
        as_revision(commit, index), unique, f"the path names commit {commit.sha[:10]} of {repo}, {commit.date[:10]}"
    )


def _off_main(sha: str, repo: str, knowledge: Knowledge) -> Sequence[Commit]:
    """A commit that main's list does not have, where the repository itself can be asked."""
    found = knowledge.source.commit(CommitRef(repo, sha))
    return (Commit(repo, found[0], found[1], nearest=""),) if found else ()


def _releases_named(fact: Fact, repo: str, index: SiteIndex) -> list[Revision]:
    home = next((r for r in index.repos() if r.split("/")[1] == fact.name), None)
    if home is None or fact.value == MAIN:
        return []
    named = [r for r in index.revisions(home) if r.is_release and _is_named(fact.value, r.name)]
    if home == repo:
        return list(reversed(named))
    companions = [index.companion(r, repo) for r in reversed(named)]
    return list(dict.fromkeys(c for c in companions if c))


def _is_named(value: str, tag: str) -> bool:
    """`0.18` names every v0.18.x, `0.18.1` only itself."""
    wanted = value.lstrip("v=^~ ")
    name = tag.lstrip("v")
    if name == wanted:
        return True
    return wanted.count(".") < 2 and "-" not in name and name.startswith(wanted + ".")
