"""What the stand-in GitHub knows: accounts, Apps, repositories, issues, comments. Plain records, no HTTP."""

from __future__ import annotations

import base64
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

ROLES: dict[str, tuple[str, ...]] = {
    "admin": ("pull", "triage", "push", "maintain", "admin"),
    "maintain": ("pull", "triage", "push", "maintain"),
    "write": ("pull", "triage", "push"),
    "triage": ("pull", "triage"),
    "read": ("pull",),
    "none": (),
}
"""Built-in roles with the members of `user.permissions` that they set (docs.github.com, "Repository roles")."""

LEGACY = {"admin": "admin", "maintain": "write", "write": "write", "triage": "read", "read": "read", "none": "none"}
"""The `permission` field, which knows four words only: maintain is "write", triage is "read"."""


def iso(epoch: float) -> str:
    """Epoch seconds as GitHub prints times."""
    return datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class User:
    """An account."""

    login: str
    id: int
    type: str = "User"


@dataclass
class Reaction:
    """One account's reaction to an issue or a comment."""

    id: int
    user: User
    content: str
    created_at: float


@dataclass
class LabelEvent:
    """A label was put on an issue (`labeled`) or taken off (`unlabeled`)."""

    id: int
    kind: str
    actor: User
    label: str
    created_at: float


@dataclass
class Deletion:
    """A comment that is gone: who took it away, and whose it was."""

    id: int
    actor: User
    author: User | None
    created_at: float


@dataclass
class Comment:
    """A comment on an issue."""

    id: int
    issue: Issue
    user: User | None
    body: str
    created_at: float
    updated_at: float
    app: App | None = None
    editor: User | None = None
    minimized: str | None = None
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """As GraphQL names it."""
        return "IC_" + base64.urlsafe_b64encode(f"{self.id}".encode()).decode().rstrip("=")


@dataclass
class Issue:
    """An issue or a pull request."""

    id: int
    repo: Repo
    number: int
    title: str
    body: str | None
    user: User | None
    created_at: float
    updated_at: float
    state: str = "open"
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    events: list[LabelEvent] = field(default_factory=list)
    deletions: list[Deletion] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    is_pull_request: bool = False
    deleted: bool = False
    transferred_to: Issue | None = None
    closed_at: float | None = None

    @property
    def node_id(self) -> str:
        """As GraphQL names it."""
        return "I_" + base64.urlsafe_b64encode(f"{self.id}".encode()).decode().rstrip("=")


@dataclass
class Commit:
    """A commit with all of its files."""

    sha: str
    date: float
    message: str
    files: dict[str, bytes]


@dataclass
class Repo:
    """A repository. `roles` maps logins to a built-in role or to a key of `custom_roles`."""

    id: int
    owner: User
    name: str
    private: bool = False
    roles: dict[str, str] = field(default_factory=dict)
    custom_roles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    created_at: float = 0.0
    has_issues: bool = True

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner.login}/{self.name}"

    def role(self, login: str) -> str:
        """Role of an account; everybody may read a public repository."""
        if login.casefold() == self.owner.login.casefold():
            return "admin"
        found = next((role for name, role in self.roles.items() if name.casefold() == login.casefold()), None)
        return found or ("none" if self.private else "read")

    def abilities(self, login: str) -> tuple[str, ...]:
        """What `user.permissions` says is true."""
        role = self.role(login)
        return self.custom_roles[role] if role in self.custom_roles else ROLES[role]


@dataclass
class App:
    """A GitHub App."""

    id: int
    slug: str
    owner: User
    bot: User
    private_key: str = field(repr=False)
    public_key: str = field(repr=False)
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    webhook_url: str | None = None
    webhook_secret: str = field(default="", repr=False)
    webhook_form: bool = False
    webhook_insecure: bool = False
    """As an App's page on GitHub lets one choose; both are only shown."""
    permissions: dict[str, str] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    created_at: float = 0.0


@dataclass
class Installation:
    """An App on one account."""

    id: int
    app: App
    account: User
    repos: list[Repo]
    permissions: dict[str, str]
    created_at: float
    suspended_at: float | None = None
    deleted: bool = False


@dataclass
class Token:
    """What an Authorization header may carry beside a JWT."""

    text: str = field(repr=False)
    user: User = field(default_factory=lambda: User("", 0))
    installation: Installation | None = None
    repo: Repo | None = None
    """Set for an Action's token: that repository alone."""
    expires_at: float | None = None


@dataclass
class Quota:
    """Primary rate limit of one installation or account."""

    limit: int = 5000
    used: int = 0
    reset_at: float = 0.0


class World:
    """All records, one lock, one clock, ids that only grow."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.lock = threading.RLock()
        self.users: dict[str, User] = {}
        self.apps: dict[int, App] = {}
        self.installations: dict[int, Installation] = {}
        self.repos: dict[int, Repo] = {}
        self.old_names: dict[str, int] = {}
        self.tokens: dict[str, Token] = {}
        self.quotas: dict[str, Quota] = {}
        self.manifests: dict[str, dict[str, object]] = {}
        self.oauth_codes: dict[str, dict[str, str]] = {}
        self.blobs: dict[str, bytes] = {}
        self._ids = itertools.count(1_000_001, 7)

    def new_id(self) -> int:
        """Greater than every id before."""
        return next(self._ids)

    def user(self, login: str, kind: str = "User") -> User:
        """The account of this login, made where there is none."""
        with self.lock:
            key = login.casefold()
            if key not in self.users:
                self.users[key] = User(login, self.new_id(), "Bot" if login.endswith("[bot]") else kind)
            return self.users[key]

    def find_repo(self, full_name: str) -> Repo | None:
        """By present name."""
        return next((r for r in self.repos.values() if r.full_name.casefold() == full_name.casefold()), None)

    def moved_repo(self, full_name: str) -> Repo | None:
        """By a former name."""
        repo_id = self.old_names.get(full_name.casefold())
        return self.repos.get(repo_id) if repo_id else None

    def all_comments(self) -> list[Comment]:
        """Of every issue that can be seen, oldest first."""
        issues = [i for r in self.repos.values() for i in r.issues.values() if not i.deleted and not i.transferred_to]
        return sorted((c for i in issues for c in i.comments), key=lambda c: c.id)

    def find_comment(self, comment_id: int) -> Comment | None:
        """By id."""
        return next((c for c in self.all_comments() if c.id == comment_id), None)

    def quota(self, key: str) -> Quota:
        """Present quota of one token owner; it starts afresh an hour after its start."""
        quota = self.quotas.setdefault(key, Quota(reset_at=self.clock() + 3600))
        if self.clock() >= quota.reset_at:
            quota.used, quota.reset_at = 0, self.clock() + 3600
        return quota
