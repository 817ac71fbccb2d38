"""What the engine asks of GitHub, as protocols, and the plain values that go in and come out. No I/O here.

`bot.github` implements all of them against the real API; `bot.wiring` is the only place that chooses.

Every method raises `bot.errors.TransientError` (worth another try; `retry_after` in seconds where waiting is asked
for) or `bot.errors.PermanentError` (park the job), never anything of the HTTP library. The reason codes are listed in
`bot.github.failures`. A TransientError of a write whose fate is unknown (`reason` in `bot.github.failures.UNCERTAIN`)
carries a `retry_after` of at least ten seconds: GitHub's own lists lag behind a write that it has accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.triage.actions import Action
from bot.triage.snapshot import IssueSnapshot, OwnComment
from kb.model import JsonValue

People = Collection[str] | Callable[[IssueSnapshot], Collection[str]]
"""Logins whose permission is to be read, or what names them once title, body and comments are known."""

BeforeWrite = Callable[[int | None, bool], None]
"""Called right before each changing request with the installation and whether the request makes content (a comment, an
edit, a reaction). It may wait, or raise TransientError(`budget`, ..., retry_after) to put the action off."""


@dataclass(frozen=True, slots=True)
class Target:
    """The issue that actions are for. Made from a snapshot: `Target.of(snapshot, installation_id)`."""

    repo: str
    repo_id: int
    number: int
    issue_id: int
    installation_id: int | None
    """None with a plain token (the GitHub Action)."""

    @classmethod
    def of(cls, snapshot: IssueSnapshot, installation_id: int | None) -> Target:
        """The issue of this snapshot."""
        return cls(snapshot.repo, snapshot.repo_id, snapshot.number, snapshot.issue_id, installation_id)


class IssueReader(Protocol):
    """Reads an issue's present state."""

    def read_issue(self, repo: str, number: int, *, installation_id: int | None, people: People = ()) -> IssueSnapshot:
        """Issue, all comments, our own comment, and the permissions of `people`.

        A deleted, transferred or converted issue comes back with `gone=True` and empty texts; a repository that was
        renamed is followed, `repo` in the answer is its present name. A repository that cannot be seen any more:
        PermanentError(`repository_not_found`).
        """
        ...


class Publisher(Protocol):
    """Performs actions. Every call is idempotent: doing it again with the same arguments changes nothing."""

    def publish(
        self,
        action: Action,
        target: Target,
        *,
        intent_id: str,
        comment_id: int | None = None,
        known_hashes: Collection[str] = (),
    ) -> dict[str, JsonValue]:
        """Perform one action and say what was done, as plain JSON.

        `intent_id` (1 to 64 of `A-Za-z0-9._-`) names the stored intent; it goes into the marker of a new comment.
        `comment_id` is our comment where the store knows it: it saves a walk through the issue's comments.
        `known_hashes` are the hashes (`bot.github.body_hash`) of all bodies that we wrote or meant to write there:
        another hash makes us ask GitHub who edited last, and a person's edit is never overwritten.

        The answer: `{"action": class name, "did": "created" | "edited" | "unchanged" | "hidden" | "shown" | "deleted" |
        "reacted" | "labelled" | "left", "reason": code or "", "comment_id": int | None, "node_id": str | None,
        "url": str | None, "body_hash": str | None}`. `left` means nothing was written: `edited_by_person`,
        `no_comment`, `comment_gone`, and for labels `taken_off` (by a person).
        """
        ...


@dataclass(frozen=True, slots=True)
class DeliverySummary:
    """One attempt in the App's delivery log. A redelivery has the same GUID and another id."""

    id: int
    guid: str
    delivered_at: str
    """ISO 8601 in UTC."""
    event: str
    action: str | None
    status_code: int
    """The answer that GitHub got; 0 where it got none."""
    redelivery: bool
    installation_id: int | None
    repository_id: int | None

    @property
    def succeeded(self) -> bool:
        """Answered with 2xx."""
        return 200 <= self.status_code < 300


@dataclass(frozen=True, slots=True)
class LoggedDelivery:
    """A delivery with what was sent. The payload is parsed JSON: its bytes cannot be checked against a signature."""

    summary: DeliverySummary
    headers: Mapping[str, str]
    payload: Mapping[str, JsonValue]


class DeliveryLog(Protocol):
    """The App's own delivery log (three days back, GitHub's limit)."""

    def list_deliveries(self, *, since: str) -> Iterator[DeliverySummary]:
        """Attempts delivered at or after `since` (ISO 8601), newest first."""
        ...

    def read_delivery(self, delivery_id: int) -> LoggedDelivery:
        """One attempt with its request."""
        ...

    def redeliver(self, delivery_id: int) -> None:
        """Ask GitHub to send it again."""
        ...


