"""What GitHub itself remembers of us on an issue: our reactions, our comments that are gone, who edited last. For the
Action, which keeps no store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.errors import PermanentError
from bot.github.client import Clients, Session
from bot.github.comments import Identity, author, comment_state, written_by_other
from bot.ports import OwnReaction
from bot.triage.snapshot import OwnComment

_GONE = """query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) {
  issue(number: $number) { timelineItems(itemTypes: [COMMENT_DELETED_EVENT], last: 100) { nodes {
    ... on CommentDeletedEvent { deletedCommentAuthor { __typename login } } } } } } }"""
_MISSING = frozenset({"not_found", "gone", "moved"})


class Traces:
    """Implements `bot.ports.TraceReader`."""

    def __init__(self, clients: Clients, identity: Identity) -> None:
        self._clients = clients
        self._identity = identity

    def own_reactions(self, repo: str, number: int, comment_id: int | None) -> tuple[OwnReaction, ...]:
        """See `bot.ports.TraceReader.own_reactions`."""
        subject = f"issues/{number}" if comment_id is None else f"issues/comments/{comment_id}"
        try:
            given = list(self._session.pages(f"/repos/{repo}/{subject}/reactions"))
        except PermanentError as error:
            if error.reason in _MISSING:
                return ()
            raise
        ours = (raw for raw in given if author(raw).casefold() == self._identity.login().casefold())
        return tuple(OwnReaction(str(raw["content"]), str(raw["created_at"])) for raw in ours)

    def own_comment_deleted(self, repo: str, number: int) -> bool:
        """See `bot.ports.TraceReader.own_comment_deleted`."""
        owner, _, name = repo.partition("/")
        found = self._session.graphql(_GONE, {"owner": owner, "name": name, "number": number})
        return any(not written_by_other(who, self._identity.login()) for who in _authors(found))

    def edited_by_person(self, own: OwnComment) -> bool:
        """See `bot.ports.TraceReader.edited_by_person`."""
        editor = comment_state(self._session, own.node_id).get("editor")
        return bool(editor) and written_by_other(editor or {}, self._identity.login())

    def first_commit(self, repo: str, path: str) -> str:
        """See `bot.ports.TraceReader.first_commit`."""
        oldest: Mapping[str, Any] | None = None
        for commit in self._session.pages(f"/repos/{repo}/commits", path=path):
            oldest = commit
        return str(oldest["commit"]["committer"]["date"]) if oldest else ""

    @property
    def _session(self) -> Session:
        return self._clients.installation(None)


def _authors(found: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    issue = (found.get("repository") or {}).get("issue") or {}
    for event in (issue.get("timelineItems") or {}).get("nodes") or ():
        if event and event.get("deletedCommentAuthor"):
            yield event["deletedCommentAuthor"]
