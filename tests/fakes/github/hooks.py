"""Signed deliveries over HTTP, and the App's own delivery log."""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import requests

from tests.fakes.github.payloads import payload
from tests.fakes.github.state import App, Installation, Repo, User, World, iso

TIMEOUT = 10.0
"""Seconds after which GitHub gives a receiver up."""
LOG_DAYS = 3


@dataclass
class Delivery:
    """One attempt in the log. `status_code` 0: no answer; None: not sent yet."""

    id: int
    guid: str
    app: App
    event: str
    action: str | None
    payload: Mapping[str, Any]
    installation_id: int | None
    repository_id: int | None
    redelivery: bool = False
    delivered_at: float = 0.0
    status_code: int | None = None
    status: str = "pending"
    request_headers: dict[str, str] = field(default_factory=dict)
    response_body: str = ""

    def item(self) -> dict[str, Any]:
        """hook-delivery-item."""
        return {
            "id": self.id,
            "guid": self.guid,
            "delivered_at": iso(self.delivered_at),
            "redelivery": self.redelivery,
            "duration": 0.1,
            "status": self.status,
            "status_code": self.status_code or 0,
            "event": self.event,
            "action": self.action,
            "installation_id": self.installation_id,
            "repository_id": self.repository_id,
        }

    def full(self) -> dict[str, Any]:
        """hook-delivery."""
        request = {"headers": self.request_headers, "payload": dict(self.payload)}
        return self.item() | {
            "url": self.app.webhook_url or "",
            "request": request,
            "response": {"headers": {}, "payload": self.response_body},
        }


def sign(secret: str, body: bytes) -> str:
    """X-Hub-Signature-256."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Hooks:
    """Sends what happens to the Apps that are installed there, one delivery after the other, from one thread."""

    def __init__(self, world: World, base: Callable[[], str]) -> None:
        self.world = world
        self.log: list[Delivery] = []
        self.paused = False
        self._base = base
        self._queue: queue.Queue[Delivery | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def emit(self, event: str, action: str, repo: Repo, sender: User, **parts: Any) -> None:
        """Queue this event for every App installed on the repository that listens to it."""
        for installation in list(self.world.installations.values()):
            live = not installation.deleted and not installation.suspended_at
            if live and repo in installation.repos and event in installation.app.events:
                body = payload(
                    self._base(), event, action, installation=installation, sender=sender, repo=repo, **parts
                )
                self._put(self._new(installation.app, event, body, installation=installation, repo=repo))

    def emit_installation(self, action: str, installation: Installation, sender: User) -> None:
        """`installation` events, which every App gets."""
        body = payload(self._base(), "installation", action, installation=installation, sender=sender)
        self._put(self._new(installation.app, "installation", body, installation=installation))

    def deliver(
        self, app: App, event: str, body: Mapping[str, Any], guid: str | None = None, *, secret: str | None = None
    ) -> Delivery:
        """Send this payload now and wait for the answer."""
        return self._send(self._new(app, event, body, guid=guid), secret)

    def redeliver(self, delivery_id: int) -> Delivery | None:
        """Queue an old delivery again: same GUID, new id. None where there is none."""
        old = self.find(delivery_id)
        if old is None:
            return None
        new = self._new(old.app, old.event, old.payload, guid=old.guid)
        new.redelivery, new.installation_id, new.repository_id = True, old.installation_id, old.repository_id
        self._put(new)
        return new

    def find(self, delivery_id: int) -> Delivery | None:
        """By id."""
        return next((d for d in self.recent() if d.id == delivery_id), None)

    def recent(self, app: App | None = None) -> list[Delivery]:
        """The log, newest first, as far back as GitHub keeps it; deliveries still waiting are not in it."""
        oldest = self.world.clock() - LOG_DAYS * 86_400
        kept = [d for d in self.log if d.status_code is not None and d.delivered_at >= oldest and app in (None, d.app)]
        return sorted(kept, key=lambda d: d.id, reverse=True)

    def waiting(self) -> list[Delivery]:
        """Held back while `paused`."""
        return [d for d in self.log if d.status_code is None]

    def release(self, order: Callable[[list[Delivery]], list[Delivery]] = list) -> None:
        """End the pause and send what waits, in the given order."""
        self.paused = False
        for delivery in order(self.waiting()):
            self._put(delivery)
        self.settle()

    def settle(self) -> None:
        """Wait until everything queued was sent."""
        self._queue.join()

    def close(self) -> None:
        """End the sending thread."""
        if self._thread:
            self._queue.put(None)
            self._thread.join(TIMEOUT)

    def _new(
        self,
        app: App,
        event: str,
        body: Mapping[str, Any],
        *,
        guid: str | None = None,
        installation: Installation | None = None,
        repo: Repo | None = None,
    ) -> Delivery:
        told = (body.get("installation") or {}).get("id")
        home = (body.get("repository") or {}).get("id")
        delivery = Delivery(
            id=self.world.new_id(),
            guid=guid or str(uuid.uuid4()),
            app=app,
            event=event,
            action=body.get("action"),
            payload=body,
            installation_id=installation.id if installation else told,
            repository_id=repo.id if repo else home,
        )
        self.log.append(delivery)
        return delivery

    def _put(self, delivery: Delivery) -> None:
        if self.paused or not delivery.app.webhook_url:
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hooks", daemon=True)
                self._thread.start()
        self._queue.put(delivery)

    def _run(self) -> None:
        while (delivery := self._queue.get()) is not None:
            try:
                self._send(delivery)
            finally:
                self._queue.task_done()
        self._queue.task_done()

    def _send(self, delivery: Delivery, secret: str | None = None) -> Delivery:
        body = json.dumps(delivery.payload, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
        key = delivery.app.webhook_secret if secret is None else secret
        delivery.request_headers = {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/0000000",
            "X-GitHub-Delivery": delivery.guid,
            "X-GitHub-Event": delivery.event,
            "X-GitHub-Hook-ID": str(delivery.app.id),
            "X-GitHub-Hook-Installation-Target-ID": str(delivery.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-Hub-Signature-256": sign(key, body),
        }
        delivery.delivered_at = self.world.clock()
        try:
            url = str(delivery.app.webhook_url)
            answer = requests.post(url, data=body, headers=delivery.request_headers, timeout=TIMEOUT)
        except requests.RequestException as error:
            delivery.status_code, delivery.status = 0, type(error).__name__
        else:
            delivery.response_body = answer.text[:1000]
            delivery.status_code, delivery.status = answer.status_code, "OK" if answer.ok else answer.reason
        return delivery
