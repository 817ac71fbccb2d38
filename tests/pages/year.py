"""A year of a busy installation, as rows: verdicts, answers, disputes, deliveries, jobs that were given up.

The same size and seed give the same rows, whatever the machine: `fill(engine, shelf, size=100_000, now=…)`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert, text

from bot.clock import iso
from bot.plain import memory_to_json
from bot.store import schema
from bot.store.answers import key_of
from bot.triage.snapshot import IssueMemory
from bot.web.shelf import Shelf
from kb.entry import Entry
from tests.bot.web import world
from tests.bot.web.board_rows import verdict

YEAR = 365 * 86_400.0
REPOS = ["tracel-ai/burn", "tracel-ai/cubecl", "tracel-ai/cubek", "tracel-ai/burn-onnx"] + [
    f"org-{n:02}/model-{n:02}" for n in range(1, 9)
]
WEIGHTS = [50, 18, 8, 8, *([2] * 8)]
OUTCOMES = ["none", "matched", "unknown", "ambiguous", "foreign"]
SHARES = [50, 26, 14, 4, 6]
PIECE = 2_000
UNKNOWN_PANICS = 1_500


@dataclass
class Year:
    """Rows of each table, made in the order of time and written in pieces."""

    conn: Connection
    shelf: Shelf
    size: int
    now: float
    random: random.Random = field(default_factory=lambda: random.Random(9))
    waiting: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)

    def put(self, table: Table, **values: Any) -> None:
        rows = self.waiting.setdefault(table.name, [])
        rows.append(values)
        if len(rows) >= PIECE and table.name == "deliveries":
            self.flush()

    def flush(self) -> None:
        # Deliveries first: others name them.
        for name in sorted(self.waiting, key=lambda name: name != "deliveries"):
            if self.waiting[name]:
                self.conn.execute(insert(schema.metadata.tables[name]), self.waiting[name])
        self.waiting.clear()

    def next(self, name: str) -> int:
        self.ids[name] = self.ids.get(name, 0) + 1
        return self.ids[name]

    def write(self) -> None:
        self.repositories()
        entries = list(self.shelf.published)
        issues: list[Issue] = []
        for n in range(self.size):
            at = self.now - YEAR + YEAR * (n + self.random.random()) / self.size
            if not issues or self.random.random() < 0.6:
                issues.append(self.open(at, entries))
                event, action = "issues", "opened"
            else:
                event, action = self.random.choice([("issue_comment", "created"), ("issues", "edited")])
            issue = issues[-1] if action == "opened" else self.random.choice(issues[-200:])
            self.look_at(issue, event, action, at)
            if n % 3 == 0:
                self.delivery(issue, "issue_comment", "created", at + 1, "ignored", "own_event")
        self.last_hours(issues)
        self.flush()
        self.regular()

    def repositories(self) -> None:
        for number, repo in enumerate(REPOS):
            begin = iso(self.now - YEAR)
            self.put(
                schema.installations, id=70 + number, account=repo.split("/")[0], installed_at=begin, suspended=False
            )
            self.put(
                schema.repositories, repo_id=500 + number, repo=repo, installation_id=70 + number, installed_at=begin
            )
            self.put(
                schema.configurations,
                repo_id=500 + number,
                repo=repo,
                good={"mode": "on"},
                checked_at=self.now,
                in_force="shadow" if number == 7 else "on",
                error="`mode` must be one of on, shadow, off" if number == 5 else "",
            )
        self.flush()

    def open(self, at: float, entries: Sequence[Entry]) -> Issue:
        [number] = self.random.choices(range(len(REPOS)), WEIGHTS)
        [outcome] = self.random.choices(OUTCOMES, SHARES)
        entry = entries[min(int(self.random.expovariate(40 / len(entries))), len(entries) - 1)] if entries else None
        if outcome in ("none", "unknown") or (outcome == "ambiguous" and self.random.random() < 0.5):
            entry = None
        which = f"{outcome}-{entry.kb_id if entry else int(self.random.expovariate(20 / UNKNOWN_PANICS))}"
        key = "fp1:" + hashlib.sha256(which.encode()).hexdigest()[:16] if outcome != "none" else None
        name = self.next("issues")
        return Issue(number, REPOS[number], 500 + number, name, 9_000_000 + name, outcome, entry, key, at)

    def look_at(self, issue: Issue, event: str, action: str, at: float) -> None:
        row = self.delivery(issue, event, action, at, "done", reason_of(issue, action))
        number = self.next("verdicts")
        found = contents(issue, number)
        self.put(
            schema.verdicts,
            id=number,
            delivery_id=row,
            repo_id=issue.repo_id,
            issue_id=issue.issue_id,
            repo=issue.repo,
            number=issue.number,
            outcome=issue.outcome,
            entry=found["entry"],
            fingerprint=issue.fingerprint,
            catalog="kb-2026.11",
            reason=reason_of(issue, action),
            verdict=found,
            created_at=at + 2,
        )
        if action == "opened":
            self.first(issue, row, at)
        elif issue.entry and self.random.random() < 0.02:
            self.dispute(issue, row, at)

    def first(self, issue: Issue, row: int, at: float) -> None:
        """What an issue has once: its memory, what it shows, its comment."""
        comment = 5_000_000 + issue.number if issue.entry else None
        memory = IssueMemory(comment_id=comment, state="answer" if comment else "none", answer=issue.answer)
        place = {"repo_id": issue.repo_id, "issue_id": issue.issue_id}
        named = place | {"repo": issue.repo, "number": issue.number}
        self.put(schema.issues, **named, comment_id=comment, memory=memory_to_json(memory), updated_at=at + 3)
        if issue.fingerprint:
            self.put(
                schema.occurrences,
                **named,
                state=self.random.choice(["open", "closed"]),
                opened_at=iso(at),
                outcome=issue.outcome,
                entry=issue.entry.kb_id if issue.entry else None,
                fingerprint=issue.fingerprint,
                site=None,
                seen_at=at,
            )
        if issue.entry and comment:
            decided = self.random.choices(["", "right", "wrong"], [90, 8, 2])[0]
            self.put(
                schema.answers,
                **named,
                key=key_of(issue.answer),
                answer=issue.answer,
                entry=issue.entry.kb_id,
                delivery_id=row,
                given_at=at + 4,
                decided=decided,
                decided_at=at + 90 if decided else None,
            )
            self.put(
                schema.intents,
                **place,
                id=f"{row}.0",
                delivery_id=row,
                action="UpsertComment",
                body_hash="h",
                body=f"### {issue.entry.title}\n\n{issue.entry.meaning}",
                state="done",
                did="created",
                comment_id=comment,
                planned_at=at + 3,
                done_at=at + 3 + self.random.expovariate(0.3),
            )
            if self.random.random() < 0.1:
                up = self.random.randrange(4)
                self.put(
                    schema.reactions,
                    **place,
                    comment_id=comment,
                    counts={"+1": up},
                    up=up,
                    down=0,
                    gone=False,
                    checked_at=at,
                )

    def dispute(self, issue: Issue, row: int, at: float) -> None:
        self.put(
            schema.disputes,
            delivery_id=row,
            repo_id=issue.repo_id,
            issue_id=issue.issue_id,
            login=f"person-{row % 97}",
            at=iso(at),
            by="others",
            answer=issue.answer,
            reason="the panic is in my own code",
            counted=True,
        )

    def delivery(
        self, issue: Issue, event: str, action: str, at: float, state: str, reason: str, via: str = "webhook"
    ) -> int:
        row = self.next("deliveries")
        self.put(
            schema.deliveries,
            id=row,
            guid=f"{row:08x}-0000-4000-8000-000000000000",
            body_hash="h",
            event=event,
            action=action,
            installation_id=70 + issue.place,
            repo=issue.repo,
            repo_id=issue.repo_id,
            issue=issue.number,
            issue_id=issue.issue_id,
            issue_created_at=iso(issue.opened),
            sender=f"person-{row % 997}",
            sender_is_bot=False,
            received_at=at,
            state=state,
            reason=reason,
            settled_at=None if state == "queued" else at + 5,
            via=via,
            payload=b'{"issue": {"title": "It panics", "body": "Every time.", "user": {"login": "ann"}}}'
            if at > self.now - 72 * 3600
            else None,
        )
        return row

    def last_hours(self, issues: Sequence[Issue]) -> None:
        """Jobs given up for each reason, some that wait, some that were missing."""
        for n in range(120):
            reason = ["forbidden", "repository_not_found", "internal_error", "set_aside"][n % 7 % 4]
            self.delivery(
                self.random.choice(issues[-3000:]), "issues", "edited", self.now - 90_000 + n, "parked", reason
            )
        for n in range(40):
            via = "swept" if n % 3 else "reconciled"
            self.delivery(
                self.random.choice(issues[-500:]), "issues", "edited", self.now - 80_000 + n, "done", "unchanged", via
            )
        for n in range(25):
            self.delivery(self.random.choice(issues[-500:]), "issues", "opened", self.now - 40 + n, "queued", "")
        for n, kind in enumerate(["archive", "shortened", "archive"]):
            issue = issues[-1 - n]
            self.put(
                schema.alarms,
                comment_id=7_000_000 + n,
                repo_id=issue.repo_id,
                issue_id=issue.issue_id,
                repo=issue.repo,
                number=issue.number,
                kind=kind,
                raised_at=self.now - 3600 * n,
            )
        for n in range(300):
            issue = self.random.choice(issues)
            self.put(
                schema.audit_log,
                at=self.now - 86_400 * n,
                login=f"keeper-{n % 5}",
                action="marked wrong",
                repo_id=issue.repo_id,
                repo=issue.repo,
                subject=f"#{issue.number}",
                detail="",
            )

    def regular(self) -> None:
        """What is done from time to time, a worker, and the counters of rows that were numbered by hand."""
        for name, found in {"sweep": 2, "reconcile": 0, "configurations": 1, "reactions": 20}.items():
            self.put(
                schema.chores,
                name=name,
                started_at=self.now - 90,
                ended_at=self.now - 80,
                covered_until=self.now,
                found=found,
            )
        self.put(
            schema.chores,
            name="canary",
            started_at=self.now - 4000,
            ended_at=self.now - 3990,
            covered_until=self.now,
            found=0,
        )
        self.put(
            schema.executors,
            id="worker-1",
            holder="h",
            place="p",
            pid=1,
            acquired_at=self.now,
            expires_at=self.now + 1e9,
        )
        self.flush()
        if self.conn.dialect.name == "postgresql":
            for name in ("deliveries", "verdicts"):
                self.conn.execute(text(f"SELECT setval('{name}_id_seq', {self.ids[name]})"))


@dataclass(frozen=True)
class Issue:
    """One issue of the year."""

    place: int
    repo: str
    repo_id: int
    number: int
    issue_id: int
    outcome: str
    entry: Entry | None
    fingerprint: str | None
    opened: float

    @property
    def answer(self) -> str:
        return f"{self.outcome}|{self.entry.kb_id if self.entry else '-'}|{self.fingerprint}"


def reason_of(issue: Issue, action: str) -> str:
    if issue.entry:
        return "answered" if action == "opened" else "unchanged"
    return {"none": "no_panic", "foreign": "foreign_without_entry", "ambiguous": "asked"}.get(
        issue.outcome, "unknown_panic"
    )


def contents(issue: Issue, number: int) -> dict[str, Any]:
    """A verdict of the real shape: that of a known report, with this issue's words in it."""
    like = verdict(world.EMBEDDING if issue.outcome != "none" else "How do I save a model?")
    found = like | {"outcome": issue.outcome, "entry": issue.entry.kb_id if issue.entry else None}
    found["fingerprint"] = issue.fingerprint
    if issue.outcome in ("unknown", "foreign"):
        found |= {"place": None, "states": [], "candidates": []}
    if like["reading"]["panics"]:
        said = (
            issue.entry.message if issue.entry else f"panic {issue.fingerprint} of somebody's model, case {number % 7}"
        )
        found["reading"] = like["reading"] | {"panics": [like["reading"]["panics"][0] | {"message": said}]}
    return found


def fill(engine: Engine, shelf: Shelf, *, size: int, now: float) -> None:
    """Write a year of `size` verdicts."""
    with engine.begin() as conn:
        Year(conn, shelf, size, now).write()
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
        conn.exec_driver_sql("ANALYZE")
