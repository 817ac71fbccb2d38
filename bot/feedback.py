"""From what people did to an answer to whether it was right. Pure.

An answer is what our comment said of an issue: outcome, entry and place (`bot.triage.policy.answer_key`). Only a
maintainer's word decides: `/triage wrong`, `/triage entry`, or `/triage show` after others had hidden it. What the
author and others say is a dispute, open until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.triage.snapshot import Dispute, IssueMemory

RIGHT = "right"
WRONG = "wrong"
SET = "set"
"""Not our answer: a maintainer gave the entry."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A maintainer's word on an answer."""

    answer: str
    decided: str
    """right, wrong or set."""
    right_entry: str | None = None
    """KB id that a maintainer set instead."""


def entry_of(answer: str) -> str | None:
    """The KB id in an answer's key."""
    found = answer.split("|", 2)[1] if answer.count("|") >= 2 else "-"
    return None if found == "-" else found


def is_answer(answer: str) -> bool:
    """Whether it said something: a question is no answer."""
    return bool(answer) and not (answer.startswith("ambiguous|") and entry_of(answer) is None)


def given(after: IssueMemory) -> str | None:
    """The answer that stands in our comment now, None where none does."""
    return after.answer if after.state == "answer" and is_answer(after.answer) else None


def decided(before: IssueMemory, after: IssueMemory, disputes: Sequence[Dispute]) -> list[Decided]:
    """What maintainers said of answers in one job; of two words on one answer the last holds."""
    words = [Decided(d.answer, WRONG) for d in disputes if d.by == "maintainer" and is_answer(d.answer)]
    if after.upheld and not before.upheld and is_answer(before.answer):
        words.append(Decided(before.answer, RIGHT))
    if after.entry and after.entry != before.entry:
        words += _entry_set(before.answer, after)
    return words


def _entry_set(answer: str, after: IssueMemory) -> list[Decided]:
    chosen = after.entry
    words = []
    if is_answer(answer):
        right = entry_of(answer) == chosen
        words.append(Decided(answer, RIGHT if right else WRONG, None if right else chosen))
    if given(after) and after.answer != answer and entry_of(after.answer) == chosen:
        words.append(Decided(after.answer, SET))
    return words
