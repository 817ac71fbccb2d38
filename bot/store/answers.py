"""The answers that were given, one row for each that an issue ever showed, and what maintainers said of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, select, update

from bot.feedback import RIGHT, SET, WRONG, Decided, entry_of
from bot.ports import Target
from bot.store.dialect import insert
from bot.store.schema import answers, disputes, reactions, verdicts


@dataclass(frozen=True, slots=True)
class Precision:
    """How right the answers of one entry (or all of them) were, as far as anybody said."""

    entry: str | None
    """KB id; None for answers without an entry, "" for all together."""
    answers: int
    """All that were given by us: the n of both shares."""
    right: int
    """Confirmed by a maintainer."""
    wrong: int
    """Confirmed wrong by a maintainer."""
    disputed: int
    """Called wrong by somebody, and no maintainer has decided."""

    @property
    def confirmed(self) -> float | None:
        """Share of answers that no maintainer found wrong; None without answers."""
        return 1 - self.wrong / self.answers if self.answers else None

    @property
    def at_least(self) -> float | None:
        """The same if every open dispute is right."""
        return 1 - (self.wrong + self.disputed) / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class ConfirmedAnswer:
    """An answer that a maintainer decided on, with the redacted verdict behind it."""

    repo: str
    repo_id: int
    issue_id: int
    number: int
    answer: str
    decided: str
    right_entry: str | None
    decided_at: float
    verdict: Mapping[str, Any] | None
    """None where it was forgotten."""


def give(conn: Connection, target: Target, answer: str, delivery_id: int, now: float) -> None:
    """Note that our comment says this. The first delivery that led to it stays on record."""
    values = {
        "repo_id": target.repo_id,
        "issue_id": target.issue_id,
        "key": key_of(answer),
        "repo": target.repo,
        "number": target.number,
        "answer": answer,
        "entry": entry_of(answer),
        "delivery_id": delivery_id,
        "given_at": now,
    }
    keys = ["repo_id", "issue_id", "key"]
    conn.execute(insert(conn, answers).values(values).on_conflict_do_nothing(index_elements=keys))


def decide(conn: Connection, target: Target, word: Decided, now: float) -> None:
    """Note a maintainer's word. An answer that a maintainer gave stays that, whatever else is said of it; one that we
    had given before, and that a maintainer sets again, was right."""
    mine = and_(answers.c.repo_id == target.repo_id, answers.c.issue_id == target.issue_id)
    change = update(answers).where(mine, answers.c.key == key_of(word.answer), answers.c.decided != SET)
    says: Any = word.decided
    if word.decided == SET:
        says = case((answers.c.given_at == now, SET), else_=RIGHT)
    conn.execute(change.values(decided=says, right_entry=word.right_entry, decided_at=now))


def precision(conn: Connection, repo: str | None = None) -> Sequence[Precision]:
    """All answers first (`entry` ""), then by entry, those without one last. `repo`: `owner/name`, None for all."""
    ours = answers.c.decided != SET
    if repo is not None:
        ours = and_(ours, func.lower(answers.c.repo) == repo.lower())
    counts = (func.count(), _count(answers.c.decided == RIGHT), _count(answers.c.decided == WRONG), _count(_disputed()))
    rows = conn.execute(select(answers.c.entry, *counts).where(ours).group_by(answers.c.entry)).all()
    each = [Precision(entry, int(n), int(right), int(wrong), int(open_)) for entry, n, right, wrong, open_ in rows]
    total = Precision("", *(sum(getattr(row, name) for row in each) for name in Precision.__slots__[1:]))
    return [total, *sorted(each, key=lambda row: (row.entry is None, row.entry or ""))]


def confirmed(conn: Connection) -> Sequence[ConfirmedAnswer]:
    """Every answer that a maintainer found right or wrong, by repository and issue."""
    joined = answers.outerjoin(verdicts, verdicts.c.delivery_id == answers.c.delivery_id)
    table = answers.c
    columns = (table.repo, table.repo_id, table.issue_id, table.number, table.answer, table.decided, table.right_entry)
    query = select(*columns, table.decided_at, verdicts.c.verdict).select_from(joined)
    query = query.where(table.decided.in_((RIGHT, WRONG))).order_by(table.repo, table.number, table.given_at)
    return [ConfirmedAnswer(*row) for row in conn.execute(query)]


def liked(conn: Connection) -> Mapping[str | None, tuple[int, int]]:
    """Approving and disapproving reactions by the entry of the answer that each comment gave last."""
    newest = select(func.max(answers.c.id)).group_by(answers.c.repo_id, answers.c.issue_id)
    here = and_(reactions.c.repo_id == answers.c.repo_id, reactions.c.issue_id == answers.c.issue_id)
    query = select(answers.c.entry, func.sum(reactions.c.up), func.sum(reactions.c.down))
    query = query.select_from(reactions.join(answers, here)).where(answers.c.id.in_(newest))
    rows = conn.execute(query.group_by(answers.c.entry))
    return {entry: (int(up), int(down)) for entry, up, down in rows}


def key_of(answer: str) -> str:
    """A short key: an answer with many candidates is long."""
    return hashlib.sha256(answer.encode()).hexdigest()[:16]


def _disputed() -> ColumnElement[bool]:
    same = and_(
        disputes.c.repo_id == answers.c.repo_id,
        disputes.c.issue_id == answers.c.issue_id,
        disputes.c.answer == answers.c.answer,
        disputes.c.counted,
    )
    return and_(answers.c.decided == "", exists(select(disputes.c.id).where(same)))


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
