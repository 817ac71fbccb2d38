"""How the bot does: reports and answers by week, precision, how fast it is."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import ColumnElement, Connection, bindparam, case, distinct, func, select

from bot.feedback import SET, WRONG
from bot.store.alarms import Alarm
from bot.store.configurations import StoredConfiguration
from bot.store.dialect import whole
from bot.store.schema import alarms, answers, configurations, deliveries, disputes, first_looks, intents

WEEK = 7 * 86_400.0
LAST_COMMENTS = 200
"""Comments on new issues over which the time to answer is taken."""
READ_FOR_PACE = 2 * LAST_COMMENTS
"""Comments that are read for it: some were written later, after an edit."""


@dataclass(frozen=True, slots=True)
class Week:
    """Issues that were first looked at in one week (counted back from now)."""

    reports: int = 0
    answered: int = 0
    quiet: int = 0
    """They show a panic, and got no answer."""

    @property
    def without(self) -> int:
        """They show no panic that could be read."""
        return self.reports - self.answered - self.quiet


def weeks(conn: Connection, repo_ids: Sequence[int], *, now: float, count: int) -> list[Week]:
    """The last `count` weeks, oldest first; the last one ends now."""
    table = first_looks.c
    mine = (table.repo_id.in_(repo_ids), table.first_at > now - count * WEEK, table.first_at <= now)
    week = whole(conn, (now - table.first_at) / WEEK).label("week")
    quiet = table.panic & ~table.answered
    query = select(week, func.count(), _sum(table.answered), _sum(quiet)).where(*mine).group_by(week)
    found = {int(back): Week(int(n), int(said), int(silent)) for back, n, said, silent in conn.execute(query)}
    return [found.get(back, Week()) for back in reversed(range(count))]


@dataclass(frozen=True, slots=True)
class Rightness:
    """How right all answers were; see `bot.store.answers.Precision`."""

    answers: int
    wrong: int
    disputed: int


def rightness(conn: Connection, repo_ids: Sequence[int] | None = None) -> Rightness:
    """Over all time; None: in all repositories together."""
    table = answers.c
    mine = [] if repo_ids is None else [table.repo_id.in_(repo_ids)]
    # By repository too: that is the order of the index, so nothing is sorted.
    query = select(table.decided, func.count()).where(*mine)
    counts: Counter[str] = Counter()
    for decided, n in conn.execute(query.group_by(table.repo_id, table.decided)):
        counts[decided] += n
    del counts[SET]
    same = (
        (disputes.c.repo_id == table.repo_id)
        & (disputes.c.issue_id == table.issue_id)
        & (disputes.c.answer == table.answer)
    )
    open_ = select(func.count(distinct(table.id))).select_from(disputes.join(answers, same))
    mine = [] if repo_ids is None else [disputes.c.repo_id.in_(repo_ids)]
    open_ = open_.where(*mine, disputes.c.counted, table.decided == "")
    return Rightness(counts.total(), counts[WRONG], int(conn.execute(open_).scalar_one()))


def seconds_to_comment(conn: Connection, repo_ids: Sequence[int], *, since: float) -> list[float]:
    """From the opening of an issue to our comment, for the last comments on new issues, sorted."""
    event = deliveries.c
    opened = (event.event == "issues") & (event.action == "opened") & event.issue_created_at.is_not(None)
    # The last ones of each repository, down its index; all at once they would have to be sorted.
    walks = [conn.execute(_LAST, {"repo": repo_id, "since": since}) for repo_id in repo_ids]
    newest = islice(heapq.merge(*walks, key=lambda row: float(row[0]), reverse=True), READ_FOR_PACE)
    done = {int(delivery_id): float(at) for at, delivery_id in newest}
    query = select(event.id, event.issue_created_at).where(event.id.in_(done), opened)
    begun = sorted(((done[number], began) for number, began in conn.execute(query)), reverse=True)[:LAST_COMMENTS]
    return sorted(max(0.0, at - datetime.fromisoformat(began).timestamp()) for at, began in begun)


_LAST = (
    select(intents.c.done_at, intents.c.delivery_id)
    .where(intents.c.repo_id == bindparam("repo"), intents.c.did == "created", intents.c.done_at >= bindparam("since"))
    .order_by(intents.c.done_at.desc())
    .limit(READ_FOR_PACE)
)


def standing_alarms(conn: Connection, repo_ids: Sequence[int], limit: int = 20) -> list[Alarm]:
    """Comments of outsiders that nobody has looked at, newest first."""
    columns = [alarms.c[name] for name in Alarm.__slots__]
    query = select(*columns).where(alarms.c.repo_id.in_(repo_ids), alarms.c.dismissed_at.is_(None))
    return [Alarm(*row) for row in conn.execute(query.order_by(alarms.c.raised_at.desc()).limit(limit))]


def repo_of_alarm(conn: Connection, comment_id: int) -> int | None:
    """The repository of an alarm, None where there is none."""
    if not 0 < comment_id < 2**63:
        return None
    found = conn.execute(select(alarms.c.repo_id).where(alarms.c.comment_id == comment_id)).scalar()
    return None if found is None else int(found)


def chosen(conn: Connection, repo_ids: Sequence[int]) -> list[StoredConfiguration]:
    """What these repositories chose, by name."""
    columns = [configurations.c[name] for name in StoredConfiguration.__slots__]
    query = select(*columns).where(configurations.c.repo_id.in_(repo_ids)).order_by(configurations.c.repo)
    return [StoredConfiguration(*row) for row in conn.execute(query)]


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
