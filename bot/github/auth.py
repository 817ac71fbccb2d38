"""Who we are on GitHub: an App (id and private key) or a plain token. Tokens are made, kept and renewed here.

Source of the rules: docs.github.com "Generating a JSON Web Token for a GitHub App" (RS256, at most ten minutes, `iat`
a minute back against clock drift) and "Generating an installation access token" (valid for one hour).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from github.Auth import Auth

from bot.errors import UserError

Clock = Callable[[], float]
"""Epoch seconds."""

JWT_BACK = 60
JWT_LIFE = 300
RENEW_BEFORE = 300.0
"""Seconds before its end at which an installation token is replaced: longer than any job."""


@dataclass(frozen=True, slots=True)
class AppCredentials:
    """A GitHub App: its id (or client id) and its private key in PEM."""

    app_id: str
    private_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenCredentials:
    """A token that GitHub gave: an Action's GITHUB_TOKEN, or a bot user's. `login` is the account it writes as."""

    token: str = field(repr=False)
    login: str = "github-actions[bot]"


Credentials = AppCredentials | TokenCredentials


class AppAuth(Auth):
    """Signs a JSON Web Token per request, as the App itself."""

    def __init__(self, credentials: AppCredentials, clock: Clock) -> None:
        """Raises UserError(`bad_private_key`) where the key is no RSA key in PEM."""
        self._app_id = credentials.app_id
        self._key = _private_key(credentials.private_key)
        self._clock = clock

    @property
    def token_type(self) -> str:
        """As the Authorization header says it."""
        return "Bearer"

    @property
    def token(self) -> str:
        """A fresh JSON Web Token, valid for five minutes."""
        now = int(self._clock())
        claims = {"iat": now - JWT_BACK, "exp": now + JWT_LIFE, "iss": self._app_id}
        return jwt.encode(claims, self._key, algorithm="RS256")


class InstallationAuth(Auth):
    """Takes its installation's token from the shared store, anew for each request."""

    def __init__(self, tokens: InstallationTokens, installation_id: int) -> None:
        self._tokens = tokens
        self.installation_id = installation_id

    @property
    def token_type(self) -> str:
        """As the Authorization header says it."""
        return "token"

    @property
    def token(self) -> str:
        """A token with at least `RENEW_BEFORE` seconds left."""
        return self._tokens.token(self.installation_id)


@dataclass(slots=True)
class _Slot:
    lock: threading.Lock = field(default_factory=threading.Lock)
    token: str = ""
    expires: float = 0.0


class InstallationTokens:
    """One token per installation for all threads; the one that finds it stale renews it while the others wait.

    A token is an immutable text, so sharing it is safe; the clients that carry it are never shared between threads.
    `request` asks GitHub for a new one and returns its JSON (`token`, `expires_at`); it must use the calling thread's
    own client.
    """

    def __init__(self, request: Callable[[int], dict[str, str]], clock: Clock) -> None:
        self._request = request
        self._clock = clock
        self._slots: dict[int, _Slot] = {}
        self._lock = threading.Lock()

    def token(self, installation_id: int) -> str:
        """A valid token of exactly this installation. Errors of the token request pass through."""
        slot = self._slot(installation_id)
        with slot.lock:
            if slot.expires - self._clock() < RENEW_BEFORE:
                answer = self._request(installation_id)
                slot.token, slot.expires = answer["token"], datetime.fromisoformat(answer["expires_at"]).timestamp()
            return slot.token

    def forget(self, installation_id: int) -> None:
        """Drop a token that GitHub refused: the next request gets a new one."""
        slot = self._slot(installation_id)
        with slot.lock:
            slot.expires = 0.0

    def _slot(self, installation_id: int) -> _Slot:
        with self._lock:
            return self._slots.setdefault(installation_id, _Slot())


@lru_cache(maxsize=4)
def _private_key(pem: str) -> RSAPrivateKey:
    # Checking a key takes a tenth of a second; the clients of one process have the same one.
    # Environment files often carry the key in one line with written-out line ends.
    try:
        key = load_pem_private_key(pem.replace("\\n", "\n").encode(), password=None)
    except (ValueError, TypeError) as error:
        raise UserError("bad_private_key", f"The App's private key cannot be read: {error}") from error
    if not isinstance(key, RSAPrivateKey):
        raise UserError("bad_private_key", "The App's private key is no RSA key: download it from the App's page.")
    return key
