"""`burn-triage secrets`: both secrets are valid before GitHub hears of the new one, and no comment is ever orphaned."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.cli import main
from bot.credentials import Watched, create_kept, read_kept
from bot.github.marker import Marker, Marks
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.receiver import create_app
from bot.settings import read_settings
from bot.store import executors
from bot.store.engine import open_engine
from tests.bot.github.stage import private_key
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.github import App, FakeGitHub, sign
from tests.fakes.github.hub import new_private_key


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        yield github
        assert github.violations == []


@pytest.fixture
def app(github: FakeGitHub) -> App:
    return github.create_app(private_key=private_key(), webhook_url="https://x/webhook", webhook_secret="first")


@pytest.fixture
def path(github: FakeGitHub, app: App, tmp_path: Path, sqlite_files: SqliteFiles, monkeypatch) -> Path:
    path = tmp_path / "app.json"
    kept = {"app_id": str(app.id), "private_key": app.private_key, "webhook_secret": "first", "marker_key": "m1"}
    create_kept(path, kept)
    monkeypatch.setenv("BURN_TRIAGE_CREDENTIALS", str(path))
    monkeypatch.setenv("BURN_TRIAGE_GITHUB_API_URL", github.url)
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", sqlite_files.make(tmp_path))
    return path


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    engine = open_engine(read_settings().database_url)
    yield engine
    engine.dispose()


def test_the_webhook_secret_is_rotated_and_the_old_one_stays_valid(path: Path, app: App):
    assert main(["secrets", "rotate"]) == 0
    kept = read_kept(path)
    assert (kept["webhook_secret"], kept["webhook_secret_old"]) == (app.webhook_secret, "first")
    assert (app.webhook_secret != "first", len(app.webhook_secret), path.stat().st_mode & 0o777) == (True, 64, 0o600)
    assert "webhook_secret_pending" not in kept


@pytest.mark.parametrize("fault", ["502_before", "502_after", "timeout_after"])
def test_a_rotation_that_failed_half_way_is_finished_and_not_begun_anew(
    path: Path, app: App, github: FakeGitHub, fault: str, capsys: pytest.CaptureFixture[str]
):
    github.fault(fault, verb="PATCH", path="/app/hook/config", **({"delay": 0.0} if "timeout" in fault else {}))
    assert main(["secrets", "rotate"]) == 1
    after_failure = read_settings().secrets()
    assert app.webhook_secret in after_failure
    assert main(["secrets", "retire"]) == 2
    assert main(["secrets", "rotate"]) == 0
    assert (read_settings().secrets(), app.webhook_secret) == (after_failure, after_failure[0])
    assert after_failure[1] == "first"
    assert main(["secrets", "retire"]) == 0
    assert read_settings().secrets() == (app.webhook_secret,)
    assert main(["secrets", "retire"]) == 2
    assert "there is no old webhook secret" in capsys.readouterr().err


def test_a_running_receiver_takes_deliveries_with_either_secret_all_the_time(path: Path, app: App, engine: Engine):
    settings = read_settings()
    valid = Watched(path, settings.secrets(), lambda: read_settings().secrets())
    client = create_app(settings, Inbox(engine, JobQueue(engine), FakeClock()), lambda: None, valid).test_client()

    def status(secret: str, guid: str) -> int:
        headers = {"X-Hub-Signature-256": sign(secret, b"{}"), "X-GitHub-Event": "ping", "X-GitHub-Delivery": guid}
        return client.post("/webhook", data=b"{}", headers=headers, content_type="application/json").status_code

    before = [status("first", "a"), status("other", "b")]
    assert main(["secrets", "rotate"]) == 0
    between = [status("first", "c"), status(app.webhook_secret, "d")]
    assert main(["secrets", "retire"]) == 0
    after = [status("first", "e"), status(app.webhook_secret, "f")]
    assert (before, between, after) == ([202, 401], [202, 202], [401, 202])


def test_a_marker_key_is_rotated_twice_and_every_comment_stays_ours(path: Path, engine: Engine):
    bodies = []
    for _ in range(3):
        bodies.append(Marks(read_settings().marker_keys()).mark("An answer", Marker(1, 2, "intent")))
        assert main(["secrets", "rotate", "marker-key"]) == 0
    marks = Marks(read_settings().marker_keys())
    assert [marks.find(body, repo_id=1, issue_id=2) is not None for body in bodies] == [True] * 3
    assert len(set(bodies)) == 3
    assert len(read_settings().marker_keys()) == 4


def test_while_a_worker_runs_the_marker_key_stays(path: Path, engine: Engine, capsys: pytest.CaptureFixture[str]):
    with engine.begin() as conn:
        executors.acquire(conn, holder="x", place="", pid=1, now=4_000_000_000.0, seconds=30, dead=lambda _lease: False)
    assert main(["secrets", "rotate", "marker-key"]) == 2
    assert ("stop them all first" in capsys.readouterr().err, read_kept(path)["marker_key"]) == (True, "m1")


def test_without_a_marker_key_there_is_nothing_to_rotate(path: Path, engine: Engine, capsys):
    kept = {name: text for name, text in read_kept(path).items() if name != "marker_key"}
    path.unlink()
    create_kept(path, kept)
    assert main(["secrets", "rotate", "marker-key"]) == 2
    assert "no longer be known as ours" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "action"),
    [
        ("WEBHOOK_SECRET", ["rotate"]),
        ("WEBHOOK_SECRET_OLD", ["retire"]),
        ("MARKER_KEY", ["rotate", "marker-key"]),
        ("CLIENT_SECRET", ["set", "client-secret"]),
    ],
)
def test_what_a_variable_sets_is_changed_there(path: Path, monkeypatch, capsys, variable: str, action: list[str]):
    monkeypatch.setenv(f"BURN_TRIAGE_{variable}", "elsewhere")
    before = read_kept(path)
    assert main(["secrets", *action]) == 2
    assert (f"BURN_TRIAGE_{variable} comes before the file" in capsys.readouterr().err, read_kept(path)) == (
        True,
        before,
    )


def test_send_tells_github_the_secret_of_the_settings(path: Path, app: App, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BURN_TRIAGE_WEBHOOK_SECRET", "elsewhere")
    assert (main(["secrets", "send"]), app.webhook_secret) == (0, "elsewhere")


def test_a_private_key_is_tried_before_it_is_kept(path: Path, app: App, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(new_private_key()))
    assert (main(["secrets", "set", "private-key"]), read_kept(path)["private_key"]) == (1, app.private_key)
    monkeypatch.setattr("sys.stdin", io.StringIO("no key"))
    assert main(["secrets", "set", "private-key"]) == 2
    monkeypatch.setattr("sys.stdin", io.StringIO(app.private_key + "\n\n"))
    assert main(["secrets", "set", "private-key"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\n"))
    assert main(["secrets", "set", "client-secret"]) == 0
    assert read_settings().client_secret == "s3cret"


def test_the_list_says_how_each_is_changed_and_shows_none(path: Path, app: App, capsys: pytest.CaptureFixture[str]):
    assert main(["secrets", "list"]) == 0
    out = capsys.readouterr().out
    assert [text for text in read_kept(path).values() if len(text) > 2 and text in out.replace("first", "")] == []
    assert [f"{name} " in out for name in ("webhook-secret", "marker-key", "private-key", "client-secret")] == [
        True
    ] * 4
