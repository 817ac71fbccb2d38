"""What the entries did: answers given with each, and what people said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, distinct, func, select

from bot.feedback import RIGHT, SET, WRONG
from bot.store.schema import answers, disputes


@dataclass(frozen=True, slots=True)
class Use:
    """One entry's answers in these repositories, over all time. Shares are of `hits`."""

    hits: int = 0
    """Answers that we gave with it: the n of its precision."""
    right: int = 0
    wrong: int = 0
    disputed: int = 0
    """Called wrong by somebody, and not decided."""
    chosen: int = 0
    """Times that a maintainer set it."""

    @property
    def at_least(self) -> float | None:
        """Percentage that is right if every open dispute is; None without answers."""
        return 100 * (1 - (self.wrong + self.disputed) / self.hits) if self.hits else None

    @property
    def at_most(self) -> float | None:
        """Percentage that is right if no open dispute is."""
        return 100 * (1 - self.wrong / self.hits) if self.hits else None


def uses(conn: Connection, repo_ids: Sequence[int]) -> dict[str | None, Use]:
    """By KB id; None: answers without an entry."""
    table = answers.c
    # By repository too: that is the order of the index, so nothing is sorted.
    query = select(table.entry, table.decided, func.count()).where(table.repo_id.in_(repo_ids))
    counts: dict[str | None, Counter[str]] = {}
    for entry, decided, n in conn.execute(query.group_by(table.repo_id, table.entry, table.decided)):
        counts.setdefault(entry, Counter())[decided] += n
    open_ = _open_disputes(conn, repo_ids)
    return {entry: _use(said, open_.get(entry, 0)) for entry, said in counts.items()}


def _use(said: Counter[str], disputed: int) -> Use:
    return Use(said.total() - said[SET], said[RIGHT], said[WRONG], disputed, chosen=said[SET])


def _open_disputes(conn: Connection, repo_ids: Sequence[int]) -> dict[str | None, int]:
    """Answers under dispute by entry. From the disputes, which are few, to the answers, which are many."""
    same = (
        (disputes.c.repo_id == answers.c.repo_id)
        & (disputes.c.issue_id == answers.c.issue_id)
        & (disputes.c.answer == answers.c.answer)
    )
    query = select(answers.c.entry, func.count(distinct(answers.c.id))).select_from(disputes.join(answers, same))
    mine = (disputes.c.repo_id.in_(repo_ids), disputes.c.counted, answers.c.decided == "")
    return {entry: int(n) for entry, n in conn.execute(query.where(*mine).group_by(answers.c.entry))}
