"""Who looks at the dashboard, and what they may see. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardRepo:
    """A repository of the dashboard."""

    repo_id: int
    full_name: str
    """`owner/name`."""
    permission: str
    """The role as GitHub names it: triage, write, maintain, admin, or a custom one with such rights."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person with triage permission or more on each of `repos`; everything else does not exist for them."""

    login: str
    repos: tuple[BoardRepo, ...]
    """By name; never empty on a page: whoever may see nothing is refused before."""
    local: bool = False
    """Not logged in: at this machine, in local mode."""

    @property
    def repo_ids(self) -> tuple[int, ...]:
        """The ids of all their repositories, for a query."""
        return tuple(repo.repo_id for repo in self.repos)

    def repo(self, repo_id: int) -> BoardRepo | None:
        """One of their repositories; None for one that is not theirs or does not exist."""
        return next((repo for repo in self.repos if repo.repo_id == repo_id), None)

    def may_see(self, repo_id: int) -> bool:
        """Whether it is one of theirs."""
        return self.repo(repo_id) is not None
