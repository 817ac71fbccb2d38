"""Where the App is installed, since when, and whether GitHub told us to wait there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, select, true, update

from bot.store import deliveries
from bot.store.dialect import chunks, insert, seconds, upsert
from bot.store.schema import (
    alarms,
    answers,
    audit_log,
    backfills,
    configurations,
    installations,
    issues,
    occurrences,
    reactions,
    repositories,
    writes,
)
from bot.store.schema import deliveries as table_of_deliveries

LATE_SECONDS = 4 * 86_400.0
"""GitHub can send a delivery again for three days."""

STRAY_SECONDS = 3600.0
"""Of a repository that nobody knows: a job notes its repository within seconds."""


def add(conn: Connection, installation_id: int, account: str, installed_at: str) -> None:
    """The App was installed on an account (or is heard of for the first time)."""
    values = {"id": installation_id, "account": account, "installed_at": installed_at, "suspended": False}
    upsert(conn, installations, ["id"], values | {"removed_at": None})


def is_known(conn: Connection, installation_id: int) -> bool:
    """Were we told of this installation?"""
    query = select(installations.c.id).where(installations.c.id == installation_id, installations.c.installed_at != "")
    return conn.execute(query).first() is not None


def suspend(conn: Connection, installation_id: int, suspended: bool) -> None:
    """The owner switched the App off for a while, or on again."""
    conn.execute(update(installations).where(installations.c.id == installation_id).values(suspended=suspended))


def add_repository(conn: Connection, repo_id: int, repo: str, installation_id: int | None, installed_at: str) -> None:
    """The App may see this repository since `installed_at` (ISO 8601)."""
    values = {"repo_id": repo_id, "repo": repo, "installation_id": installation_id, "installed_at": installed_at}
    upsert(conn, repositories, ["repo_id"], values | {"removed_at": None})


def known_since(conn: Connection, repo_id: int) -> str | None:
    """Since when the App is in this repository, ISO 8601; None for one that we do not know."""
    found = conn.execute(select(repositories.c.installed_at).where(repositories.c.repo_id == repo_id)).scalar()
    return None if found is None else str(found)


def note_repository(conn: Connection, repo_id: int, repo: str, installation_id: int | None, seen_at: str) -> str:
    """Since when the App is in this repository, ISO 8601. A new one counts as installed at `seen_at`."""
    # Nearly always there: an INSERT would wait for its turn to change nothing.
    found = known_since(conn, repo_id)
    if found is None:
        values = {"repo_id": repo_id, "repo": repo, "installation_id": installation_id, "installed_at": seen_at}
        conn.execute(insert(conn, repositories).values(values).on_conflict_do_nothing(index_elements=["repo_id"]))
        found = known_since(conn, repo_id)
    return str(found)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository that the App may see, and since when (ISO 8601)."""

    repo_id: int
    installed_at: str


def find_repository(conn: Connection, repo: str) -> Repository | None:
    """By name, whatever the spelling."""
    table = repositories.c
    row = conn.execute(select(table.repo_id, table.installed_at).where(func.lower(table.repo) == repo.lower())).first()
    return None if row is None else Repository(*row)


@dataclass(frozen=True, slots=True)
class RepositoryInUse:
    """A repository that the App works in."""

    repo_id: int
    repo: str
    installation_id: int


def repositories_in_use(conn: Connection) -> Sequence[RepositoryInUse]:
    """Those of all installations that are not suspended, by name."""
    table = repositories.c
    query = select(table.repo_id, table.repo, table.installation_id).outerjoin(
        installations, installations.c.id == table.installation_id
    )
    at_work = table.installation_id.is_not(None) & func.coalesce(installations.c.suspended, False).is_(False)
    return [RepositoryInUse(*row) for row in conn.execute(query.where(at_work).order_by(table.repo))]


def repositories_known(conn: Connection) -> Sequence[tuple[int, str]]:
    """Id and name of every repository that the App is in, by name."""
    rows = conn.execute(select(repositories.c.repo_id, repositories.c.repo).order_by(repositories.c.repo))
    return [(int(repo_id), str(repo)) for repo_id, repo in rows]


def remove_repositories(conn: Connection, repo_ids: Sequence[int], now: float, *, until: float | None = None) -> None:
    """The App was taken out of these repositories: everything kept about them goes.

    `until`: when we were told. What came in after that stays: the App may be back there.
    """
    came = table_of_deliveries.c
    _remove_repositories(conn, repo_ids, true() if until is None else came.received_at <= until, now)


