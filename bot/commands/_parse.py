"""Finds command lines in prose. What is prose (never code, quotes or HTML) is decided by `bot.triage.conversation`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from bot.commands._model import Call
from bot.redact import redact
from bot.triage.policy import moment
from bot.triage.safe import clip, visible
from bot.triage.snapshot import CommentSnapshot, IssueMemory, IssueSnapshot, Trigger

MAX_PER_COMMENT = 5
"""Commands carried out from one comment in its life; more are ignored."""

_LINE = re.compile(r"\s*/triage(?:[.!?]*|\s+(?P<rest>.*))\s*", re.IGNORECASE)
_KEY_LINE = 120

Prose = Callable[[str], Sequence[str]]
"""Markdown in, its prose lines out (`bot.triage.conversation.prose_lines`)."""


def calls_in(comment: CommentSnapshot, prose: Prose, *, comment_id: int | None) -> Iterator[Call]:
    """The commands of one comment from top to bottom: lines of prose that begin with `/triage`, in any case."""
    if "/triage" not in comment.body.casefold():
        return
    seen: Counter[str] = Counter()
    for text in prose(comment.body):
        match = _LINE.fullmatch(visible(text))
        if match is None:
            continue
        name, _, argument = " ".join((match["rest"] or "").split()).partition(" ")
        line = f"/triage {name.casefold()} {argument}".strip()
        seen[line] += 1
        yield Call(
            name=name.casefold().rstrip(".!?,:;"),
            argument=argument,
            line=line,
            key=f"{comment.id}:{clip(redact(line), _KEY_LINE)}#{seen[line]}",
            author=comment.author,
            comment_id=comment_id,
            body=comment.body,
            at=comment.updated_at,
        )


def new_calls(snapshot: IssueSnapshot, memory: IssueMemory, prose: Prose) -> list[Call]:
    """Commands not carried out yet, oldest comment first: what an edit added, never what it left as it was.

    Left out: bots, apps that write for people, comments older than the installation, and what is above
    `MAX_PER_COMMENT`. A deleted comment is not in the snapshot, so nothing of it runs.
    """
    run = Counter(key.partition(":")[0] for key in memory.commands_run)
    new: list[Call] = []
    for comment, comment_id in _texts(snapshot):
        if comment.is_bot or comment.via_app or _before_us(comment, memory):
            continue
        added = [
            call for call in calls_in(comment, prose, comment_id=comment_id) if call.key not in memory.commands_run
        ]
        new += added[: max(0, MAX_PER_COMMENT - run[str(comment.id)])]
    return new


def ordered(trigger: Trigger, memory: IssueMemory) -> list[Call]:
    """The command that a maintainer gave on the dashboard, as a call; none where it was carried out already."""
    order = trigger.order
    if order is None or order.key in memory.commands_run:
        return []
    name = "" if order.name == "again" else order.name
    line = " ".join(("/triage", name, order.argument)).strip()
    return [
        Call(
            name=name,
            argument=order.argument,
            line=line,
            key=order.key,
            author=trigger.sender,
            comment_id=None,
            body=line,
            at=order.at,
            quiet=True,
        )
    ]


def _texts(snapshot: IssueSnapshot) -> Iterator[tuple[CommentSnapshot, int | None]]:
    """The issue's own text, as comment 0, and the comments."""
    yield (
        CommentSnapshot(
            id=0,
            author=snapshot.author,
            is_bot=snapshot.author_is_bot,
            body=snapshot.body,
            created_at=snapshot.created_at,
            updated_at=snapshot.updated_at,
            via_app=snapshot.via_app,
        ),
        None,
    )
    for comment in sorted(snapshot.comments, key=lambda c: c.id):
        yield comment, comment.id


def _before_us(comment: CommentSnapshot, memory: IssueMemory) -> bool:
    return bool(memory.installed_at) and moment(comment.created_at) < moment(memory.installed_at)
