"""An issue on a small GitHub of our own: people write, `handle` decides, its actions are carried out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from bot.github.marker import Marker, Marks
from bot.handle import handle, people
from bot.triage.actions import DeleteComment, HideComment, React, SetLabels, ShowComment, UpsertComment
from bot.triage.model import Outcome, PanicReport, Reading, Report, SourceRef, Verdict
from bot.triage.policy import Rules
from bot.triage.snapshot import (
    CommentSnapshot,
    Decision,
    IssueMemory,
    IssueSnapshot,
    Order,
    OwnComment,
    Permission,
    Trigger,
)

AUTHOR, MAINTAINER, STRANGER, OTHER = "reporter", "steward", "stranger", "passer-by"
BOT = "burn-triage[bot]"
INSTALLED = "2026-06-01T00:00:00Z"

ENTRIES = {
    kb_id: SimpleNamespace(kb_id=kb_id, title=f"Title of {kb_id}", summary=f"Summary of {kb_id}.")
    for kb_id in ("KB-0001", "KB-0002", "KB-0003")
}
KNOWLEDGE: Any = SimpleNamespace(entries=ENTRIES)

_PANIC = re.compile(r"panic (\w+)(?: (KB-\d{4}))?")


def analyze(report: Report, _knowledge: object) -> Verdict:
    """The last `panic <outcome> [KB id]` of the texts; no such words, no panic."""
    found = _PANIC.findall("\n".join((report.title, report.body, *report.comments)))
    if not found:
        return Verdict(Outcome.NONE, Reading(()))
    outcome, entry = found[-1]
    panic = PanicReport(f"the {outcome} message", None, "rust_1_73", SourceRef("body"))
    return Verdict(Outcome(outcome), Reading((panic,)), entry=entry or None, fingerprint=f"fingerprint of {outcome}")


def render(
    verdict: Verdict, _knowledge: object, *, asked: tuple[str, ...], spoken: bool, **_around: object
) -> str | None:
    """Says what was found; a match without an entry is told only to those who ask."""
    if verdict.outcome is Outcome.MATCHED and verdict.entry is None and not spoken:
        return None
    return "\n\n".join((f"{verdict.outcome} {verdict.entry}", *asked))


def time(minute: int) -> str:
    """Minutes after the installation."""
    return f"2026-06-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z"


@dataclass
class World:
    """The issue and everything on it."""

    body: str = "panic matched KB-0001"
    created_at: str = "2026-06-01T00:01:00Z"
    permissions: dict[str, Permission] = field(
        default_factory=lambda: {MAINTAINER: Permission.YES, STRANGER: Permission.NO, OTHER: Permission.NO}
    )
    rules: Rules = field(default_factory=Rules)
    facts: dict[str, Any] = field(default_factory=dict)
    """Further fields of the snapshot: state, locked, labels, ..."""
    memory: IssueMemory = field(default_factory=lambda: IssueMemory(installed_at=INSTALLED))
    minute: int = 1
    comments: dict[int, CommentSnapshot] = field(default_factory=dict)
    own: dict[int, OwnComment] = field(default_factory=dict)
    reactions: list[tuple[int | None, str]] = field(default_factory=list)
    wrong_today: dict[str, int] = field(default_factory=dict)
    updated_at: str = "2026-06-01T00:01:00Z"
    decisions: list[Decision] = field(default_factory=list)

    # What people do.

    def open(self) -> Decision:
        return self.event("issues", "opened", AUTHOR)

    def say(self, author: str, body: str, **facts: Any) -> Decision:
        number = self.write(author, body, **facts)
        return self.event("issue_comment", "created", author, number)

    def write(self, author: str, body: str, **facts: Any) -> int:
        """A comment whose event has not come (yet)."""
        self.minute += 1
        number = 100 + len(self.comments) + len(self.own) + self.minute
        now = time(self.minute)
        facts = {"is_bot": author.endswith("[bot]"), "created_at": now, "updated_at": now} | facts
        self.comments[number] = CommentSnapshot(id=number, author=author, body=body, **facts)
        return number

    def edit(self, number: int, body: str) -> Decision:
        self.minute += 1
        comment = self.comments[number]
        self.comments[number] = replace(comment, body=body, updated_at=time(self.minute))
        return self.event("issue_comment", "edited", comment.author, number)

    def edit_issue(self, body: str) -> Decision:
        self.minute += 1
        self.body, self.updated_at = body, time(self.minute)
        return self.event("issues", "edited", AUTHOR)

    def erase(self, number: int) -> Decision:
        comment = self.comments.pop(number)
        return self.event("issue_comment", "deleted", comment.author, number)

    def ask(self, login: str, name: str, argument: str = "", key: str = "") -> Decision:
        """Give a command on the dashboard."""
        self.minute += 1
        order = Order(name, argument, f"board:{key or self.minute}", time(self.minute))
        return self.event("dashboard", name, login, order=order)

    # What the machinery does.

    def event(
        self, event: str, action: str, sender: str, comment_id: int | None = None, order: Order | None = None
    ) -> Decision:
        trigger = Trigger(event, action, sender, sender.endswith("[bot]"), comment_id, order)
        bare = self.snapshot()
        asked = {*people(bare, self.memory), *([sender] if order else ())}
        known = {login: self.permissions.get(login, Permission.NO) for login in asked}
        decision = handle(
            trigger,
            replace(bare, permissions=known),
            self.memory,
            KNOWLEDGE,
            rules=self.rules,
            wrong_today=self.wrong_today,
            analyze=analyze,
            render=render,
        )
        self.memory = decision.memory
        for dispute in decision.disputes:
            if dispute.counted:
                self.wrong_today[dispute.login.casefold()] = self.wrong_today.get(dispute.login.casefold(), 0) + 1
        for doing in decision.actions:
            self._do(doing)
        self.decisions.append(decision)
        return decision

    def snapshot(self) -> IssueSnapshot:
        newest_first = sorted(self.own.values(), key=lambda own: own.id, reverse=True)
        speaking = next((own for own in newest_first if not own.minimized), newest_first[0] if newest_first else None)
        plain: dict[str, Any] = {
            "repo": "tracel-ai/burn",
            "repo_id": 1,
            "number": 7,
            "issue_id": 2,
            "title": "It crashes",
            "body": self.body,
            "author": AUTHOR,
            "author_is_bot": False,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "comments": tuple(self.comments.values()),
            "own": speaking,
        }
        return IssueSnapshot(**(plain | self.facts))

    def visible(self) -> list[str]:
        """Our comments that a reader sees, without marker."""
        return [own.body.split("\n\n<!--")[0] for own in self.own.values() if not own.minimized]

    def reactions_to(self, number: int | None) -> list[str]:
        return [content for target, content in self.reactions if target == number]

    def _do(self, action: object) -> None:
        match action:
            case UpsertComment(body=body, anew=anew):
                self._upsert(body, anew)
            case HideComment():
                self._set(minimized=True)
            case ShowComment():
                self._set(minimized=False)
            case DeleteComment():
                del self.own[self._current().id]
            case React(content=content, comment_id=number):
                self.reactions.append((number, content))
            case SetLabels(add=add, remove=remove):
                kept = [name for name in self.facts.get("labels", ()) if name not in remove]
                self.facts["labels"] = (*kept, *add)
            case _:
                raise AssertionError(action)

    def _upsert(self, body: str, anew: bool) -> None:
        self.minute += 1
        marked = Marks().mark(body, Marker(1, 2, f"intent-{self.minute}"))
        if anew:
            self._set(minimized=True)
        if self.own and not anew:
            self._set(body=marked, minimized=False, updated_at=time(self.minute))
            return
        number = 100_000 + self.minute
        self.own[number] = OwnComment(number, f"node-{number}", marked, time(self.minute))
        self.memory = replace(self.memory, comment_id=number)

    def _current(self) -> OwnComment:
        own = self.snapshot().own
        assert own is not None
        return own

    def _set(self, **changes: Any) -> None:
        own = self._current()
        self.own[own.id] = replace(own, **changes)
