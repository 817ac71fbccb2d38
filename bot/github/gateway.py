"""Everything of this package behind one object, as the composition root hands it out."""

from __future__ import annotations

import time
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from pathlib import Path

from bot.github.auth import Clock, Credentials
from bot.github.client import API, TIMEOUT, Clients
from bot.github.comments import Identity, OwnComments
from bot.github.configuration import FileConfiguration
from bot.github.deliveries import AppDeliveryLog
from bot.github.lists import Lister
from bot.github.marker import Marks
from bot.github.publish import CommentPublisher, Done, no_budget
from bot.github.reactions import ReactionCounts
from bot.github.read import Reader
from bot.github.source import ApiSource, CloneSource, FirstSource
from bot.github.traces import Traces
from bot.ports import (
    BeforeWrite,
    ConfigurationFile,
    DeliverySummary,
    Installation,
    ListedIssue,
    LoggedDelivery,
    PastIssue,
    People,
    SourceReader,
    Target,
)
from bot.triage.actions import Action
from bot.triage.snapshot import IssueSnapshot


class GitHub:
    """Implements the protocols of `bot.ports` that speak of GitHub. One for all threads."""

    def __init__(
        self,
        clients: Clients,
        marks: Marks,
        before_write: BeforeWrite = no_budget,
        at_last: BeforeWrite = no_budget,
        renew_markers: bool = False,
    ) -> None:
        own = OwnComments(identity := Identity(clients), marks)
        self.clients = clients
        self.identity = identity
        self._reader = Reader(clients, own)
        self._publisher = CommentPublisher(clients, own, marks, before_write, at_last, renew_markers)
        self._deliveries = AppDeliveryLog(clients)
        self._lister = Lister(clients)
        self._configuration = FileConfiguration(clients)
        self._reactions = ReactionCounts(clients)
        self.traces = Traces(clients, identity)

    def login(self) -> str:
        """The account that we write as."""
        return self.identity.login()

    def read_issue(self, repo: str, number: int, *, installation_id: int | None, people: People = ()) -> IssueSnapshot:
        """See `bot.ports.IssueReader.read_issue`."""
        return self._reader.read_issue(repo, number, installation_id=installation_id, people=people)

    def publish(
        self,
        action: Action,
        target: Target,
        *,
        intent_id: str,
        comment_id: int | None = None,
        known_hashes: Collection[str] = (),
    ) -> Done:
        """See `bot.ports.Publisher.publish`."""
        return self._publisher.publish(
            action, target, intent_id=intent_id, comment_id=comment_id, known_hashes=known_hashes
        )

    def list_deliveries(self, *, since: str) -> Iterator[DeliverySummary]:
        """See `bot.ports.DeliveryLog.list_deliveries`."""
        return self._deliveries.list_deliveries(since=since)

    def read_delivery(self, delivery_id: int) -> LoggedDelivery:
        """See `bot.ports.DeliveryLog.read_delivery`."""
        return self._deliveries.read_delivery(delivery_id)

    def redeliver(self, delivery_id: int) -> None:
        """See `bot.ports.DeliveryLog.redeliver`."""
        self._deliveries.redeliver(delivery_id)

    def installations(self) -> Iterator[Installation]:
        """See `bot.ports.IssueLister.installations`."""
        return self._lister.installations()

    def repositories(self, installation_id: int) -> Iterator[str]:
        """See `bot.ports.IssueLister.repositories`."""
        return self._lister.repositories(installation_id)

    def list_issues(self, repo: str, *, installation_id: int | None, since: str) -> Iterator[ListedIssue]:
        """See `bot.ports.IssueLister.list_issues`."""
        return self._lister.list_issues(repo, installation_id=installation_id, since=since)

    def read_configuration(self, repo: str, *, installation_id: int | None, etag: str = "") -> ConfigurationFile | None:
        """See `bot.ports.ConfigurationReader.read_configuration`."""
        return self._configuration.read_configuration(repo, installation_id=installation_id, etag=etag)

    def count_reactions(self, repo: str, comment_id: int, *, installation_id: int | None) -> Mapping[str, int] | None:
        """See `bot.ports.ReactionReader.count_reactions`."""
        return self._reactions.count_reactions(repo, comment_id, installation_id=installation_id)

    def find_installation(self, repo: str) -> int | None:
        """See `bot.ports.HistoryReader.find_installation`."""
        return self._lister.find_installation(repo)

    def count_issues(self, repo: str, *, installation_id: int | None) -> int:
        """See `bot.ports.HistoryReader.count_issues`."""
        return self._lister.count_issues(repo, installation_id=installation_id)

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
        return self._reader.past_issues(
            repo, installation_id=installation_id, page=page, newest_first=newest_first, known=known
        )

    def source(self, installation_id: int | None, *, clones: Path | None = None) -> SourceReader:
        """Local clones first, where a folder is given, then the API."""
        api = ApiSource(self.clients, installation_id)
        return FirstSource(CloneSource(clones), api) if clones else api


def connect(
    credentials: Credentials,
    *,
    marker_keys: Sequence[bytes] = (),
    before_write: BeforeWrite = no_budget,
    at_last: BeforeWrite = no_budget,
    base_url: str = API,
    clock: Clock = time.time,
    timeout: int = TIMEOUT,
    retries: int = 2,
    backoff: float = 0.5,
    renew_markers: bool = False,
) -> GitHub:
    """GitHub as these credentials see it. Makes no request. Raises UserError for an unusable private key."""
    clients = Clients(credentials, base_url=base_url, clock=clock, timeout=timeout, retries=retries, backoff=backoff)
    return GitHub(clients, Marks(tuple(marker_keys)), before_write, at_last, renew_markers)
