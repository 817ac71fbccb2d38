"""From the code that GitHub sent back to the App's keys in the credentials file."""

from __future__ import annotations

import secrets
from pathlib import Path

from bot.credentials import create_kept
from bot.github.registration import Registered, convert_manifest

MARKER_KEY_BYTES = 32


def register(code: str, *, api_url: str, path: Path) -> Registered:
    """Trade the code for the App and keep its keys.

    Raises TransientError or PermanentError as `bot.github` does (the code stays good for an hour), UserError where the
    file cannot be written or has been made meanwhile.
    """
    made = convert_manifest(code, api_url)
    create_kept(path, kept_of(made))
    return made


def kept_of(made: Registered) -> dict[str, str]:
    """What is kept of it, by the names of the settings, and the App's page."""
    found = {
        "app_id": str(made.app_id),
        "private_key": made.private_key,
        "webhook_secret": made.webhook_secret,
        "client_id": made.client_id,
        "client_secret": made.client_secret,
        "bot_login": f"{made.slug}[bot]",
        "marker_key": secrets.token_hex(MARKER_KEY_BYTES),
        "app_page": made.page,
    }
    return {name: text for name, text in found.items() if text}
