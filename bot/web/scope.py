"""Which of the visitor's repositories a page is about: all, or the one in `?repo=`."""

from __future__ import annotations

from dataclasses import dataclass

from flask import abort, request

from bot.web.visitor import BoardRepo, Visitor


@dataclass(frozen=True, slots=True)
class Scope:
    """What a page is asked about."""

    repo_ids: tuple[int, ...]
    chosen: BoardRepo | None
    """The one repository that was asked for, None for all."""

    @property
    def query(self) -> str:
        """For links that stay with the choice: `?repo=501`, or nothing."""
        return f"?repo={self.chosen.repo_id}" if self.chosen else ""


def scope(visitor: Visitor) -> Scope:
    """The scope of the present request. One that is not the visitor's does not exist: 404."""
    asked = request.args.get("repo", "")
    if not asked:
        return Scope(visitor.repo_ids, None)
    repo = visitor.repo(int(asked)) if asked.isascii() and asked.isdecimal() and len(asked) < 19 else None
    if repo is None:
        abort(404)
    return Scope((repo.repo_id,), repo)
