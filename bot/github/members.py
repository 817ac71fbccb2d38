"""What an account may do in a repository, as GitHub tells the App."""

from __future__ import annotations

from urllib.parse import quote

from bot.errors import PermanentError
from bot.github.client import Clients
from bot.github.read import MAY_STEER


class Members:
    """Asks with the App's own token: a person's token says what it may, not what the person may."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def role(self, repo: str, login: str, user_id: int, installation_id: int | None) -> str | None:
        """The role's name where it has triage permission or more, None where not, or where GitHub refuses to say.

        `user_id` must be the account's: a login can change hands. TransientError where GitHub does not answer.
        """
        try:
            session = self._clients.installation(installation_id)
            answer = session.get(f"/repos/{repo}/collaborators/{quote(login, safe='')}/permission")
        except PermanentError:
            return None
        user = answer.get("user") or {}
        granted = user.get("permissions")
        if user.get("id") != user_id or not isinstance(granted, dict):
            return None
        if not any(granted.get(role) is True for role in MAY_STEER):
            return None
        return str(answer.get("role_name") or user.get("role_name") or answer.get("permission") or "triage")
