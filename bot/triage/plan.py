"""From what should stand on the issue to the few actions that make it so. Pure: a difference between two states.

Doing nothing is the usual answer: where GitHub shows already what we want, there is no action.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.triage.actions import Action, DeleteComment, HideComment, React, ShowComment, UpsertComment
from bot.triage.policy import is_author, moment, own_words
from bot.triage.snapshot import IssueMemory, IssueSnapshot, OwnComment, Trigger

ANSWER_CHANGED = "rocket"
"""Reaction to what the author added, when our answer changed by it: an edit notifies nobody."""

VISIBLE = frozenset({"answer", "question", "words"})

HashOf = Callable[[str], str]
"""Hash of a comment's text without its marker (`bot.github.marker.body_hash`)."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What should stand on the issue."""

    kind: str
    """answer, question, words: the comment says `body`. hidden, outdated: nothing to be seen (by people's will; by
    itself). deleted: no comment at all. leave: as it is."""
    body: str = ""
    key: str = ""
    """`answer_key` of an answer or question."""


def notice(snapshot: IssueSnapshot, memory: IssueMemory) -> IssueMemory:
    """`memory` after a look at what people did to our comment by hand: deleted, minimised. Both are their last word,
    until a command asks. A comment that we do not remember is taken over as ours."""
    own = snapshot.own
    # What is left of a question that was answered anew is no sign of life of the answer.
    left_over = own is not None and own.minimized and memory.comment_id not in {None, own.id}
    if own is None or left_over:
        by_hand = memory.comment_id is not None and memory.state not in {"none", "deleted"}
        return _deleted_by_hand(memory) if by_hand else memory
    memory = replace(memory, comment_id=own.id)
    if memory.state == "none":
        return replace(memory, state="hidden" if own.minimized else "answer")
    if own.minimized and memory.state in VISIBLE:
        return replace(memory, state="hidden", hold="by_hand", hold_by="maintainer")
    return memory


def edited_by_person(own: OwnComment | None, memory: IssueMemory, hash_of: HashOf) -> bool:
    """Whether our comment says something else than we wrote last."""
    return own is not None and memory.body_hash is not None and hash_of(own.body) != memory.body_hash


def settle(
    own: OwnComment | None, memory: IssueMemory, wish: Wish, hash_of: HashOf
) -> tuple[Action | None, IssueMemory]:
    """The one action (if any) that turns our comment into what is wished, and the memory of having done so.

    The text of a person who edited our comment is never overwritten, and never hidden without a command.
    """
    if wish.kind == "leave":
        return None, memory
    if wish.kind == "deleted":
        gone = replace(memory, state="deleted", comment_id=None, body_hash=None)
        return (DeleteComment() if own else None), gone
    edited = edited_by_person(own, memory, hash_of)
    if wish.kind in {"hidden", "outdated"}:
        return _hide(own, memory, leave=wish.kind == "outdated" and (edited or memory.state == "hidden"))
    if own is not None and edited:
        return (ShowComment() if own.minimized else None), replace(memory, state=_kept(memory.state, wish.kind))
    return _say(own, memory, wish, hash_of)


def answer_moved(own: OwnComment | None, before: IssueMemory, after: IssueMemory) -> bool:
    """Whether a comment of ours that stood there now gives another answer than before, or gives one again."""
    if own is None or after.state not in {"answer", "question"}:
        return False
    return before.state in {"hidden", "words"} or (before.answer not in {"", after.answer})


def added_by_author(trigger: Trigger, snapshot: IssueSnapshot, before: IssueMemory) -> React | None:
    """The reaction for what the author added: on the comment of the event, on the issue when its text was edited, else
    on the author's newest comment that was not read `before`."""
    theirs = own_words(snapshot)
    if any(c.id == trigger.comment_id for c in theirs):
        return React(ANSWER_CHANGED, trigger.comment_id)
    if trigger.event == "issues":
        by_author = trigger.action in {"edited", "reopened"} and is_author(snapshot, trigger.sender)
        return React(ANSWER_CHANGED) if by_author else None
    new = [c for c in theirs if before.read_until and moment(c.updated_at) > moment(before.read_until)]
    return React(ANSWER_CHANGED, max(new, key=lambda c: moment(c.updated_at)).id) if new else None


def _hide(own: OwnComment | None, memory: IssueMemory, *, leave: bool) -> tuple[Action | None, IssueMemory]:
    if own is None or leave:
        return None, memory
    return (None if own.minimized else HideComment()), replace(memory, state="hidden")


def _say(own: OwnComment | None, memory: IssueMemory, wish: Wish, hash_of: HashOf) -> tuple[Action | None, IssueMemory]:
    same = own is not None and hash_of(own.body) == hash_of(wish.body)
    anew = own is not None and wish.kind == "answer" and memory.state == "question" and not memory.question_replaced
    new_answer = wish.key not in {"", memory.answer}
    after = replace(
        memory,
        state=wish.kind,
        body_hash=hash_of(wish.body),
        answer=wish.key or memory.answer,
        wrong_by=frozenset() if new_answer else memory.wrong_by,
        upheld=memory.upheld and not new_answer,
        question_replaced=memory.question_replaced or anew,
    )
    if own is not None and same:
        return (ShowComment() if own.minimized else None), replace(after, question_replaced=memory.question_replaced)
    return UpsertComment(wish.body, anew=anew), after


def _kept(state: str, wished: str) -> str:
    return state if state in VISIBLE else wished


def _deleted_by_hand(memory: IssueMemory) -> IssueMemory:
    return replace(memory, state="deleted", hold="deleted", hold_by="", comment_id=None, body_hash=None)
