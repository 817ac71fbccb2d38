"""The composition root: the only place where database, queue, clock and GitHub client are chosen.

What only the worker needs is imported where the worker is put together: a receiver starts without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from bot.clock import SystemClock
from bot.credentials import Watched
from bot.errors import TransientError
from bot.health import why_not_ready
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.lease import LeaseKeeper
from bot.metrics import metrics_app
from bot.pace import Pace
from bot.receiver import create_app
from bot.serving import Server, Wsgi, split_by_port
from bot.settings import Settings, read_settings
from bot.store.budget import Limits
from bot.store.engine import RECEIVER_BUSY_SECONDS, open_engine
from bot.store.migrate import migrate
from bot.triage.model import Report

if TYPE_CHECKING:
    from bot.backfill import Backfill
    from bot.github.gateway import GitHub
    from bot.github.registration import Registration
    from bot.onhand import OnHand
    from bot.paper.walk import PaperWalk
    from bot.ports import BeforeWrite
    from bot.triage.knowledge import Knowledge
    from bot.triage.model import Verdict
    from bot.triage.snapshot import IssueSnapshot
    from bot.worker import Worker

DAY = 86_400.0
WARM_UP = Report(None, "Warm-up", "```\nthread 'main' panicked at src/main.rs:1:1:\nnot yet implemented\n```")


def open_database(settings: Settings) -> Engine:
    """The database, brought up to date.

    UserError where its file cannot be made or it is newer than this version, TransientError where it does not answer.
    """
    engine = open_engine(settings.database_url)
    try:
        migrate(engine)
    except OperationalError as error:
        where = shown_database(settings)
        raise TransientError("database_away", f"cannot reach the database {where}: {error.orig}") from error
    return engine


def shown_database(settings: Settings) -> str:
    """The database's address without its password, for the first lines of output."""
    return make_url(settings.database_url).render_as_string(hide_password=True)


def make_receiver(settings: Settings) -> Wsgi:
    """Webhook, health and metrics as one application. Called in each receiver process, after the fork."""
    clock = SystemClock()
    engine = open_engine(settings.database_url, busy_seconds=RECEIVER_BUSY_SECONDS, pool_size=settings.receiver_threads)
    inbox = Inbox(engine, JobQueue(engine), clock)
    # A rotation by command holds from the next delivery on, without a restart.
    secrets = Watched(settings.credentials, settings.secrets(), lambda: read_settings().secrets())
    app = create_app(settings, inbox, lambda: why_not_ready(engine, clock, inbox.last_failure), secrets)
    port = settings.metrics_listen.port if settings.metrics_listen else None
    main: Wsgi = app
    if settings.serves_pages:
        from bot.wiring_pages import with_pages

        main = with_pages(app, settings, engine, clock)
    return split_by_port(port, main, metrics_app(engine, clock))


def make_server(settings: Settings) -> Server:
    """gunicorn with the receiver."""
    settings.require("webhook_secret")
    return Server(settings, lambda: make_receiver(settings))


def make_worker(settings: Settings) -> Worker:
    """A worker on the real GitHub and the real clock."""
    import bot.handle
    from bot.canary import canary
    from bot.choices import Choices
    from bot.chores import Chore
    from bot.gaps import Gaps
    from bot.reactions import Poll
    from bot.steps import Steps
    from bot.triage.policy import Mode
    from bot.worker import Worker

    settings.require("app_id", "private_key")
    clock = SystemClock()
    engine = open_database(settings)
    keeper = LeaseKeeper(engine, clock, settings.lease_seconds)
    limits = Limits(settings.write_seconds, settings.writes_per_minute, settings.writes_per_hour)
    pace = Pace(engine, clock, limits, keeper.is_valid)
    github = connect_github(settings, pace, pace.at_last)
    choices = Choices(
        engine, clock, github, Mode(settings.mode), settings.configuration_seconds, started_at=clock.now()
    )
    on_hand = knowledge_on_hand(settings)
    read_as = knowledge_reader(settings, github, on_hand)
    steps = Steps(
        engine=engine,
        clock=clock,
        reader=github,
        publisher=github,
        brain=bot.handle,
        knowledge=read_as,
        pace=pace,
        settle_seconds=settings.settle_seconds,
        rules=choices.rules,
        public_url=settings.public_url,
    )
    gaps = Gaps(
        engine=engine,
        clock=clock,
        inbox=Inbox(engine, JobQueue(engine), clock),
        deliveries=github,
        lister=github,
        reader=github,
        bot_login=settings.bot_login,
    )
    poll = Poll(engine, clock, github, settings.reactions_batch, rest=6 * settings.reactions_seconds)
    chores = [
        Chore("sweep", settings.sweep_seconds, gaps.sweep),
        Chore("reconcile", settings.reconcile_seconds, gaps.reconcile),
        Chore("configurations", max(settings.configuration_seconds, 60.0), choices.look_at_all),
        Chore("reactions", settings.reactions_seconds, poll.run),
        Chore("canary", DAY, canary(read_as)),
    ]
    return Worker(settings, keeper, steps, chores, on_hand)


