"""What the GitHub App may do and hears of: `bot/app-manifest.json` is the only place that says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "app-manifest.json"

ALWAYS_SENT = frozenset({"installation", "installation_repositories"})
"""Events that every App gets; GitHub refuses a manifest that names them (docs: "Webhook events and payloads")."""

LOGIN_BACK = "/login/callback"
"""Where GitHub sends people back who sign in to the dashboard."""

LONGEST_NAME = 34
"""Characters of an App's name on GitHub."""


@cache
def packaged() -> Mapping[str, Any]:
    """The file, parsed."""
    found: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def permissions() -> dict[str, str]:
    """What the App needs, all of it and nothing else: "read" or "write" by GitHub's name of the permission."""
    return dict(packaged()["default_permissions"])


def events() -> frozenset[str]:
    """The events that the App subscribes to."""
    return frozenset(packaged()["default_events"])


def manifest(*, name: str | None, public: bool, server_url: str, back_url: str) -> dict[str, Any]:
    """The manifest for a server that GitHub reaches at `server_url`; `back_url` is where the browser comes back to."""
    return {
        **packaged(),
        "name": name or packaged()["name"],
        "public": public,
        "url": server_url,
        "hook_attributes": {"url": f"{server_url}/webhook", "active": True},
        "redirect_url": back_url,
        "callback_urls": [server_url + LOGIN_BACK],
    }
