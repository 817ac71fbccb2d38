"""Who may see the set-up page: whoever has the token from the server's terminal, once, and then that browser alone."""

from __future__ import annotations

import hmac
import secrets
import threading

from bot.clock import Clock

LIFETIME = 1800.0
"""Seconds from the start of the command to its end."""


class Gate:
    """One set-up's secrets. All of them are random, compared in constant time, and worthless after `LIFETIME`."""

    def __init__(self, clock: Clock) -> None:
        self.token = secrets.token_urlsafe(32)
        """For the terminal."""
        self.deadline = clock.now() + LIFETIME
        self._clock = clock
        self._lock = threading.Lock()
        self._unused = self.token
        self._browser = ""
        self._state = ""

    @property
    def is_over(self) -> bool:
        """Is the time up?"""
        return self._clock.now() >= self.deadline

    def admit(self, token: str) -> str | None:
        """Take the token: the value of the cookie that binds the browser, None where the token is not (or no more)
        good."""
        with self._lock:
            if self.is_over or not _same(self._unused, token):
                return None
            self._unused, self._browser = "", secrets.token_urlsafe(32)
            return self._browser

    def knows(self, browser: str) -> bool:
        """Is this the cookie of the browser that was admitted?"""
        return not self.is_over and _same(self._browser, browser)

    def new_state(self) -> str:
        """A state for the way to GitHub; the one before it is worth nothing from now on."""
        with self._lock:
            self._state = secrets.token_urlsafe(32)
            return self._state

    def redeem(self, browser: str, state: str) -> bool:
        """Take the state that came back, from the browser that it was given to. It works once."""
        with self._lock:
            good = self.knows(browser) and _same(self._state, state)
            self._state = "" if good else self._state
            return good


def _same(wanted: str, given: str) -> bool:
    return hmac.compare_digest(wanted.encode(), given.encode("utf-8", "replace")) and bool(wanted)