@dataclass(frozen=True, slots=True)
class CommitFact:
    """A commit that exists: its full sha and committer date (ISO 8601 in UTC)."""

    repo: str
    sha: str
    date: str


class SourceReader(Protocol):
    """Source files of the family at revisions that the index does not hold."""

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The file at that tag or sha; None where repository, revision or file is not to be had."""
        ...

    def find_commit(self, repo: str, sha: str) -> CommitFact | None:
        """The commit with this full or abbreviated (7+) sha; None where it is not to be had."""
        ...

    def file_history(self, repo: str, path: str, until: str, limit: int = 8) -> tuple[str, ...]:
        """Full shas of main's commits that touched `path`, up to a date (ISO 8601), newest first, at most `limit`."""
        ...


@dataclass(frozen=True, slots=True)
class ConfigurationFile:
    """What stands at a repository's place for our configuration, on its default branch."""

    text: str | None
    """None where there is no such file."""
    etag: str
    """Names this state; "" where there is none to name."""
    changed_at: str
    """When the newest commit that touched the file was made (ISO 8601 in UTC), "" where that is not to be had."""


class ConfigurationReader(Protocol):
    """Reads a repository's configuration file."""

    def read_configuration(self, repo: str, *, installation_id: int | None, etag: str = "") -> ConfigurationFile | None:
        """The file; None where it is still the one that `etag` names."""
        ...


class ReactionReader(Protocol):
    """Reads what people think of a comment."""

    def count_reactions(self, repo: str, comment_id: int, *, installation_id: int | None) -> Mapping[str, int] | None:
        """How often each of GitHub's eight reactions was given (those never given left out); None where the comment is
        gone."""
        ...


@dataclass(frozen=True, slots=True)
class OwnReaction:
    """A reaction that we gave: what, and when (ISO 8601 in UTC)."""

    content: str
    at: str


class TraceReader(Protocol):
    """What GitHub remembers of us, for the Action, which keeps no store."""

    def own_reactions(self, repo: str, number: int, comment_id: int | None) -> tuple[OwnReaction, ...]:
        """Our reactions on a comment, or on the issue itself where `comment_id` is None."""
        ...

    def own_comment_deleted(self, repo: str, number: int) -> bool:
        """Whether a comment of our account was deleted on the issue, by whomever."""
        ...

    def edited_by_person(self, own: OwnComment) -> bool:
        """Whether somebody else edited our comment last."""
        ...

    def first_commit(self, repo: str, path: str) -> str:
        """When the first commit of a file on the default branch was made (ISO 8601), "" where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class PastIssue:
    """An issue of the history as it stands now, and the list page (from 1, oldest issues first) that it came on."""

    page: int
    snapshot: IssueSnapshot


class HistoryReader(Protocol):
    """Walks all issues of a repository, oldest first."""

    def find_installation(self, repo: str) -> int | None:
        """The installation that may see `owner/name`; None where the App is not installed there."""
        ...

    def past_issues(
        self,
        repo: str,
        *,
        installation_id: int | None,
        page: int = 1,
        newest_first: bool = False,
        known: Container[int] = (),
    ) -> Iterator[PastIssue]:
        """Every issue (no pull requests) in the order of its opening or the other way round, from that page on.

        Permissions are not read, nor the comments of `known` numbers.
        """
        ...

    def count_issues(self, repo: str, *, installation_id: int | None) -> int:
        """The highest number given so far to an issue or pull request: how long the walk can be at most."""
        ...


@dataclass(frozen=True, slots=True)
class ListedIssue:
    """One issue of the list that `reconcile` walks."""

    number: int
    issue_id: int
    created_at: str
    updated_at: str
    author_is_bot: bool


@dataclass(frozen=True, slots=True)
class Installation:
    """One installation of the App with the repositories that it may see."""

    id: int
    account: str
    suspended: bool
    created_at: str = field(default="", compare=False)
    """ISO 8601 in UTC; "" where GitHub does not say."""


class IssueLister(Protocol):
    """What the reconcile pass walks."""

    def installations(self) -> Iterator[Installation]:
        """All installations of the App."""
        ...

    def repositories(self, installation_id: int) -> Iterator[str]:
        """`owner/name` of every repository of an installation."""
        ...

    def list_issues(self, repo: str, *, installation_id: int | None, since: str) -> Iterator[ListedIssue]:
        """Issues (no pull requests), open and closed, updated at or after `since`, oldest update first."""
        ...
