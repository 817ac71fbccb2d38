"""What the dashboard's views work with: the database, the door, and the record of every change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from flask import Request
from sqlalchemy import Connection, Engine

from bot.clock import Clock
from bot.jobs import JobQueue
from bot.store import audit
from bot.web.visitor import Visitor

COUNTED_SECONDS = 30.0
MOST_COUNTED = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Passage:
    """A request that was let in."""

    visitor: Visitor
    secret: str
    """What only this browser's session knows: the key of its form tokens."""
    new_cookie: str = ""
    """A value for the session cookie, where the browser has none yet."""


class Door(Protocol):
    """Decides who may come in. `bot.web.login` for people with an account, `bot.web.local` for this machine."""

    @property
    def cookie(self) -> str:
        """Name of the session cookie."""
        ...

    @property
    def secure(self) -> bool:
        """Whether cookies go over https only."""
        ...

    def admit(self, request: Request, *, fresh: bool) -> Passage:
        """The visitor; with `fresh` GitHub is asked for their permission now.

        Raises `bot.web.door.SignedOut`, or a werkzeug HTTPException that says why not.
        """
        ...

    def origin(self, request: Request) -> str:
        """Scheme, host and port under which our own pages are seen."""
        ...


@dataclass(frozen=True)
class Board:
    """Handed to the views as `desk.board`."""

    engine: Engine
    clock: Clock
    door: Door
    github_url: str = "https://github.com"
    """Where issues and comments are read by people."""
    _counted: dict[Hashable, tuple[float, Any]] = field(default_factory=dict)

    def counted(self, key: Hashable, count: Callable[[], T]) -> T:
        """Figures over many rows, which may be half a minute old: a page is looked at more often than they change."""
        now = self.clock.now()
        kept = self._counted.get(key)
        if kept is None or not 0 <= now - kept[0] < COUNTED_SECONDS:
            if len(self._counted) >= MOST_COUNTED:
                self._counted.clear()
            kept = self._counted[key] = (now, count())
        found: T = kept[1]
        return found

    @cached_property
    def queue(self) -> JobQueue:
        """Where jobs are asked for. Made when the first one is: after the fork."""
        return JobQueue(self.engine)

    @contextmanager
    def reader(self) -> Iterator[Connection]:
        """A connection to read with."""
        with self.engine.connect() as conn:
            yield conn

    @contextmanager
    def change(
        self, visitor: Visitor, action: str, repo_id: int, subject: str = "", detail: str = ""
    ) -> Iterator[Connection]:
        """A transaction for one change of a maintainer, with its line in the audit log; both or neither.

        `action`: a short verb phrase (`switched off`, `retried`); `subject`: what it was done to (`#12`).
        """
        with self.engine.begin() as conn:
            yield conn
            self.audit(visitor, action, repo_id, subject, detail, conn)

    def audit(
        self, visitor: Visitor, action: str, repo_id: int, subject: str = "", detail: str = "",
        conn: Connection | None = None,
    ) -> None:  # fmt: skip
        """Note a change. Without `conn` in a transaction of its own: for changes that are not rows of ours."""
        if conn is None:
            with self.engine.begin() as own:
                self.audit(visitor, action, repo_id, subject, detail, own)
            return
        repo = visitor.repo(repo_id)
        name, now = repo.full_name if repo else "", self.clock.now()
        audit.write(
            conn, login=visitor.login, action=action, repo_id=repo_id, repo=name, subject=subject, detail=detail,
            now=now,
        )  # fmt: skip
