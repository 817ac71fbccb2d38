"""What people and Apps do: each method changes the state and sends the event that GitHub would send."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from tests.fakes.github.errors import ApiError, invalid
from tests.fakes.github.state import App, Comment, Deletion, Issue, LabelEvent, Reaction, Repo, User, World

MAX_BODY = 65_536
CONTENTS = frozenset({"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"})


class Emit(Protocol):
    """Sends one event to every App that wants it."""

    def __call__(self, event: str, action: str, repo: Repo, sender: User, **parts: Any) -> None: ...


class People:
    """Deeds on issues. Logins may be given as text; repositories as `owner/name`."""

    def __init__(self, world: World, emit: Emit) -> None:
        self.world = world
        self._emit = emit

    def repo(self, name: str) -> Repo:
        """By present name. Raises KeyError."""
        found = self.world.find_repo(name)
        if found is None:
            raise KeyError(name)
        return found

    def issue(self, repo: str, number: int) -> Issue:
        """By number. Raises KeyError."""
        return self.repo(repo).issues[number]

    def open_issue(
        self, repo: str, user: str, title: str, body: str | None = "", *, labels: Iterable[str] = (), pull: bool = False
    ) -> Issue:
        """Open an issue (or a pull request)."""
        home, author, now = self.repo(repo), self.world.user(user), self.world.clock()
        if len(body or "") > MAX_BODY:
            raise invalid("Issue", "body", "custom", f"body is too long (maximum is {MAX_BODY} characters)")
        with self.world.lock:
            number = max(home.issues, default=0) + 1
            issue = Issue(self.world.new_id(), home, number, title, body, author, now, now, is_pull_request=pull)
            issue.labels += list(labels)
            home.issues[number] = issue
        if not pull:
            self._emit("issues", "opened", home, author, issue=issue)
        return issue

    def edit_issue(
        self, repo: str, number: int, *, by: str = "", title: str | None = None, body: str | None = None
    ) -> Issue:
        """Change title or body; by its author where nobody is named."""
        issue = self.issue(repo, number)
        changes: dict[str, Any] = {}
        if title is not None:
            changes["title"] = {"from": issue.title}
            issue.title = title
        if body is not None:
            changes["body"] = {"from": issue.body or ""}
            issue.body = body
        self._touch(issue)
        self._emit("issues", "edited", issue.repo, self._actor(by, issue.user), issue=issue, changes=changes)
        return issue

    def close_issue(self, repo: str, number: int, *, by: str = "") -> None:
        """Close it."""
        issue = self.issue(repo, number)
        issue.state, issue.closed_at = "closed", self.world.clock()
        self._touch(issue)
        self._emit("issues", "closed", issue.repo, self._actor(by, issue.user), issue=issue)

    def reopen_issue(self, repo: str, number: int, *, by: str = "") -> None:
        """Open it again."""
        issue = self.issue(repo, number)
        issue.state, issue.closed_at = "open", None
        self._touch(issue)
        self._emit("issues", "reopened", issue.repo, self._actor(by, issue.user), issue=issue)

    def lock_issue(self, repo: str, number: int, *, by: str = "", locked: bool = True) -> None:
        """Lock or unlock the conversation."""
        issue = self.issue(repo, number)
        issue.locked = locked
        self._touch(issue)
        action = "locked" if locked else "unlocked"
        self._emit("issues", action, issue.repo, self._actor(by, issue.repo.owner), issue=issue)

    def delete_issue(self, repo: str, number: int, *, by: str = "") -> None:
        """Delete it: 410 from now on."""
        issue = self.issue(repo, number)
        issue.deleted = True
        self._emit("issues", "deleted", issue.repo, self._actor(by, issue.repo.owner), issue=issue)

    def transfer_issue(self, repo: str, number: int, to: str, *, by: str = "") -> Issue:
        """Move it to another repository, comments included; it gets new ids, the old number redirects."""
        old, home = self.issue(repo, number), self.repo(to)
        with self.world.lock:
            new = Issue(
                self.world.new_id(), home, max(home.issues, default=0) + 1, old.title, old.body, old.user,
                old.created_at, self.world.clock(), state=old.state, labels=list(old.labels),
            )  # fmt: skip
            home.issues[new.number] = new
            new.comments, old.comments = old.comments, []
            for comment in new.comments:
                comment.issue = new
            old.transferred_to = new
        actor = self._actor(by, home.owner)
        self._emit("issues", "transferred", old.repo, actor, issue=old, moved_to=new)
        self._emit("issues", "opened", home, actor, issue=new, moved_from=old)
        return new

    def label_issue(self, repo: str, number: int, label: str, *, by: str = "", remove: bool = False) -> None:
        """Put a label on, or take it off."""
        issue = self.issue(repo, number)
        if remove == (label in issue.labels):
            issue.labels.remove(label) if remove else issue.labels.append(label)
            issue.repo.labels.setdefault(label, "ededed")
            self._touch(issue)
            action, actor = "unlabeled" if remove else "labeled", self._actor(by, issue.repo.owner)
            issue.events.append(LabelEvent(self.world.new_id(), action, actor, label, self.world.clock()))
            self._emit("issues", action, issue.repo, actor, issue=issue, label=label)

    def comment(self, repo: str, number: int, user: str, body: str, *, app: App | None = None) -> Comment:
        """Write a comment. Raises ApiError 403 on a locked issue, 410 on a deleted one, 422 for a bad body."""
        issue, author, now = self.issue(repo, number), self.world.user(user), self.world.clock()
        if issue.deleted:
            raise ApiError(410, "This issue was deleted")
        if issue.locked and "push" not in issue.repo.abilities(author.login):
            raise ApiError(403, "Unable to create comment because issue is locked.")
        _check_body(body)
        with self.world.lock:
            comment = Comment(self.world.new_id(), issue, author, body, now, now, app=app)
            issue.comments.append(comment)
        self._touch(issue)
        self._emit("issue_comment", "created", issue.repo, author, issue=issue, comment=comment)
        return comment

    def edit_comment(self, comment_id: int, body: str, *, by: str = "") -> Comment:
        """Change a comment; by its author where nobody is named."""
        comment = self.find(comment_id)
        _check_body(body)
        actor = self._actor(by, comment.user)
        changes = {"body": {"from": comment.body}}
        comment.body, comment.editor, comment.updated_at = body, actor, self.world.clock()
        self._touch(comment.issue)
        parts: dict[str, Any] = {"issue": comment.issue, "comment": comment, "changes": changes}
        self._emit("issue_comment", "edited", comment.issue.repo, actor, **parts)
        return comment

    def delete_comment(self, comment_id: int, *, by: str = "") -> None:
        """Delete a comment."""
        comment = self.find(comment_id)
        comment.issue.comments.remove(comment)
        actor = self._actor(by, comment.user)
        gone = Deletion(self.world.new_id(), actor, comment.user, self.world.clock())
        comment.issue.deletions.append(gone)
        self._emit("issue_comment", "deleted", comment.issue.repo, actor, issue=comment.issue, comment=comment)

    def minimize_comment(self, comment_id: int, classifier: str | None = "OUTDATED") -> None:
        """Hide a comment, or show it again with None. GitHub sends no event for it."""
        self.find(comment_id).minimized = classifier

    def find(self, comment_id: int) -> Comment:
        """A comment by id. Raises ApiError 404."""
        found = self.world.find_comment(comment_id)
        if found is None:
            raise ApiError(404, "Not Found")
        return found

    def react(self, subject: Issue | Comment, user: User, content: str) -> tuple[Reaction, bool]:
        """React; the second value is False where that reaction was there already."""
        if content not in CONTENTS:
            raise invalid("Reaction", "content", "invalid")
        old = next((r for r in subject.reactions if r.user is user and r.content == content), None)
        if old:
            return old, False
        new = Reaction(self.world.new_id(), user, content, self.world.clock())
        subject.reactions.append(new)
        return new, True

    def rename_repo(self, repo: str, name: str) -> None:
        """Give a repository another name; the old one redirects."""
        home = self.repo(repo)
        self.world.old_names[home.full_name.casefold()] = home.id
        home.name = name

    def _actor(self, login: str, otherwise: User | None) -> User:
        return self.world.user(login) if login else otherwise or self.world.user("ghost")

    def _touch(self, issue: Issue) -> None:
        issue.updated_at = self.world.clock()


def _check_body(body: Any) -> None:
    if not isinstance(body, str) or not body.strip():
        raise invalid("IssueComment", "body", "missing_field")
    if len(body) > MAX_BODY:
        words = f"Body is too long (maximum is {MAX_BODY} characters)"
        raise invalid("IssueComment", "data", "unprocessable", words)
