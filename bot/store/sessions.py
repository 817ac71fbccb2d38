"""Logins that were begun, and sessions. Cookies and states are kept as hashes: the database opens no door."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection, delete, or_, select, update

from bot.store.schema import logins, sessions


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who logged in. Times in seconds since 1970."""

    login: str
    user_id: int
    began_at: float
    seen_at: float
    reach: frozenset[int] | None = None
    """Ids of the repositories that could be theirs when they logged in; None for all."""


def begin_login(conn: Connection, *, state: str, browser: str, back_to: str, now: float, expires_at: float) -> None:
    """Remember a login that goes to GitHub; those that ran out are forgotten."""
    conn.execute(delete(logins).where(logins.c.expires_at <= now))
    values = {"state_hash": _hash(state), "browser_hash": _hash(browser), "back_to": back_to, "expires_at": expires_at}
    conn.execute(logins.insert().values(values))


def take_login(conn: Connection, *, state: str, browser: str, now: float) -> str | None:
    """Where to go after this login, which is used up by asking; None for a forged, used, old or foreign one."""
    taken = delete(logins).where(logins.c.state_hash == _hash(state))
    row = conn.execute(taken.returning(logins.c.browser_hash, logins.c.back_to, logins.c.expires_at)).first()
    if row is None or row.browser_hash != _hash(browser) or row.expires_at <= now:
        return None
    return str(row.back_to)


def begin(
    conn: Connection, *, cookie: str, login: str, user_id: int, now: float, reach: frozenset[int] | None = None
) -> None:
    """Open a session."""
    who = {"cookie_hash": _hash(cookie), "login": login[:128], "user_id": user_id}
    values = {"began_at": now, "seen_at": now, "reach": None if reach is None else sorted(reach)}
    conn.execute(sessions.insert().values(who | values))


def find(conn: Connection, cookie: str) -> Session | None:
    """The session of a cookie; it may be over."""
    columns = (sessions.c[name] for name in Session.__slots__)
    row = conn.execute(select(*columns).where(sessions.c.cookie_hash == _hash(cookie))).first()
    if row is None:
        return None
    login, user_id, began_at, seen_at, reach = row
    return Session(login, user_id, began_at, seen_at, None if reach is None else frozenset(reach))


def touch(conn: Connection, cookie: str, now: float) -> None:
    """The session is in use."""
    conn.execute(update(sessions).where(sessions.c.cookie_hash == _hash(cookie)).values(seen_at=now))


def end(conn: Connection, cookie: str) -> None:
    """Close a session; nothing happens where there is none."""
    conn.execute(delete(sessions).where(sessions.c.cookie_hash == _hash(cookie)))


def sweep(conn: Connection, *, seen_before: float, began_before: float) -> None:
    """Forget the sessions that are over."""
    over = or_(sessions.c.seen_at <= seen_before, sessions.c.began_at <= began_before)
    conn.execute(delete(sessions).where(over))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
