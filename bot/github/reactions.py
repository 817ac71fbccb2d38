"""What people think of our comments: GitHub counts the reactions with each comment."""

from __future__ import annotations

from collections.abc import Mapping

from bot.errors import PermanentError
from bot.github.client import Clients

CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")
_MISSING = frozenset({"not_found", "gone", "moved"})


class ReactionCounts:
    """Implements `bot.ports.ReactionReader`."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def count_reactions(self, repo: str, comment_id: int, *, installation_id: int | None) -> Mapping[str, int] | None:
        """See `bot.ports.ReactionReader.count_reactions`."""
        session = self._clients.installation(installation_id)
        try:
            raw = session.get(f"/repos/{repo}/issues/comments/{comment_id}")
        except PermanentError as error:
            if error.reason in _MISSING:
                return None
            raise
        given = raw.get("reactions") or {}
        return {content: int(given[content]) for content in CONTENTS if given.get(content)}