def make_backfill(settings: Settings, *, pause: float) -> Backfill:
    """The walk through the history, on the real GitHub, which it can only read."""
    from bot.backfill import Backfill, refuse_writes

    settings.require("app_id", "private_key")
    github = connect_github(settings, refuse_writes)
    clock = SystemClock()
    read_as = knowledge_reader(settings, github, knowledge_on_hand(settings))
    return Backfill(open_database(settings), clock, github, read_as, pause)


def make_paper_walk(settings: Settings, folder: Path, *, pause: float) -> PaperWalk:
    """The walk that answers the history on paper, on the real GitHub, which it can only read."""
    from bot.backfill import refuse_writes
    from bot.paper.walk import PaperWalk
    from bot.ports import Target
    from bot.store import occurrences
    from bot.triage.repeats import is_comparable, site_id

    settings.require("app_id", "private_key")
    github = connect_github(settings, refuse_writes)
    engine = open_database(settings)

    def repeats(snapshot: IssueSnapshot, verdict: Verdict) -> Sequence[int]:
        if not is_comparable(verdict):
            return ()
        with engine.connect() as conn:
            return occurrences.same_panic(
                conn, Target.of(snapshot, None), fingerprint=verdict.fingerprint, site=site_id(verdict)
            )

    read_as = knowledge_reader(settings, github, knowledge_on_hand(settings))
    return PaperWalk(SystemClock(), github, read_as, folder, pause, settings.public_url, repeats)


def make_registration(settings: Settings) -> Registration:
    """The App itself, as GitHub registered it."""
    from bot.backfill import refuse_writes
    from bot.github.registration import Registration

    settings.require("app_id", "private_key")
    return Registration(connect_github(settings, refuse_writes).clients)


def connect_github(settings: Settings, before_write: BeforeWrite, at_last: BeforeWrite | None = None) -> GitHub:
    """GitHub as our App sees it."""
    from bot.github.auth import AppCredentials
    from bot.github.gateway import connect

    assert settings.app_id is not None
    assert settings.private_key is not None
    return connect(
        AppCredentials(settings.app_id, settings.private_key),
        marker_keys=settings.marker_keys(),
        before_write=before_write,
        at_last=at_last or before_write,
        base_url=settings.github_api_url,
    )


def knowledge_on_hand(settings: Settings) -> OnHand:
    """The knowledge base of the settings, opened now and again when asked to."""
    from bot.onhand import OnHand
    from bot.opening import open_knowledge
    from bot.triage.analyze import analyze
    from kb.folder import find_kb

    environ = {"BURN_TRIAGE_KB": str(settings.kb)} if settings.kb else {}

    def open_it() -> Knowledge:
        opened = open_knowledge(find_kb(None, environ, Path(os.curdir).resolve()))
        # The first analysis loads every panic format: now, so that the first reporter does not wait for it, and so that
        # an upgrade of the files under a running worker changes nothing in it.
        analyze(WARM_UP, opened)
        return opened

    return OnHand(open_it)


def knowledge_reader(settings: Settings, github: GitHub, on_hand: OnHand) -> Callable[[int | None], Knowledge]:
    """The knowledge base on hand; source that it lacks is read as the installation that asks."""
    from bot.opening import reading_through

    def read_as(installation_id: int | None) -> Knowledge:
        return reading_through(on_hand.knowledge, github.source(installation_id, clones=settings.clones))

    return read_as
