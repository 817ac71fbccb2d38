"""An issue's present state as a snapshot. Whatever an event said is only a reason to look."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from dataclasses import replace
from urllib.parse import quote

from bot.errors import PermanentError
from bot.github.client import Clients, Session
from bot.github.comments import Own, OwnComments, Raw, author, is_bot, live
from bot.github.labels import names as label_names
from bot.ports import PastIssue, People
from bot.triage.snapshot import CommentSnapshot, IssueSnapshot, OwnComment, Permission

MAY_STEER = ("triage", "push", "maintain", "admin")
"""Any of these in `user.permissions` makes a steward. The `permission` field calls the triage role "read", and a custom
role by the role it is based on (docs.github.com, "Get repository permissions for a user")."""

_INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"})

_OLDEST_FIRST = {"state": "all", "sort": "created", "direction": "asc"}

_NEWEST_FIRST = _OLDEST_FIRST | {"direction": "desc"}

_VANISHED = frozenset({"not_found", "gone", "moved"})


class Reader:
    """Implements `bot.ports.IssueReader`."""

    def __init__(self, clients: Clients, own: OwnComments) -> None:
        self._clients = clients
        self._own = own

    def read_issue(self, repo: str, number: int, *, installation_id: int | None, people: People = ()) -> IssueSnapshot:
        """See `bot.ports.IssueReader.read_issue`."""
        session = self._clients.installation(installation_id)
        repository = _repository(session, repo)
        name, repo_id = str(repository["full_name"]), int(repository["id"])
        try:
            issue = _issue(session, name, number)
            comments = list(session.pages(f"/repos/{name}/issues/{number}/comments")) if issue else []
        except PermanentError as error:
            if error.reason not in _VANISHED:
                raise
            issue, comments = None, []
        if issue is None:
            return _gone(name, repo_id, number)
        snapshot = self._snapshot(session, name, repo_id, issue, comments)
        asked = people(snapshot) if callable(people) else people
        return replace(snapshot, permissions=_permissions(session, name, asked))

    def past_issues(
        self,
        repo: str,
        *,
        installation_id: int | None,
        page: int = 1,
        newest_first: bool = False,
        known: Container[int] = (),
    ) -> Iterator[PastIssue]:
        """See `bot.ports.HistoryReader.past_issues`."""
        session = self._clients.installation(installation_id)
        repository = _repository(session, repo)
        name, repo_id = str(repository["full_name"]), int(repository["id"])
        order = _NEWEST_FIRST if newest_first else _OLDEST_FIRST
        for number, listed in session.numbered_pages(f"/repos/{name}/issues", page=page, **order):
            for issue in listed:
                if not issue.get("pull_request"):
                    bare = issue["number"] in known
                    yield PastIssue(number, self._past(session, name, repo_id, issue, bare=bare))

    def _past(self, session: Session, name: str, repo_id: int, issue: Raw, *, bare: bool) -> IssueSnapshot:
        path = f"/repos/{name}/issues/{issue['number']}/comments"
        try:
            comments = list(session.pages(path)) if issue.get("comments") and not bare else []
        except PermanentError as error:
            if error.reason not in _VANISHED:
                raise
            comments = []  # deleted while we were on our way to it
        return self._snapshot(session, name, repo_id, issue, comments)

    def _snapshot(self, session: Session, name: str, repo_id: int, issue: Raw, comments: list[Raw]) -> IssueSnapshot:
        ours = list(self._own.among(comments, repo_id=repo_id, issue_id=int(issue["id"])))
        speaking = live(session, ours)
        ids = {own.id for own in ours}
        others = [raw for raw in comments if raw["id"] not in ids]
        return IssueSnapshot(
            repo=name,
            repo_id=repo_id,
            number=int(issue["number"]),
            issue_id=int(issue["id"]),
            title=str(issue.get("title") or ""),
            body=str(issue.get("body") or ""),
            author=author(issue),
            author_is_bot=is_bot(issue),
            created_at=str(issue["created_at"]),
            updated_at=str(issue["updated_at"]),
            state=str(issue["state"]),
            locked=bool(issue.get("locked")),
            is_pull_request=bool(issue.get("pull_request")),
            via_app=bool(issue.get("performed_via_github_app")),
            labels=label_names(issue),
            comments=tuple(_comment(raw) for raw in others),
            moved_here=any(self._own.came_along(raw, repo_id=repo_id, issue_id=int(issue["id"])) for raw in others),
            own=_own_comment(*speaking) if speaking else None,
        )


def _repository(session: Session, repo: str) -> Raw:
    """The repository under its present name; GitHub redirects from old ones."""
    try:
        return dict(session.get(f"/repos/{repo}"))
    except PermanentError as error:
        if error.reason not in _VANISHED:
            raise
        raise PermanentError("repository_not_found", str(error)) from error


def _issue(session: Session, name: str, number: int) -> Raw | None:
    """The issue, None where it was transferred: GitHub then redirects to the issue in the other repository."""
    issue: Raw = session.get(f"/repos/{name}/issues/{number}")
    home = str(issue.get("repository_url", "")).rsplit("/repos/", 1)[-1]
    return issue if home.casefold() == name.casefold() else None


def _gone(name: str, repo_id: int, number: int) -> IssueSnapshot:
    return IssueSnapshot(name, repo_id, number, 0, "", "", "", False, "", "", state="closed", gone=True)


def _permissions(session: Session, name: str, people: Collection[str]) -> dict[str, Permission]:
    return {login: _permission(session, name, login) for login in sorted(set(people))}


def _permission(session: Session, name: str, login: str) -> Permission:
    """Yes, no, or unknown where GitHub refuses to say. What may pass by itself is raised and the read tried again."""
    if login.endswith("[bot]"):
        return Permission.NO
    try:
        answer = session.get(f"/repos/{name}/collaborators/{quote(login, safe='')}/permission")
    except PermanentError as error:
        return Permission.NO if error.reason == "not_found" else Permission.UNKNOWN
    granted = (answer.get("user") or {}).get("permissions")
    if not isinstance(granted, dict):
        return Permission.UNKNOWN
    return Permission.YES if any(granted.get(role) is True for role in MAY_STEER) else Permission.NO


def _comment(raw: Raw) -> CommentSnapshot:
    return CommentSnapshot(
        id=int(raw["id"]),
        author=author(raw),
        is_bot=is_bot(raw),
        body=str(raw.get("body") or ""),
        created_at=str(raw["created_at"]),
        updated_at=str(raw["updated_at"]),
        via_app=bool(raw.get("performed_via_github_app")),
        insider=raw.get("author_association") in _INSIDERS,
    )


def _own_comment(own: Own, hidden: bool) -> OwnComment:
    return OwnComment(own.id, own.node_id, own.body, str(own.raw["updated_at"]), hidden)
