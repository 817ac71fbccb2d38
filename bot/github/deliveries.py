"""The App's own delivery log: what GitHub sent us and how we answered (docs.github.com, "Webhooks" of GitHub Apps)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from bot.github.client import Clients
from bot.ports import DeliverySummary, LoggedDelivery


class AppDeliveryLog:
    """Implements `bot.ports.DeliveryLog`. Needs App credentials."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def list_deliveries(self, *, since: str) -> Iterator[DeliverySummary]:
        """Attempts delivered at or after `since` (ISO 8601), newest first, as GitHub lists them."""
        first = _moment(since)
        for raw in self._clients.app().pages("/app/hook/deliveries"):
            if _moment(raw["delivered_at"]) < first:
                return
            yield _summary(raw)

    def read_delivery(self, delivery_id: int) -> LoggedDelivery:
        """One attempt with its request."""
        raw = self._clients.app().get(f"/app/hook/deliveries/{delivery_id}")
        request = raw.get("request") or {}
        return LoggedDelivery(_summary(raw), dict(request.get("headers") or {}), dict(request.get("payload") or {}))

    def redeliver(self, delivery_id: int) -> None:
        """Ask GitHub to send it again."""
        self._clients.app().call("POST", f"/app/hook/deliveries/{delivery_id}/attempts")


def _summary(raw: Mapping[str, Any]) -> DeliverySummary:
    return DeliverySummary(
        id=int(raw["id"]),
        guid=str(raw["guid"]),
        delivered_at=str(raw["delivered_at"]),
        event=str(raw["event"]),
        action=raw.get("action"),
        status_code=int(raw.get("status_code") or 0),
        redelivery=bool(raw.get("redelivery")),
        installation_id=raw.get("installation_id"),
        repository_id=raw.get("repository_id"),
    )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
