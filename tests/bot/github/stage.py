"""A stand-in GitHub with our App installed on one repository, and the bot's client on it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bot.github.auth import AppCredentials
from bot.github.gateway import GitHub, connect
from bot.ports import Target
from bot.triage.snapshot import IssueSnapshot
from tests.fakes.clock import FakeClock
from tests.fakes.github import App, Comment, FakeGitHub, Installation, Repo
from tests.fakes.github.hub import new_private_key

REPO = "tracel-ai/burn"
KEY = b"a marker key of the tests"


@functools.cache
def private_key() -> str:
    """One RSA key per test process: making one takes a tenth of a second."""
    return new_private_key()


class Stage:
    """`github` is the stand-in, `bot` our client; issue 1 is open."""

    def __init__(self, github: FakeGitHub, clock: FakeClock) -> None:
        self.github, self.clock = github, clock
        self.app: App = github.create_app(private_key=private_key())
        roles = {"ann": "admin", "mel": "maintain", "wil": "write", "tri": "triage", "rea": "read", "cus": "helper"}
        custom = {"helper": ("pull", "triage")}
        self.repo: Repo = github.create_repo(REPO, roles=roles, custom_roles=custom)
        self.installation: Installation = github.install(self.app, [self.repo])
        github.people.open_issue(REPO, "reporter", "It panics", "thread 'main' panicked")
        self.writes: list[tuple[int | None, bool]] = []
        self.bot = self.connect()

    def connect(self, **options: Any) -> GitHub:
        """Another client of the same App."""
        arguments: dict[str, Any] = {
            "marker_keys": (KEY,),
            "base_url": self.github.url,
            "clock": self.clock.now,
            "timeout": 1,
            "backoff": 0.0,
            "before_write": lambda installation, content: self.writes.append((installation, content)),
        }
        return connect(AppCredentials(str(self.app.id), self.app.private_key), **(arguments | options))

    def read(self, number: int = 1, **options: Any) -> IssueSnapshot:
        return self.bot.read_issue(REPO, number, installation_id=self.installation.id, **options)

    def target(self, number: int = 1) -> Target:
        issue = self.repo.issues[number]
        return Target(REPO, self.repo.id, number, issue.id, self.installation.id)

    def publish(self, action: Any, *, number: int = 1, intent_id: str = "intent-1", **options: Any) -> dict[str, Any]:
        return dict(self.bot.publish(action, self.target(number), intent_id=intent_id, **options))

    def comments(self, number: int = 1) -> list[Comment]:
        return self.github.comments(REPO, number)

    def requests(self) -> list[str]:
        return [f"{s.verb} {s.path}" for s in self.github.seen]


@contextmanager
def staged(clock: FakeClock) -> Iterator[Stage]:
    """Serves; afterwards nothing may have been asked or answered that GitHub's descriptions do not allow."""
    with FakeGitHub(clock.now) as github:
        yield Stage(github, clock)
        assert not github.violations, "\n".join(github.violations)
