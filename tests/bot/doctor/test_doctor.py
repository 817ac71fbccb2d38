"""Each planted fault is found, alone, with its remedy; a bot that is well is left in peace."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from bot.backfill import refuse_writes
from bot.credentials import create_kept
from bot.delivery import Delivery, describe
from bot.doctor.examine import Finding, Patient, all_checks, examine
from bot.errors import UserError
from bot.github.auth import AppCredentials
from bot.github.gateway import connect
from bot.github.registration import Registration, server_time
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.opening import open_for_command
from bot.settings import Settings
from bot.store import chores, deliveries, executors
from bot.store.engine import open_engine
from bot.triage.knowledge import Knowledge
from kb.errors import KnowledgeBaseError
from tests.bot.github.stage import Stage, staged
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.deliveries import guid, payload
from tests.fakes.github.hub import new_private_key

URL = "https://bot.example.org"
KB = Path(__file__).parents[3] / "kb"


def delivery() -> Delivery:
    return describe(payload(), event="issues", guid=guid(), body_hash="h", bot_login=None)


@functools.cache
def knowledge() -> Knowledge:
    return open_for_command(KB, None)[0]


@dataclass
class Ward:
    """A bot that is well, with everything that may be spoiled."""

    stage: Stage
    engine: Engine
    clock: FakeClock
    settings: Settings
    patient: Patient

    def examine(self) -> list[Finding]:
        return examine(self.patient)

    def change(self, **settings: object) -> None:
        self.patient.settings = replace(self.patient.settings, **settings)

    def deliver(self, status: int, via: str | None = None) -> None:
        """GitHub tried to send something, and got this answer; `via`: how it came into the inbox all the same."""
        self.stage.app.webhook_url = None
        sent = self.stage.github.hooks.deliver(self.stage.app, "ping", {"zen": "x"})
        self.stage.app.webhook_url = f"{URL}/webhook"
        sent.status_code, sent.delivered_at = status, self.clock.now()
        if via is not None:
            stored = replace(delivery(), guid=sent.guid, ignored="ping", via=via)
            Inbox(self.engine, JobQueue(self.engine), self.clock).accept(stored, b"{}")

    def sql(self, statement: str) -> None:
        with self.engine.begin() as conn:
            conn.execute(text(statement))


@pytest.fixture
def ward(clock: FakeClock, tmp_path: Path, sqlite_files: SqliteFiles) -> Iterator[Ward]:
    with staged(clock) as stage:
        app = stage.app
        app.events = ("issues", "issue_comment")
        app.webhook_url, app.webhook_secret = f"{URL}/webhook", "s3cret"
        stage.github.hooks.log.clear()
        path = tmp_path / "app.json"
        create_kept(path, {"webhook_secret": "s3cret"})
        settings = Settings(
            database_url=sqlite_files.make(tmp_path),
            webhook_secret="s3cret",
            app_id=str(app.id),
            private_key=app.private_key,
            bot_login=app.bot.login,
            public_url=URL,
            credentials=path,
            github_api_url=stage.github.url,
        )
        (tmp_path / "burn-triage.db").chmod(0o600)
        engine = open_engine(settings.database_url)
        with engine.begin() as conn:
            executors.acquire(conn, holder="x", place="", pid=1, now=clock.now(), seconds=30, dead=lambda _lease: False)
        bot = stage.connect(before_write=refuse_writes)
        patient = Patient(
            settings=settings,
            clock=clock,
            registration=lambda: Registration(bot.clients),
            deliveries=lambda: bot,
            server_time=lambda: server_time(stage.github.url),
            engine=lambda: engine,
            knowledge=knowledge,
            secret_files=(path,),
        )
        yield Ward(stage, engine, clock, settings, patient)
        engine.dispose()


def wrong_key(ward: Ward) -> None:
    other = connect(AppCredentials(str(ward.stage.app.id), new_private_key()), base_url=ward.stage.github.url)
    ward.patient.registration = lambda: Registration(other.clients)


def no_app(ward: Ward) -> None:
    gone = connect(AppCredentials("999999", new_private_key()), base_url=ward.stage.github.url)
    ward.patient.registration = lambda: Registration(gone.clients)


def unreadable_key(ward: Ward) -> None:
    def refuse() -> Registration:
        raise UserError("bad_private_key", "The App's private key cannot be read")

    ward.patient.registration = refuse


def stale_permissions(ward: Ward) -> None:
    ward.stage.installation.permissions = {"issues": "read", "metadata": "read"}


def older_workflow(ward: Ward) -> None:
    row = Inbox(ward.engine, JobQueue(ward.engine), ward.clock)
    row.accept(delivery(), b"{}")
    ward.sql("UPDATE workflow_status SET name = 'handle_v0'")


def failed_chore(ward: Ward) -> None:
    with ward.engine.begin() as conn:
        chores.claim(conn, "sweep", now=ward.clock.now(), every=1.0)
        chores.fail(conn, "sweep", now=ward.clock.now(), reason="unauthorized")


def waiting(ward: Ward) -> None:
    Inbox(ward.engine, JobQueue(ward.engine), ward.clock).accept(delivery(), b"{}")
    ward.sql("UPDATE deliveries SET received_at = received_at - 1000")


def parked(ward: Ward) -> None:
    with ward.engine.begin() as conn:
        row = deliveries.add(conn, delivery(), b"{}", ward.clock.now())
        assert row is not None
        deliveries.settle(conn, row, state=deliveries.PARKED, reason="forbidden", now=ward.clock.now())


def no_knowledge(ward: Ward) -> None:
    def broken() -> Knowledge:
        raise KnowledgeBaseError("repos.yaml is missing")

    ward.patient.knowledge = broken


def old_catalogue(ward: Ward) -> None:
    # A clock of the future, and everything else moved along.
    ward.clock.moment += 300 * 86_400
    ward.sql(f"UPDATE executors SET expires_at = {ward.clock.now() + 30}")


def read_by_others(ward: Ward) -> None:
    ward.settings.credentials.chmod(0o640)


def readable_database(ward: Ward) -> None:
    Path(ward.settings.database_url.removeprefix("sqlite:///")).chmod(0o644)


def lost_rotation(ward: Ward) -> None:
    ward.settings.credentials.unlink()
    create_kept(ward.settings.credentials, {"webhook_secret": "s3cret", "webhook_secret_pending": "yes"})


def clock_off(ward: Ward) -> None:
    right = ward.patient.server_time
    ward.patient.server_time = lambda: right() - 120


def set_app(**facts: object) -> Callable[[Ward], None]:
    def spoil(ward: Ward) -> None:
        for name, value in facts.items():
            setattr(ward.stage.app, name, value)

    return spoil


def damaged(ward: Ward) -> None:
    path = Path(ward.settings.database_url.removeprefix("sqlite:///"))
    with ward.engine.connect() as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    ward.engine.dispose()
    # In the place of the file, not into it: SQLite would see its own pages in the log beside it.
    path.write_bytes(b"no database " * 1000)


FAULTS: dict[str, tuple[Callable[[Ward], None], str, str, str]] = {
    "no keys": (lambda w: w.change(webhook_secret=None), "credentials", "WEBHOOK_SECRET", "burn-triage setup"),
    "another App's key": (wrong_key, "credentials", "does not take the App's key", "secrets set private-key"),
    "a damaged key": (unreadable_key, "credentials", "cannot be read", "secrets set private-key"),
    "an App that was deleted": (no_app, "credentials", "does not take the App's key", "run `burn-triage setup`"),
    "another login": (lambda w: w.change(bot_login="x[bot]"), "credentials", "x[bot]", "burn-triage[bot]"),
    "a rotation half-way": (lost_rotation, "credentials", "rotation", "secrets rotate"),
    "a permission too few": (
        set_app(permissions={"issues": "read", "contents": "read", "metadata": "read"}),
        "permissions",
        "issues must be write",
        "settings of",
    ),
    "a permission too many": (
        set_app(permissions={"issues": "write", "contents": "read", "metadata": "read", "actions": "write"}),
        "permissions",
        "actions (write) is not needed",
        "settings of",
    ),
    "permissions not accepted": (stale_permissions, "permissions", "the installation on tracel-ai", "accepts"),
    "installed nowhere": (
        lambda w: setattr(w.stage.installation, "deleted", True),
        "permissions",
        "nowhere",
        "installations/new",
    ),
    "an event missing": (set_app(events=("issues",)), "events", "issue_comment", "subscribe"),
    "an event too many": (set_app(events=("issues", "issue_comment", "push")), "events", "push", "unsubscribe"),
    "a clock that is off": (clock_off, "clock", "120 s ahead of", "NTP"),
    "suspended everywhere": (
        lambda w: setattr(w.stage.installation, "suspended_at", 1.0),
        "permissions",
        "suspended wherever it is installed: tracel-ai",
        "its owner ends that at",
    ),
    "no webhook": (set_app(webhook_url=None), "hook", "URL", f"{URL}/webhook"),
    "deliveries in the clear": (
        lambda w: (set_app(webhook_url="http://bot.example.org/webhook")(w), w.change(public_url=None)),
        "hook",
        "not encrypted",
        "TLS",
    ),
    "a certificate that nobody checks": (set_app(webhook_insecure=True), "hook", "certificate", "SSL verification"),
    "deliveries that are not signed": (set_app(webhook_secret=""), "hook", "does not sign", "secrets send"),
    "deliveries as forms": (set_app(webhook_form=True), "hook", "not as JSON", "secrets send"),
    "a wrong address": (set_app(webhook_url=f"{URL}/hook"), "hook", f"{URL}/hook", f"{URL}/webhook"),
    "deliveries not answered": (lambda w: w.deliver(0), "deliveries", "not answered", "firewall"),
    "deliveries refused": (lambda w: w.deliver(401), "deliveries", "401", "secrets send"),
    "another program answers": (lambda w: w.deliver(404), "deliveries", "404", "/webhook"),
    "another program says yes": (lambda w: w.deliver(200), "deliveries", "not by this bot", "lead to this receiver"),
    "the same, and the sweep made up for it": (
        lambda w: w.deliver(200, via="swept"),
        "deliveries",
        "was answered 200, but not by this bot",
        "lead to this receiver",
    ),
    "the receiver is away": (lambda w: w.deliver(502), "deliveries", "502", "readyz"),
    "no database": (
        lambda w: w.change(database_url="sqlite:////nowhere/at/all.db"),
        "database",
        "/nowhere/at/all.db",
        "burn-triage run",
    ),
    "a damaged database": (damaged, "database", "not a database", "burn-triage restore"),
    "an old database": (
        lambda w: w.sql("UPDATE schema_version SET version_num = '0001'"),
        "database",
        "older version",
        "burn-triage run",
    ),
    "a newer database": (
        lambda w: w.sql("UPDATE schema_version SET version_num = '9999'"),
        "database",
        "newer version",
        "install that version",
    ),
    "no worker": (lambda w: w.sql("UPDATE executors SET expires_at = 0"), "workers", "no worker", "burn-triage work"),
    "a chore that fails": (failed_chore, "workers", "sweep failed", "log"),
    "a delivery that waits": (waiting, "workers", "waits since 17 minutes", "more workers"),
    "jobs given up": (parked, "workers", "1 jobs were given up", "jobs retry"),
    "jobs of another version": (older_workflow, "workflows", "handle_v0", "beside this one"),
    "no knowledge base": (no_knowledge, "catalogue", "repos.yaml", "BURN_TRIAGE_KB"),
    "an old catalogue": (old_catalogue, "catalogue", "days ago", "kb sync"),
    "keys that others can read": (read_by_others, "files", "0640", "chmod 600"),
    "a database that others can read": (readable_database, "files", "0644", "chmod 600"),
}


def test_a_bot_that_is_well_is_left_in_peace(ward: Ward):
    ward.deliver(0)
    ward.clock.sleep(1)
    ward.deliver(202, via="webhook")
    assert ward.examine() == []
    assert ward.stage.github.writes() == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_alone_and_its_remedy_named(ward: Ward, name: str):
    spoil, check, fault, remedy = FAULTS[name]
    spoil(ward)
    [found] = ward.examine()
    assert (found.check, fault in found.fault, remedy in found.remedy) == (check, True, True), found


def test_a_disk_that_is_nearly_full_is_told_before_it_is(ward: Ward, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.doctor.checks.database.free_bytes", lambda _: 3 << 20)
    [found] = ward.examine()
    assert (found.check, "room for 3 MiB only" in found.fault, "make room" in found.remedy) == ("database", True, True)


def test_one_owner_who_suspended_the_app_is_no_fault(ward: Ward):
    ward.stage.github.create_repo("acme/burn")
    ward.stage.github.install(ward.stage.app, ["acme/burn"])
    ward.stage.github.hooks.settle()
    ward.stage.github.hooks.log.clear()
    ward.stage.installation.suspended_at = 1.0
    assert ward.examine() == []


def test_every_check_has_a_planted_fault():
    assert {check for _, check, _, _ in FAULTS.values()} == set(all_checks())


def test_an_older_workflow_that_we_can_run_is_told_as_such(ward: Ward, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.doctor.checks.workflows.WORKFLOWS", ("handle_v0", "handle_v1"))
    older_workflow(ward)
    [found] = ward.examine()
    assert "1 jobs of the older workflow handle_v0 are still to drain" in found.fault


def test_github_that_stays_away_is_one_fault_and_not_ten(ward: Ward):
    ward.stage.github.fault("503_before", path="^/app", times=-1)
    assert [finding.check for finding in ward.examine()] == ["credentials"]