def _remove_repositories(conn: Connection, repo_ids: Sequence[int], which: ColumnElement[bool], now: float) -> None:
    for some in chunks(list(repo_ids)):
        deliveries.forget(conn, table_of_deliveries.c.repo_id.in_(some) & which, now)
        for table in (issues, configurations, occurrences, answers, reactions, alarms, backfills, audit_log):
            conn.execute(delete(table).where(table.c.repo_id.in_(some)))
        conn.execute(delete(repositories).where(repositories.c.repo_id.in_(some)))


def remove(conn: Connection, installation_id: int, now: float, listed: Collection[int] = ()) -> None:
    """The App was uninstalled: everything kept for this installation goes but the fact itself.

    `listed`: the repositories that GitHub names with it. One that another installation has by now is not touched.
    """
    came = table_of_deliveries.c
    mine = repositories.c.installation_id == installation_id
    seen = select(came.repo_id).where(came.installation_id == installation_id, came.repo_id.is_not(None))
    found = {int(row[0]) for row in conn.execute(select(repositories.c.repo_id).where(mine).union(seen))} | {*listed}
    elsewhere = select(repositories.c.repo_id).where(repositories.c.installation_id != installation_id)
    # The next installation of the same repositories may have sent something before this one's end was carried out.
    no_other = came.installation_id.is_(None) | (came.installation_id == installation_id)
    _remove_repositories(conn, sorted(found - {int(row[0]) for row in conn.execute(elsewhere)}), no_other, now)
    deliveries.forget(conn, came.installation_id == installation_id, now)
    conn.execute(delete(writes).where(writes.c.installation_id == installation_id))
    upsert(conn, installations, ["id"], {"id": installation_id, "removed_at": now, "account": "", "suspended": False})


def is_removed(conn: Connection, installation_id: int | None) -> bool:
    """Was it uninstalled? GitHub gives an installation that comes after it another id."""
    gone = select(installations.c.id).where(
        installations.c.id == installation_id, installations.c.removed_at.is_not(None)
    )
    return installation_id is not None and conn.execute(gone).first() is not None


def drop_late(conn: Connection, now: float) -> None:
    """Forget what came in after the App was uninstalled there, as events do that were under way; and what a job of that
    moment read on GitHub before and wrote after."""
    lately = installations.c.removed_at > now - LATE_SECONDS
    gone = conn.execute(select(installations.c.id).where(lately)).scalars().all()
    for some in chunks(gone):
        raw = table_of_deliveries.c.payload.is_not(None)
        deliveries.forget(conn, raw & table_of_deliveries.c.installation_id.in_(some), now)
    for table in (configurations, reactions):
        unknown = table.c.repo_id.not_in(select(repositories.c.repo_id))
        conn.execute(delete(table).where(unknown, table.c.checked_at < now - STRAY_SECONDS))


def hold(conn: Connection, installation_id: int, until: float) -> None:
    """GitHub told us to wait: nobody writes to this installation before `until`."""
    _ensure(conn, installation_id)
    change = update(installations).where(installations.c.id == installation_id, installations.c.held_until < until)
    conn.execute(change.values(held_until=until))


@dataclass(frozen=True, slots=True)
class Writing:
    """When an installation may be written to, in seconds since 1970."""

    held_until: float
    """GitHub told us to wait until then."""
    wrote_at: float
    """When the last write went out, or goes out: its worker may still be waiting for that moment."""


def lock(conn: Connection, installation_id: int) -> Writing:
    """Make this transaction the only one that deals with the installation."""
    _ensure(conn, installation_id)
    # An UPDATE takes the row's lock on PostgreSQL and the writer's lock on SQLite.
    touch = update(installations).where(installations.c.id == installation_id)
    row = conn.execute(
        touch.values(held_until=installations.c.held_until).returning(
            installations.c.held_until, installations.c.wrote_at
        )
    )
    held_until, wrote_at = row.one()
    return Writing(seconds(held_until) or 0.0, seconds(wrote_at) or 0.0)


def note_write(conn: Connection, installation_id: int, at: float) -> None:
    """A write goes out at this moment."""
    conn.execute(update(installations).where(installations.c.id == installation_id).values(wrote_at=at))


def _ensure(conn: Connection, installation_id: int) -> None:
    values = {"id": installation_id, "suspended": False}
    conn.execute(insert(conn, installations).values(values).on_conflict_do_nothing(index_elements=["id"]))
