"""Our own comments on an issue: found by author and marker together."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.github.auth import AppCredentials
from bot.github.client import Clients, Session
from bot.github.marker import Marker, Marks

GHOST = "ghost"
"""The login that GitHub shows for deleted accounts (the API sends null)."""

Raw = Mapping[str, Any]
"""A JSON object as the API sends it."""

_STATE = """query($id: ID!) { node(id: $id) { ... on IssueComment {
  isMinimized editor { __typename login } } } }"""


@dataclass(frozen=True, slots=True)
class Own:
    """One of our comments as it stands on GitHub."""

    raw: Raw
    marker: Marker

    @property
    def id(self) -> int:
        """GitHub's comment id."""
        return int(self.raw["id"])

    @property
    def node_id(self) -> str:
        """The id that GraphQL wants."""
        return str(self.raw["node_id"])

    @property
    def body(self) -> str:
        """With its marker."""
        return str(self.raw.get("body") or "")

    @property
    def url(self) -> str:
        """The comment's page."""
        return str(self.raw["html_url"])


class Identity:
    """Which account we write as. Asks GitHub once for an App's slug."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._login = "" if isinstance(clients.credentials, AppCredentials) else clients.credentials.login
        self._lock = threading.Lock()

    def login(self) -> str:
        """`slug[bot]` of the App, or the login that came with the token."""
        with self._lock:
            if not self._login:
                self._login = f"{self._clients.app().get('/app')['slug']}[bot]"
            return self._login


class OwnComments:
    """Tells our comments from everybody else's."""

    def __init__(self, identity: Identity, marks: Marks) -> None:
        self._identity = identity
        self._marks = marks

    def among(self, comments: Iterable[Raw], *, repo_id: int, issue_id: int) -> Iterator[Own]:
        """Ours, in the given order."""
        for raw in comments:
            own = self.recognise(raw, repo_id=repo_id, issue_id=issue_id)
            if own:
                yield own

    def recognise(self, raw: Raw, *, repo_id: int, issue_id: int) -> Own | None:
        """This comment if our account wrote it and it carries a genuine marker of this issue."""
        if author(raw).casefold() != self._identity.login().casefold():
            return None
        marker = self._marks.find(str(raw.get("body") or ""), repo_id=repo_id, issue_id=issue_id)
        return Own(raw, marker) if marker else None

    def came_along(self, raw: Raw, *, repo_id: int, issue_id: int) -> bool:
        """Whether we wrote this comment for another issue, which was then transferred here with its comments."""
        if author(raw).casefold() != self._identity.login().casefold():
            return False
        return any((m.repo_id, m.issue_id) != (repo_id, issue_id) for m in self._marks.all(str(raw.get("body") or "")))

    @property
    def login(self) -> str:
        """Whose comments these are: our own login."""
        return self._identity.login()

    def edited_by_person(self, session: Session, own: Own) -> bool:
        """Whether somebody else edited our comment last (GraphQL `editor`; REST does not say)."""
        editor = comment_state(session, own.node_id).get("editor")
        return bool(editor) and written_by_other(editor or {}, self._identity.login())


def written_by_other(actor: Raw, ours: str) -> bool:
    """Whether a GraphQL actor is somebody else than `ours`: GraphQL leaves the `[bot]` of a login out."""
    login = str(actor.get("login", "")) + ("[bot]" if actor.get("__typename") == "Bot" else "")
    return login.casefold() != ours.casefold()


def author(raw: Raw) -> str:
    """Login of who wrote an issue or a comment."""
    user = raw.get("user")
    return str(user["login"]) if user else GHOST


def is_bot(raw: Raw) -> bool:
    """Written by an App's or machine account of GitHub's type Bot."""
    user = raw.get("user") or {}
    return user.get("type") == "Bot" or str(user.get("login", "")).endswith("[bot]")


def minimized(session: Session, own: Own) -> bool:
    """Whether our comment is hidden. Newer API answers say it in REST; elsewhere GraphQL is asked."""
    if "minimized" in own.raw:
        return own.raw["minimized"] is not None
    return bool(comment_state(session, own.node_id).get("isMinimized"))


def comment_state(session: Session, node_id: str) -> Raw:
    """`isMinimized` and `editor` of a comment; empty where the node is no comment."""
    return session.graphql(_STATE, {"id": node_id}).get("node") or {}


def live(session: Session, found: Iterable[Own]) -> tuple[Own, bool] | None:
    """The comment that speaks for us, with its hidden flag: the newest that is not hidden, else the newest."""
    newest_first = sorted(found, key=lambda own: own.id, reverse=True)
    states = [(own, minimized(session, own)) for own in newest_first]
    return next((state for state in states if not state[1]), states[0] if states else None)
