"""Finding what no webhook told us: GitHub never sends a failed delivery again by itself.

`sweep` walks the App's delivery log, which reaches three days back; `reconcile` walks the issues themselves, which
reaches back for ever. What either finds goes through the inbox like any delivery, once.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, Engine

from bot.clock import Clock, iso
from bot.delivery import Delivery, describe, reconciled
from bot.inbox import Inbox
from bot.ports import DeliveryLog, DeliverySummary, Installation, IssueLister, IssueReader, ListedIssue
from bot.store import deliveries, installations, issues

log = logging.getLogger(__name__)

LOG_SECONDS = 3 * 86_400.0
"""GitHub keeps its delivery log for three days (docs: Viewing webhook deliveries)."""

OVERLAP_SECONDS = 600.0
"""Looked at again each time: deliveries under way, and clocks that differ."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """Looks for them. `bot_login` as in the settings."""

    engine: Engine
    clock: Clock
    inbox: Inbox
    deliveries: DeliveryLog
    lister: IssueLister
    reader: IssueReader
    bot_login: str | None

    def sweep(self, covered_until: float | None) -> int:
        """Take in every logged delivery that is not in the inbox. How many there were.

        `covered_until`: where the last sweep ended, None for the whole log.
        """
        oldest = self.clock.now() - LOG_SECONDS
        since = oldest if covered_until is None else max(oldest, covered_until - OVERLAP_SECONDS)
        listed = {found.guid: found for found in self.deliveries.list_deliveries(since=iso(since))}
        missing = self._unknown(listed)
        for guid in missing:
            self._take_in(listed[guid])
        return len(missing)

    def reconcile(self, covered_until: float | None) -> int:
        """Make a delivery for every issue that changed after our last job on it. How many there were."""
        found = 0
        for installation in self.lister.installations():
            if installation.suspended:
                continue
            for repo in self.lister.repositories(installation.id):
                found += self._reconcile(repo, installation, covered_until)
        return found

    def _unknown(self, guids: Collection[str]) -> list[str]:
        with self.engine.connect() as conn:
            return [guid for guid in guids if deliveries.find(conn, guid) is None]

    def _take_in(self, summary: DeliverySummary) -> None:
        logged = self.deliveries.read_delivery(summary.id)
        # GitHub gives parsed JSON back: these are not the bytes that were signed, nor do they hash to the same.
        body = json.dumps(logged.payload).encode()
        digest = hashlib.sha256(body).hexdigest()
        delivery = describe(
            logged.payload, event=summary.event, guid=summary.guid, body_hash=digest, bot_login=self.bot_login
        )
        outcome = self.inbox.accept(replace(delivery, via="swept"), body)
        log.warning("delivery %s was not in the inbox: %s", summary.guid, outcome)

    def _reconcile(self, repo: str, installation: Installation, covered_until: float | None) -> int:
        with self.engine.begin() as conn:
            known = installations.find_repository(conn, repo)
            told = installations.is_known(conn, installation.id)
        installed_at = known.installed_at if known else self._installed_at(installation, told, covered_until)
        start = moment(installed_at)
        since = start if covered_until is None or known is None else max(start, covered_until - OVERLAP_SECONDS)
        listed = list(self.lister.list_issues(repo, installation_id=installation.id, since=iso(since)))
        if not listed:
            return 0
        repo_id = known.repo_id if known else self._note(repo, listed[0].number, installation.id, installed_at)
        return sum(self._renew(repo, repo_id, issue, installation.id) for issue in listed)

    def _installed_at(self, installation: Installation, told: bool, covered_until: float | None) -> str:
        """Since when we are in a repository that nobody told us of.

        Since the installation, when we were not told of that either; else the repository was added to it after we last
        looked.
        """
        if not told and installation.created_at:
            return installation.created_at
        return iso(self.clock.now() if covered_until is None else covered_until)

    def _note(self, repo: str, number: int, installation_id: int, installed_at: str) -> int:
        repo_id = self.reader.read_issue(repo, number, installation_id=installation_id).repo_id
        with self.engine.begin() as conn:
            installations.note_repository(conn, repo_id, repo, installation_id, installed_at)
        return repo_id

    def _renew(self, repo: str, repo_id: int, issue: ListedIssue, installation_id: int) -> bool:
        with self.engine.connect() as conn:
            if is_covered(conn, repo_id, issue, self.clock.now()):
                return False
        delivery = _made(repo, repo_id, issue, installation_id)
        outcome = self.inbox.accept(delivery, b"{}")
        if outcome == deliveries.QUEUED:
            log.warning("%s changed without our hearing of it", delivery.partition)
        return outcome == deliveries.QUEUED


def is_covered(conn: Connection, repo_id: int, issue: ListedIssue, now: float) -> bool:
    """Did a job of ours look at this issue after its last change, or does one wait to?"""
    ended = issues.last_job(conn, repo_id, issue.issue_id)
    # An end that lies ahead was written before our clock was set back: it says nothing.
    if ended is not None and moment(issue.updated_at) <= ended <= now:
        return True
    return deliveries.waits(conn, repo_id, issue.issue_id)


def moment(text: str) -> float:
    """Seconds since 1970 of an ISO 8601 time with a zone."""
    return datetime.fromisoformat(text).timestamp()


def _made(repo: str, repo_id: int, issue: ListedIssue, installation_id: int) -> Delivery:
    guid = f"reconciled-{repo_id}-{issue.issue_id}-{int(moment(issue.updated_at))}"
    return reconciled(
        guid,
        hashlib.sha256(guid.encode()).hexdigest(),
        installation_id=installation_id,
        repo=repo,
        repo_id=repo_id,
        issue=issue.number,
        issue_id=issue.issue_id,
        issue_created_at=issue.created_at,
    )
