"""Clients and tokens: one per thread and installation, renewed in time, never mixed up."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jwt
import pytest
from github.Requester import HTTPRequestsConnectionClass

from bot.errors import PermanentError, UserError
from bot.github.auth import RENEW_BEFORE, AppAuth, AppCredentials, InstallationTokens
from bot.github.gateway import connect
from bot.github.marker import strip
from bot.ports import Target
from bot.triage.actions import UpsertComment
from tests.bot.github.stage import REPO, Stage, private_key
from tests.fakes.clock import FakeClock


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads change places after every microsecond, and always where PyGithub has noted a request and not sent it yet:
    there a shared client would send one thread's request for another."""
    note, pause = HTTPRequestsConnectionClass.request, threading.Event()

    def note_and_yield(self: HTTPRequestsConnectionClass, *arguments: Any, **named: Any) -> None:
        note(self, *arguments, **named)
        pause.wait(0.0005)

    monkeypatch.setattr(HTTPRequestsConnectionClass, "request", note_and_yield)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_threads_and_installations_never_cross(stage: Stage) -> None:
    """Two threads on one `GitHub`, each working for both installations in turn, as a worker's threads do."""
    people, rounds = stage.github.people, 10
    other = stage.github.create_repo("elsewhere/burn")
    second = stage.github.install(stage.app, [other])
    places = [(REPO, stage.repo, stage.installation), ("elsewhere/burn", other, second)]
    targets: list[tuple[str, Target]] = []
    for name, repo, installation in places:
        for number in range(1, rounds + 1):
            issue = repo.issues.get(number) or people.open_issue(name, "reporter", "t", "b")
            targets.append((name, Target(name, repo.id, issue.number, issue.id, installation.id)))

    def work(mine: list[tuple[str, Target]]) -> None:
        for name, target in mine:
            stage.bot.publish(UpsertComment(f"for {name} {target.number}"), target, intent_id="x")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, [targets[0::2], targets[1::2]]))
    for name, repo, installation in places:
        for number in range(1, rounds + 1):
            bodies = [strip(c.body) for c in repo.issues[number].comments]
            assert bodies == [f"for {name} {number}"]
        posted = [s for s in stage.github.writes() if s.path.startswith(f"/repos/{name}/")]
        assert {s.installation_id for s in posted} == {installation.id}


def test_each_thread_has_its_own_client_and_keeps_it(stage: Stage) -> None:
    mine = [stage.bot.clients.installation(stage.installation.id) for _ in range(2)]
    with ThreadPoolExecutor(1) as pool:
        theirs = pool.submit(stage.bot.clients.installation, stage.installation.id).result()
    assert mine[0] is mine[1]
    assert theirs is not mine[0]


def test_a_delivery_without_an_installation_is_parked_with_the_remedy(stage: Stage) -> None:
    with pytest.raises(PermanentError, match="set the webhook up in the GitHub App") as caught:
        stage.bot.clients.installation(None)
    assert caught.value.reason == "installation_missing"


def test_one_token_request_for_many_jobs_and_threads(stage: Stage) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: stage.read(), range(8)))
    asked = [r for r in stage.requests() if r.endswith("/access_tokens")]
    assert len(asked) == 1


def test_a_token_is_renewed_before_it_ends(stage: Stage) -> None:
    stage.read()
    stage.clock.moment += 3600 - RENEW_BEFORE - 1
    stage.read()
    before = sum(r.endswith("/access_tokens") for r in stage.requests())
    stage.clock.moment += 2
    stage.read()
    after = sum(r.endswith("/access_tokens") for r in stage.requests())
    assert (before, after) == (1, 2)


def test_a_failed_token_request_is_not_remembered(clock: FakeClock) -> None:
    answers = iter([RuntimeError("down"), {"token": "t", "expires_at": "2099-01-01T00:00:00Z"}])

    def request(installation_id: int) -> dict[str, str]:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    tokens = InstallationTokens(request, clock.now)
    with pytest.raises(RuntimeError):
        tokens.token(1)
    assert (tokens.token(1), tokens.token(1)) == ("t", "t")


def test_another_installation_does_not_wait_for_a_slow_token(clock: FakeClock) -> None:
    slow = threading.Event()

    def request(installation_id: int) -> dict[str, str]:
        if installation_id == 1:
            assert slow.wait(5)
        return {"token": f"t{installation_id}", "expires_at": "2099-01-01T00:00:00Z"}

    tokens = InstallationTokens(request, clock.now)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(tokens.token, 1)
        assert tokens.token(2) == "t2"
        slow.set()
        assert first.result() == "t1"


def test_what_the_app_signs(clock: FakeClock) -> None:
    text = AppAuth(AppCredentials("Iv1.abc", private_key()), clock.now).token
    claims = jwt.decode(text, options={"verify_signature": False})
    now = int(clock.now())
    assert claims == {"iat": now - 60, "exp": now + 300, "iss": "Iv1.abc"}


@pytest.mark.parametrize("key", ["", "no key", "-----BEGIN RSA PRIVATE KEY-----\nxx\n-----END RSA PRIVATE KEY-----"])
def test_a_key_that_is_none_says_so_at_once(key: str) -> None:
    with pytest.raises(UserError, match="private key"):
        connect(AppCredentials("1", key))


def test_a_key_in_one_line_with_written_line_ends_works(clock: FakeClock) -> None:
    one_line = private_key().replace("\n", "\\n")
    assert AppAuth(AppCredentials("1", one_line), clock.now).token.count(".") == 2


def test_secrets_are_not_printed() -> None:
    assert private_key()[40:60] not in repr(AppCredentials("1", private_key()))
