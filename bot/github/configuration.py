"""A repository's configuration file, read from its default branch by a conditional request."""

from __future__ import annotations

import base64
import binascii

from bot.errors import PermanentError
from bot.github.client import Clients, Session
from bot.ports import ConfigurationFile

PATH = ".github/burn-triage.yml"
"""Where maintainers put it."""

_ABSENT = frozenset({"not_found", "gone", "moved"})


class FileConfiguration:
    """Implements `bot.ports.ConfigurationReader`."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def read_configuration(self, repo: str, *, installation_id: int | None, etag: str = "") -> ConfigurationFile | None:
        """See `bot.ports.ConfigurationReader.read_configuration`."""
        session = self._clients.installation(installation_id)
        try:
            answer = session.call("GET", f"/repos/{repo}/contents/{PATH}", etag=etag)
        except PermanentError as error:
            if error.reason not in _ABSENT:
                raise
            # Only of a file that was there before it matters when it went.
            return ConfigurationFile(None, "", _changed_at(session, repo) if etag else "")
        if answer.status == 304:
            return None
        return ConfigurationFile(_text(answer.data), answer.headers.get("etag", ""), _changed_at(session, repo))


def _text(found: object) -> str:
    """The file's text; what is no file, or no UTF-8, comes as text that no parser takes for a configuration."""
    if not isinstance(found, dict) or found.get("type") != "file" or found.get("encoding") != "base64":
        return "\0"
    try:
        return base64.b64decode(str(found.get("content") or "")).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return "\0"


def _changed_at(session: Session, repo: str) -> str:
    try:
        commits = session.get(f"/repos/{repo}/commits", path=PATH, per_page=1)
    except PermanentError:  # an empty repository answers with 409
        return ""
    return str(commits[0]["commit"]["committer"]["date"]) if commits else ""
