"""What the bot has seen and said, as rows: reports of known and unknown panics over some weeks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Engine

from bot.clock import iso
from bot.delivery import Delivery
from bot.feedback import Decided
from bot.ports import Target
from bot.redact import redact_json
from bot.store import alarms, answers, configurations, deliveries, disputes, intents, occurrences, verdicts
from bot.store.configurations import StoredConfiguration
from bot.store.intents import Intent
from bot.store.occurrences import Occurrence
from bot.triage.analyze import analyze
from bot.triage.model import Report
from bot.triage.snapshot import Dispute
from kb.model import SiteKind
from tests.bot.web import world
from tests.bot.web.board_world import REPO, REPO_ID
from tests.fakes.clock import FakeClock

DAY = 86_400.0
ANSWER = "matched|KB-0001|place"


@cache
def unknown_panic() -> str:
    """A panic as burn 0.21 prints it at a site that no entry explains."""
    from kb.upkeep.drafts import example

    shelf = world.shelf()
    bare = (shelf.sites[doc.id] for doc in shelf.docs if not doc.explained)
    fitting = (key for key in bare if key.kind is SiteKind.PANIC and "{" not in key.template and len(key.template) > 25)
    texts = (example(shelf.index, key).text for key in sorted(fitting) if key.repo == REPO)
    return next(text for text in texts if verdict(text)["outcome"] == "matched")


@cache
def verdict(text: str) -> dict[str, Any]:
    """What is kept of a report with this text."""
    found: dict[str, Any] = redact_json(
        analyze(Report(None, "It panics", f"```\n{text}\n```"), world.shelf().knowledge)
    )
    return found


@dataclass
class Rows:
    """Writes them. Each issue is opened so many days ago."""

    engine: Engine
    clock: FakeClock
    repo_id: int = REPO_ID
    repo: str = REPO
    number: int = 0

    def issue(
        self, text: str, *, days: float, answered: bool = False, state: str = "open", seconds: float = 4.0
    ) -> Target:
        """An issue with this panic (or without one), looked at right after it was opened; perhaps answered."""
        self.number += 1
        opened = self.clock.now() - days * DAY
        target = Target(self.repo, self.repo_id, self.number, self.repo_id * 100_000 + self.number, 71)
        found = verdict(text)
        delivery = Delivery(
            guid=f"{self.repo_id}-{self.number}", body_hash="h", event="issues", action="opened", installation_id=71,
            repo=self.repo, repo_id=self.repo_id, issue=self.number, issue_id=target.issue_id, sender="reporter",
            issue_created_at=iso(opened),
        )  # fmt: skip
        with self.engine.begin() as conn:
            row = deliveries.add(conn, delivery, b"{}", opened + 1)
            assert row is not None
            reason = "answered" if answered else "unknown_panic"
            verdicts.write(conn, delivery_id=row, target=target, verdict=found, reason=reason, now=opened + 2)
            if found["fingerprint"]:
                shown = Occurrence(found["outcome"], found["entry"], found["fingerprint"], None, state, iso(opened))
                occurrences.write(conn, target, shown, opened + 2)
            if answered:
                answers.give(conn, target, ANSWER, row, opened + seconds)
                name = f"i-{self.repo_id}-{self.number}"
                intents.plan(conn, Intent(name, row, "UpsertComment", "h"), target, opened + 3)
                done = {"did": "created", "reason": "", "comment_id": 900 + self.number, "body_hash": "h"}
                intents.settle(conn, name, done, int(opened) + seconds)
        return target

    def dispute(self, target: Target, by: str = "others") -> None:
        """Somebody calls the answer there wrong; a maintainer's word decides."""
        with self.engine.begin() as conn:
            said = Dispute("someone", iso(self.clock.now()), "no", by, ANSWER, True)
            disputes.add(conn, 1, target, [said])
            if by == "maintainer":
                answers.decide(conn, target, Decided(ANSWER, "wrong"), self.clock.now())

    def alarm(self, target: Target, comment_id: int = 77) -> None:
        """An outsider offers an archive there."""
        with self.engine.begin() as conn:
            alarms.put(conn, target, [(comment_id, "archive")], self.clock.now())

    def configuration(self, **values: Any) -> None:
        """What the repository chose."""
        whole = {"good": {"mode": "on"}, "etag": "", "error": "", "checked_at": self.clock.now(), "in_force": "on"}
        with self.engine.begin() as conn:
            configurations.write(conn, StoredConfiguration(self.repo_id, self.repo, **(whole | values)))

    def season(self) -> None:
        """Twelve weeks of a repository: one panic that is explained, one that is not, and reports without any."""
        for week in range(12):
            for n in range(1 + week % 4):
                self.issue(world.EMBEDDING, days=week * 7 + n + 0.5, answered=n % 3 != 2, seconds=3.0 + n)
            if week % 2 == 0:
                self.issue(unknown_panic(), days=week * 7 + 2, state="closed" if week > 6 else "open")
            self.issue("How do I save a model?", days=week * 7 + 3)
