"""How the bot does: reports and answers by week, precision, how fast it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, case, distinct, exists, func, select, union_all

from bot.feedback import SET, WRONG
from bot.store.alarms import Alarm
from bot.store.configurations import StoredConfiguration
from bot.store.dialect import whole
from bot.store.schema import alarms, answers, configurations, deliveries, disputes, intents, occurrences, verdicts

WEEK = 7 * 86_400.0
LAST_COMMENTS = 200
"""Comments over which the time to answer is taken."""


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
    first = func.min(verdicts.c.created_at).label("first")
    looked_at = select(verdicts.c.repo_id, verdicts.c.issue_id, first).where(verdicts.c.repo_id.in_(repo_ids))
    each = looked_at.group_by(verdicts.c.repo_id, verdicts.c.issue_id)
    issue = each.having((first > now - count * WEEK) & (first <= now)).subquery()
    here = [(table.c.repo_id == issue.c.repo_id) & (table.c.issue_id == issue.c.issue_id) for table in _SAID]
    answered, panics = exists().where(here[0], answers.c.decided != SET), exists().where(here[1])
    week = whole(conn, (now - issue.c.first) / WEEK).label("week")
    counted = (func.count(), _sum(answered), _sum(panics))
    rows = conn.execute(select(week, *counted).group_by(week)).all()
    found = {int(back): Week(int(seen), int(said), max(0, int(all_) - int(said))) for back, seen, said, all_ in rows}
    return [found.get(back, Week()) for back in reversed(range(count))]


_SAID = (answers, occurrences)


@dataclass(frozen=True, slots=True)
class Rightness:
    """How right all answers were; see `bot.store.answers.Precision`."""

    answers: int
    wrong: int
    disputed: int


def rightness(conn: Connection, repo_ids: Sequence[int]) -> Rightness:
    """Over all time."""
    table = answers.c
    query = select(table.decided, func.count()).where(table.repo_id.in_(repo_ids), table.decided != SET)
    counts = {str(decided): int(n) for decided, n in conn.execute(query.group_by(table.decided))}
    same = (
        (disputes.c.repo_id == table.repo_id)
        & (disputes.c.issue_id == table.issue_id)
        & (disputes.c.answer == table.answer)
    )
    open_ = select(func.count(distinct(table.id))).select_from(disputes.join(answers, same))
    open_ = open_.where(disputes.c.repo_id.in_(repo_ids), disputes.c.counted, table.decided == "")
    return Rightness(sum(counts.values()), counts.get(WRONG, 0), int(conn.execute(open_).scalar_one()))


def seconds_to_comment(conn: Connection, repo_ids: Sequence[int], *, since: float) -> list[float]:
    """From the opening of an issue to our comment, for the last comments on new issues, sorted."""
    event = deliveries.c
    opened = (event.event == "issues") & (event.action == "opened") & event.issue_created_at.is_not(None)
    # The last ones of each repository, down its index; all at once they would have to be sorted.
    last = [
        select(intents.c.done_at, intents.c.delivery_id)
        .where(intents.c.repo_id == repo_id, intents.c.done_at >= since, intents.c.did == "created")
        .order_by(intents.c.done_at.desc())
        .limit(LAST_COMMENTS)
        .subquery()
        for repo_id in repo_ids
    ]
    if not last:
        return []
    done = union_all(*(select(one.c.done_at, one.c.delivery_id) for one in last)).subquery()
    query = select(done.c.done_at, event.issue_created_at).join(deliveries, event.id == done.c.delivery_id)
    rows = conn.execute(query.where(opened).order_by(done.c.done_at.desc()).limit(LAST_COMMENTS)).all()
    return sorted(max(0.0, float(at) - datetime.fromisoformat(since_).timestamp()) for at, since_ in rows)


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
