"""What the bot would remember of an issue, found out again from the issue itself. Pure.

Three things on GitHub stand in for the store: the marker of our comment says what it is (`Mark`), a reaction of ours on
a comment says that its commands were carried out, and the commands themselves, run again one after the other over an
empty memory, say what came of them: hidden, muted, disputed, answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.commands._model import DONE, PUZZLED, REFUSED, SEEN, Call
from bot.commands._parse import new_calls
from bot.github.marker import Marks, body_hash
from bot.ports import OwnReaction
from bot.triage.conversation import prose_lines
from bot.triage.policy import Rules, moment
from bot.triage.snapshot import Decision, IssueMemory, IssueSnapshot

ANSWERED = frozenset({DONE, SEEN, PUZZLED, REFUSED})
"""Reactions that a command gets."""

STATES = ("answer", "question", "words", "hidden")
_REPLACED = "replaced"
BY_HAND = ("by_hand", "deleted")
"""Why an answer is kept back that no command tells of: a person hid or deleted our comment."""

Handle = Callable[[IssueSnapshot, IssueMemory], Decision]
"""`bot.handle.handle` with everything else given."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What our comment's marker says of the last write: `answer.1f0c5d…` or `answer.replaced.1f0c5d…`."""

    state: str
    answer: str
    """Sixteen hex digits that name what the answer is about; "" where there was none."""
    question_replaced: bool = False
    hold: str = ""
    """One of `BY_HAND` where the answer is kept back although the comment stands, with words; "" elsewhere."""

    def __str__(self) -> str:
        flags = [_REPLACED] if self.question_replaced else []
        return ".".join((self.state, *flags, *([self.hold] if self.hold else []), self.answer or "none"))

    @classmethod
    def of(cls, memory: IssueMemory) -> Mark:
        """The mark of a comment that stands as this memory says."""
        state = memory.state if memory.state in STATES else "answer"
        hold = memory.hold if memory.hold in BY_HAND else ""
        return cls(state, answer_id(memory.answer), memory.question_replaced, hold)

    @classmethod
    def read(cls, intent_id: str) -> Mark:
        """From a marker; anything that is no mark counts as an answer about something unknown."""
        state, *rest = intent_id.split(".")
        if state not in STATES or not rest:
            return cls("answer", "unknown")
        *flags, answer = rest
        hold = next((flag for flag in flags if flag in BY_HAND), "")
        return cls(state, "" if answer == "none" else answer, _REPLACED in flags, hold)


def answer_id(key: str) -> str:
    """Sixteen hex digits of an answer's key (`bot.triage.policy.answer_key`), "" for none."""
    return hashlib.sha256(key.encode()).hexdigest()[:16] if key else ""


def commanding(snapshot: IssueSnapshot, since: str) -> tuple[int | None, ...]:
    """The comments that hold commands, None for the issue's own text, in the order of their writing."""
    calls = new_calls(snapshot, IssueMemory(installed_at=since), prose_lines)
    return tuple(dict.fromkeys(call.comment_id for call in calls))


def carried_out(reactions: Mapping[int | None, Iterable[OwnReaction]]) -> dict[int | None, str]:
    """Of these comments those whose commands were carried out, and when, the earliest first."""
    when = {
        comment_id: min(reaction.at for reaction in given)
        for comment_id, found in reactions.items()
        if (given := [reaction for reaction in found if reaction.content in ANSWERED])
    }
    return dict(sorted(when.items(), key=lambda item: (moment(item[1]), item[0] or 0)))


def remember(
    snapshot: IssueSnapshot, since: str, done: Mapping[int | None, str], handle: Handle, *, key: str
) -> IssueMemory:
    """The memory as far as commands made it: those of `done` (`carried_out`) again, each on the issue as it was then.

    Nothing is written for them: `handle` only decides. Our comment is left out of what they see. `key` names what the
    issue is answered without any command.
    """
    memory = _standing(snapshot, since, key)
    every = new_calls(snapshot, memory, prose_lines)
    for comment_id, at in done.items():
        theirs = {call.key for call in every if call.comment_id == comment_id}
        then = _as_of(snapshot, at, comment_id)
        before = replace(memory, commands_run=frozenset(call.key for call in every) - theirs)
        memory = handle(then, before).memory
    return replace(memory, commands_run=_keys(every, done))


def with_comment(
    memory: IssueMemory, snapshot: IssueSnapshot, rules: Rules, *, key: str, edited: bool, deleted: bool
) -> IssueMemory:
    """The memory with what stands on GitHub: our comment, or that it is gone.

    `key` names what would be answered now, `edited` tells that a person changed our comment last, `deleted` that a
    comment of our account was deleted. Labels of the configuration that are on the issue may be ours: the publisher
    asks GitHub before it takes one off.
    """
    configured = {name.casefold() for names in rules.labels.values() for name in names}
    memory = replace(memory, labels_set=frozenset(configured & {name.casefold() for name in snapshot.labels}))
    own = snapshot.own
    if own is None:
        gone = replace(memory, comment_id=None, body_hash=None)
        if memory.state == "deleted":
            return gone
        if deleted:
            return replace(gone, state="deleted", hold="deleted", hold_by="")
        return replace(gone, state="none", answer="")
    mark = _mark_of(snapshot)
    if mark.hold and not memory.hold:
        memory = replace(memory, hold=mark.hold, hold_by="maintainer" if mark.hold == "by_hand" else "")
    by_us = mark.state == "hidden" or bool(memory.hold) or memory.muted
    return replace(
        memory,
        comment_id=own.id,
        body_hash="" if edited else body_hash(own.body),
        state="hidden" if mark.state == "hidden" or (own.minimized and by_us) else mark.state,
        answer=_answer(mark, key),
        question_replaced=mark.question_replaced,
        read_until=own.updated_at,
    )


def _mark_of(snapshot: IssueSnapshot) -> Mark:
    body = snapshot.own.body if snapshot.own else ""
    marker = Marks().find(body, repo_id=snapshot.repo_id, issue_id=snapshot.issue_id)
    return Mark.read(marker.intent_id if marker else "")


def _standing(snapshot: IssueSnapshot, since: str, key: str) -> IssueMemory:
    """What commands find: an answer that can be hidden or disputed, where there is one."""
    memory = IssueMemory(installed_at=since)
    if snapshot.own is None:
        return memory
    mark = _mark_of(snapshot)
    state = "answer" if mark.state == "hidden" else mark.state
    return replace(memory, state=state, answer=_answer(mark, key))


def _answer(mark: Mark, key: str) -> str:
    """The key of the answer that stands: the present one where the mark names it."""
    if not mark.answer:
        return ""
    return key if mark.answer == answer_id(key) else f"|{mark.answer}"


def _as_of(snapshot: IssueSnapshot, at: str, comment_id: int | None) -> IssueSnapshot:
    """The issue with the comments that were there when a command was carried out, ours left out."""
    limit = moment(at)
    shown = tuple(c for c in snapshot.comments if moment(c.created_at) <= limit or c.id == comment_id)
    return replace(snapshot, comments=shown, own=None)


def _keys(calls: Sequence[Call], done: Mapping[int | None, str]) -> frozenset[str]:
    return frozenset(call.key for call in calls if call.comment_id in done)
