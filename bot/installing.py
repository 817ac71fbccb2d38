"""What an event of the installation itself changes: where the App is, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bot.clock import iso
from bot.store import installations
from bot.store.deliveries import StoredDelivery


@dataclass(frozen=True, slots=True)
class Installed:
    """An `installation` or `installation_repositories` event, carried out on the tables."""

    installation_id: int
    action: str
    payload: Mapping[str, Any]
    received_at: float
    now: float

    def apply(self, conn: Connection) -> None:
        """Keep the list of installations and repositories; an uninstalled App forgets."""
        match self.action:
            case "deleted":
                listed = [repo_id for repo_id, _ in self._listed("repositories")]
                installations.remove(conn, self.installation_id, self.now, listed)
            case "suspend" | "unsuspend":
                installations.suspend(conn, self.installation_id, self.action == "suspend")
            case "created" | "added":
                self._add(conn)
            case "removed":
                gone = self._listed("repositories_removed")
                repo_ids = [repo_id for repo_id, _ in gone]
                installations.remove_repositories(conn, repo_ids, self.now, until=self.received_at)

    def _add(self, conn: Connection) -> None:
        moment = iso(self.received_at)
        if self.action == "created":
            installation = self.payload.get("installation") or {}
            account = installation.get("account") or {}
            # GitHub's own time: the delivery may come after the first issue does.
            moment = _moment(installation.get("created_at")) or moment
            installations.add(conn, self.installation_id, str(account.get("login") or "")[:128], moment)
        for repo_id, name in self._listed("repositories") + self._listed("repositories_added"):
            installations.add_repository(conn, repo_id, name, self.installation_id, moment)

    def _listed(self, key: str) -> list[tuple[int, str]]:
        listed = self.payload.get(key)
        items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
        return [(int(i["id"]), str(i.get("full_name") or "")[:256]) for i in items if isinstance(i.get("id"), int)]


def _moment(value: Any) -> str | None:
    """GitHub writes times as ISO 8601, in some events as seconds since 1970."""
    if isinstance(value, int) and 0 < value < 2**33:
        return iso(value)
    try:
        return iso(datetime.fromisoformat(value).timestamp())
    except (TypeError, ValueError):
        return None


def first_seen(stored: StoredDelivery) -> str:
    """Since when a repository counts as ours whose installation we were never told of: since its first delivery.

    A new issue that is this first delivery is not older than the installation.
    """
    moment = iso(stored.received_at)
    opened = stored.delivery.issue_created_at if stored.delivery.action == "opened" else None
    return min(moment, opened) if opened else moment
