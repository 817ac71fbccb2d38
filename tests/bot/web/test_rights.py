"""What is asked of GitHub about a permission, and for how long an answer is believed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from werkzeug.exceptions import ServiceUnavailable

from bot.errors import TransientError
from bot.store.engine import open_engine
from bot.web.rights import BELIEVED_SECONDS, Rights
from tests.bot.web import board_world
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles

REPOS = {1: "o/burn", 2: "o/cubecl", 3: "o/other"}


class Asked:
    """Answers about permissions, and what was asked."""

    def __init__(self) -> None:
        self.roles: dict[str, str | None] = {"o/burn": "triage", "o/cubecl": "admin"}
        self.asked: list[str] = []
        self.away = False

    def __call__(self, repo: str, login: str, user_id: int, installation_id: int | None) -> str | None:
        if self.away:
            raise TransientError("timeout", "no answer")
        self.asked.append(repo)
        return self.roles.get(repo)


@pytest.fixture
def database(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(sqlite_files.make(tmp_path))
    for repo_id, name in REPOS.items():
        board_world.install(engine, repo_id, name, 70 + repo_id)
    yield engine
    engine.dispose()


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def rights(database: Engine, clock: FakeClock, asked: Asked) -> Rights:
    return Rights(database, clock, asked)


def names(rights: Rights, user_id: int = 7, *, fresh: bool = False) -> list[tuple[str, str]]:
    return [(repo.full_name, repo.permission) for repo in rights.repos("ann", user_id, fresh=fresh)]


def test_each_repository_is_asked_for_once_a_minute(rights: Rights, asked: Asked, clock: FakeClock):
    found = [names(rights) for _ in range(5)]
    assert found == [[("o/burn", "triage"), ("o/cubecl", "admin")]] * 5
    assert sorted(asked.asked) == sorted(REPOS.values())
    clock.sleep(BELIEVED_SECONDS)
    names(rights)
    assert len(asked.asked) == 2 * len(REPOS)


def test_a_change_asks_for_what_was_granted_alone(rights: Rights, asked: Asked):
    names(rights)
    asked.asked.clear()
    asked.roles["o/burn"] = None
    assert names(rights, fresh=True) == [("o/cubecl", "admin")]
    assert sorted(asked.asked) == ["o/burn", "o/cubecl"]
    assert names(rights) == [("o/cubecl", "admin")]


def test_what_is_granted_counts_within_a_minute(rights: Rights, asked: Asked, clock: FakeClock):
    names(rights)
    asked.roles["o/other"] = "triage"
    clock.sleep(BELIEVED_SECONDS)
    assert ("o/other", "triage") in names(rights)


def test_a_clock_that_is_set_back_does_not_prolong_an_answer(rights: Rights, asked: Asked, clock: FakeClock):
    names(rights)
    clock.moment -= 3600.0
    asked.roles.clear()
    assert names(rights) == []


def test_one_accounts_answers_are_not_anothers(rights: Rights, asked: Asked):
    names(rights, 7)
    asked.roles.clear()
    assert names(rights, 8) == []


def test_no_answer_is_no_permission_and_no_refusal(rights: Rights, asked: Asked):
    asked.away = True
    with pytest.raises(ServiceUnavailable):
        names(rights)
    asked.away = False
    assert len(names(rights)) == 2
