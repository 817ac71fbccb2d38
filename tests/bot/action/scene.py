"""A repository on the stand-in with the workflow in it, and runs of the Action on its events."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from bot.action.environment import read_run
from bot.action.work import Outcome, Work, pace
from bot.github.auth import TokenCredentials
from bot.github.gateway import connect
from bot.opening import open_knowledge
from bot.triage.knowledge import Knowledge
from kb.folder import find_kb
from tests.fakes.clock import FakeClock
from tests.fakes.github import Comment, FakeGitHub

ROOT = Path(__file__).resolve().parents[3]
REPO = "tracel-ai/burn"
WORKFLOW = ".github/workflows/burn-triage.yml"
BOT = "github-actions[bot]"
REGISTRY = "/home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f"
PANIC = f"""```
thread 'main' panicked at {REGISTRY}/burn-autodiff-0.21.0/src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""
OTHER_PANIC = f"""```
thread '<unnamed>' (27113) panicked at {REGISTRY}/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId {{ value: 497010 }}
```
"""


@functools.cache
def knowledge() -> Knowledge:
    """Opened once per test process."""
    return open_knowledge(find_kb(ROOT / "kb", {}, ROOT))


class Scene:
    """`act` is what the runner does for one event."""

    def __init__(self, github: FakeGitHub, clock: FakeClock, folder: Path) -> None:
        self.github, self.clock, self.folder = github, clock, folder
        self.repo = github.create_repo(REPO, roles={"mel": "maintain"})
        self.inputs = {"INPUT_MODE": "on", "INPUT_MUTE_LABEL": "no-triage"}
        clock.sleep(60)
        github.add_commit(REPO, {WORKFLOW: "name: burn-triage"})
        clock.sleep(60)

    def open(self, body: str = PANIC, user: str = "ann") -> int:
        """An issue, a minute later."""
        self.clock.sleep(60)
        return self.github.people.open_issue(REPO, user, "It panics", body).number

    def say(self, number: int, user: str, body: str) -> Comment:
        """A comment, a minute later."""
        self.clock.sleep(60)
        return self.github.people.comment(REPO, number, user, body)

    def environment(self, number: int, event: str = "issues", action: str = "opened", **payload: Any) -> dict[str, str]:
        """What the runner sets for an event."""
        told = {"action": action, "issue": {"number": number}, "sender": {"login": "ann", "type": "User"}} | payload
        (self.folder / "event.json").write_text(json.dumps(told), "utf-8")
        return self.inputs | {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_REPOSITORY": REPO,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_WORKFLOW_REF": f"{REPO}/{WORKFLOW}@refs/heads/main",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_TOKEN": self.github.action_token(REPO),
        }

    def act(self, number: int, event: str = "issues", action: str = "opened", **payload: Any) -> Outcome:
        """Run the Action, a minute after what came before."""
        self.clock.sleep(60)
        run = read_run(self.environment(number, event, action, **payload))
        return self.work(run.token).carry_out(run)

    def commented(self, number: int, comment: Comment | None = None) -> Outcome:
        told = {"comment": {"id": comment.id}} if comment else {}
        return self.act(number, "issue_comment", "created", **told)

    def work(self, token: str) -> Work:
        hub = connect(
            TokenCredentials(token),
            base_url=self.github.url,
            clock=self.clock.now,
            timeout=2,
            backoff=0.0,
            before_write=pace(self.clock),
            renew_markers=True,
        )
        return Work(hub, self.clock, knowledge())

    def ours(self, number: int) -> list[Comment]:
        return [c for c in self.github.comments(REPO, number) if c.user and c.user.login == BOT]

    def visible(self, number: int) -> list[str]:
        return [c.body for c in self.ours(number) if c.minimized is None]

    def writes(self) -> int:
        return len(self.github.writes())


def reactions(subject: Any) -> list[str]:
    return [reaction.content for reaction in subject.reactions if reaction.user.login == BOT]
