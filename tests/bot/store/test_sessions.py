"""Sessions, begun logins and the audit log, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Engine, func, select

from bot.store import audit, installations, privacy, sessions
from bot.store.schema import audit_log
from bot.store.schema import sessions as table


def begin(engine: Engine, state: str = "s", browser: str = "b", expires_at: float = 100.0) -> None:
    with engine.begin() as conn:
        sessions.begin_login(conn, state=state, browser=browser, back_to="/board", now=1.0, expires_at=expires_at)


def take(engine: Engine, state: str = "s", browser: str = "b", now: float = 2.0) -> str | None:
    with engine.begin() as conn:
        return sessions.take_login(conn, state=state, browser=browser, now=now)


def test_a_login_is_taken_once(engine: Engine):
    begin(engine)
    assert [take(engine), take(engine)] == ["/board", None]


def test_of_two_at_the_same_moment_one_gets_it(engine: Engine):
    begin(engine)
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: take(engine), range(4)))
    assert sorted(taken, key=str) == ["/board", None, None, None]


def test_trying_with_the_wrong_browser_uses_it_up(engine: Engine):
    begin(engine)
    assert [take(engine, browser="another"), take(engine)] == [None, None]


def test_a_login_that_ran_out_is_none(engine: Engine):
    begin(engine)
    assert take(engine, now=100.0) is None


def test_a_session_is_found_by_its_cookie_until_it_ends(engine: Engine):
    with engine.begin() as conn:
        sessions.begin(conn, cookie="c", login="ann", user_id=7, now=1.0)
        sessions.touch(conn, "c", 5.0)
        assert sessions.find(conn, "c") == sessions.Session("ann", 7, 1.0, 5.0)
        assert sessions.find(conn, "d") is None
        sessions.end(conn, "c")
        assert sessions.find(conn, "c") is None


def test_sessions_that_are_over_are_swept(engine: Engine):
    with engine.begin() as conn:
        for cookie, began, seen in (("idle", 50.0, 60.0), ("old", 10.0, 99.0), ("good", 50.0, 90.0)):
            sessions.begin(conn, cookie=cookie, login=cookie, user_id=1, now=began)
            sessions.touch(conn, cookie, seen)
        sessions.sweep(conn, seen_before=70.0, began_before=20.0)
        assert conn.execute(select(table.c.login)).scalars().all() == ["good"]


def change(engine: Engine, login: str, repo_id: int = 5, at: float = 1.0) -> None:
    with engine.begin() as conn:
        audit.write(
            conn, login=login, action="did", repo_id=repo_id, repo="o/r", subject="#1", detail="d" * 900, now=at
        )


def test_changes_are_listed_newest_first_and_by_repository(engine: Engine):
    change(engine, "ann", at=1.0)
    change(engine, "bob", at=2.0)
    change(engine, "eve", repo_id=6, at=3.0)
    with engine.connect() as conn:
        assert [one.login for one in audit.newest(conn, (5,))] == ["bob", "ann"]
        assert [one.login for one in audit.newest(conn, (5, 6), limit=1)] == ["eve"]
        assert audit.newest(conn, ()) == []


def test_a_person_who_wants_to_be_forgotten_is_in_neither(engine: Engine):
    change(engine, "Ann")
    with engine.begin() as conn:
        sessions.begin(conn, cookie="c", login="ann", user_id=7, now=1.0)
        privacy.forget_person(conn, "ANN", 1.0)
    with engine.connect() as conn:
        assert [one.login for one in audit.newest(conn, (5,))] == [""]
        assert conn.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_what_was_changed_goes_with_its_repository(engine: Engine):
    change(engine, "ann")
    with engine.begin() as conn:
        installations.remove_repositories(conn, [5], 1.0)
        assert conn.execute(select(func.count()).select_from(audit_log)).scalar_one() == 0
