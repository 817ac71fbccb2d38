"""Which repositories an account may see: asked of GitHub, and believed for a minute."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import Engine
from werkzeug.exceptions import ServiceUnavailable

from bot.clock import Clock
from bot.errors import TransientError
from bot.store.installations import RepositoryInUse, repositories_in_use
from bot.web.visitor import BoardRepo

BELIEVED_SECONDS = 60.0
"""How long an answer of GitHub holds for reading; a change asks anew."""
MOST_KEPT = 10_000
AT_ONCE = 8

AskRole = Callable[[str, str, int, int | None], str | None]
"""Repository, login, account id, installation: the role's name where it is triage or more; see `bot.github.members`."""


@dataclass
class Rights:
    """Asks and remembers, for all threads of one process."""

    engine: Engine
    clock: Clock
    ask: AskRole
    _kept: OrderedDict[tuple[int, int], tuple[float, str | None]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def repos(
        self, login: str, user_id: int, *, fresh: bool, reach: frozenset[int] | None = None
    ) -> tuple[BoardRepo, ...]:
        """The account's repositories by name. `fresh`: what was granted is asked for again; what was not, is not.
        `reach`: ids of those that are asked about at all, None for every one.

        ServiceUnavailable where GitHub does not answer.
        """
        with self.engine.connect() as conn:
            present = [repo for repo in repositories_in_use(conn) if reach is None or repo.repo_id in reach]
        unknown = [repo for repo in present if self._stale(user_id, repo.repo_id, fresh)]
        try:
            self._ask_all(unknown, login, user_id)
        except TransientError as error:
            raise ServiceUnavailable(
                "GitHub cannot be asked for your permission now. Try again in a minute."
            ) from error
        roles = [(repo, self._kept.get((user_id, repo.repo_id), (0.0, None))[1]) for repo in present]
        return tuple(BoardRepo(repo.repo_id, repo.repo, role) for repo, role in roles if role)

    def _stale(self, user_id: int, repo_id: int, fresh: bool) -> bool:
        kept = self._kept.get((user_id, repo_id))
        if kept is None:
            return True
        at, role = kept
        return (fresh and role is not None) or not 0 <= self.clock.now() - at < BELIEVED_SECONDS

    def _ask_all(self, repos: Sequence[RepositoryInUse], login: str, user_id: int) -> None:
        now = self.clock.now()

        def one(repo: RepositoryInUse) -> tuple[int, str | None]:
            return repo.repo_id, self.ask(repo.repo, login, user_id, repo.installation_id)

        answers = list(self._pool.map(one, repos)) if len(repos) > 1 else [one(repo) for repo in repos]
        with self._lock:
            for repo_id, role in answers:
                self._kept[user_id, repo_id] = now, role
                self._kept.move_to_end((user_id, repo_id))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="rights")
