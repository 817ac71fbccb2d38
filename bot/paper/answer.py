"""One past issue, answered as if it had just been opened, by the very pipeline of the worker. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.handle import handle
from bot.redact import redact_json
from bot.triage.actions import UpsertComment
from bot.triage.contract import verdict_json
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Verdict
from bot.triage.policy import Mode, Rules, answer_key, own_words, report_of
from bot.triage.snapshot import IssueMemory, IssueSnapshot, Trigger


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """An issue with what would have been said. Every text went through `redact`."""

    repo: str
    number: int
    state: str
    created_at: str
    title: str
    body: str
    comments: tuple[str, ...]
    """The author's own, which were read."""
    outcome: str
    """A verdict's, "" where the issue would not have been looked at."""
    reason: str
    """Reason code of the decision."""
    comment: str | None
    """Markdown of what would have been posted."""
    key: str
    """What the answer is about, as `bot.triage.policy.answer_key` says it."""
    verdict: Mapping[str, Any]
    """As the analysis contract has it."""
    whole: Mapping[str, Any]
    """The verdict with all it was made of, for labelled cases; empty where there was no panic."""
    revision: str
    """Of the knowledge base."""

    @property
    def url(self) -> str:
        """The issue's page."""
        return f"https://github.com/{self.repo}/issues/{self.number}"

    @property
    def message(self) -> str:
        """First line of the root panic, "" without one."""
        panics = self.verdict.get("panics") or []
        root = next((p for p in panics if p["role"] == "root"), None)
        return str(root["message"]).split("\n", 1)[0] if root else ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def from_json(values: Mapping[str, Any]) -> PaperAnswer:
    """What `to_json` gave. KeyError or TypeError for anything else."""
    return PaperAnswer(**{**values, "comments": tuple(values["comments"])})


def answer_on_paper(
    snapshot: IssueSnapshot,
    knowledge: Knowledge,
    repeats: Callable[[Verdict], Sequence[int]] = lambda _verdict: (),
    public_url: str | None = None,
) -> PaperAnswer:
    """What would have been said, had the issue been opened with all that its author has written in it since.

    `repeats` as in `bot.handle.handle`; numbers of later issues are passed over.
    """
    new = replace(
        snapshot, state="open", locked=False, moved_here=False, own=None, labels=(), comments=tuple(own_words(snapshot))
    )
    opened = Trigger("issues", "opened", snapshot.author, snapshot.author_is_bot)
    # Commands of the past are not given again.
    fresh = IssueMemory(installed_at=snapshot.created_at)
    memory = handle(opened, new, fresh, knowledge, rules=Rules(mode=Mode.OFF)).memory
    decision = handle(
        opened,
        new,
        memory,
        knowledge,
        repeats=lambda verdict: [number for number in repeats(verdict) if number < snapshot.number],
        public_url=public_url,
    )
    comment = next((redact_json(action.body) for action in decision.actions if isinstance(action, UpsertComment)), None)
    return _paper(new, snapshot.state, decision.verdict, decision.reason, comment, knowledge.revision)


def _paper(
    snapshot: IssueSnapshot, state: str, verdict: Verdict | None, reason: str, comment: str | None, revision: str
) -> PaperAnswer:
    report = report_of(snapshot, IssueMemory())
    found = verdict is not None and verdict.outcome is not Outcome.NONE
    contract = verdict_json(str(snapshot.number), verdict, comment) if verdict else {}
    return PaperAnswer(
        repo=snapshot.repo,
        number=snapshot.number,
        state=state,
        created_at=snapshot.created_at,
        title=redact_json(report.title),
        body=redact_json(report.body),
        comments=tuple(redact_json(text) for text in report.comments),
        outcome=str(verdict.outcome) if verdict else "",
        reason=reason,
        comment=comment,
        key=answer_key(verdict) if verdict and found else "",
        verdict=redact_json(contract),
        whole=redact_json(verdict) if found else {},
        revision=revision,
    )
