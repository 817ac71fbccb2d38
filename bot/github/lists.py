"""Installations, their repositories and their issues, for passes over everything."""

from __future__ import annotations

from collections.abc import Iterator

from bot.errors import PermanentError
from bot.github.client import Clients
from bot.github.comments import is_bot
from bot.ports import Installation, ListedIssue


class Lister:
    """Implements `bot.ports.IssueLister`."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def installations(self) -> Iterator[Installation]:
        """All installations of the App."""
        for raw in self._clients.app().pages("/app/installations"):
            account = (raw.get("account") or {}).get("login") or ""
            suspended, created = raw.get("suspended_at") is not None, str(raw.get("created_at") or "")
            yield Installation(int(raw["id"]), str(account), suspended, created)

    def find_installation(self, repo: str) -> int | None:
        """See `bot.ports.HistoryReader.find_installation`."""
        try:
            return int(self._clients.app().get(f"/repos/{repo}/installation")["id"])
        except PermanentError as error:
            if error.reason in {"not_found", "moved"}:
                return None
            raise

    def count_issues(self, repo: str, *, installation_id: int | None) -> int:
        """See `bot.ports.HistoryReader.count_issues`."""
        session = self._clients.installation(installation_id)
        newest = session.get(f"/repos/{repo}/issues", state="all", sort="created", direction="desc", per_page=1)
        return int(newest[0]["number"]) if newest else 0

    def repositories(self, installation_id: int) -> Iterator[str]:
        """`owner/name` of every repository of an installation."""
        session = self._clients.installation(installation_id)
        for raw in session.pages("/installation/repositories", key="repositories"):
            yield str(raw["full_name"])

    def list_issues(self, repo: str, *, installation_id: int | None, since: str) -> Iterator[ListedIssue]:
        """Issues (no pull requests), open and closed, updated at or after `since`, oldest update first."""
        session = self._clients.installation(installation_id)
        order = {"state": "all", "sort": "updated", "direction": "asc"}
        for raw in session.pages(f"/repos/{repo}/issues", since=since, **order):
            if not raw.get("pull_request"):
                times = str(raw["created_at"]), str(raw["updated_at"])
                yield ListedIssue(int(raw["number"]), int(raw["id"]), *times, is_bot(raw))
