"""/metrics, computed from the database at each scrape: gunicorn's processes each have their own counters."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.chores import FOUND
from bot.clock import Clock
from bot.serving import Wsgi
from bot.store import answers, chores, configurations, counts, deliveries, executors, intents, reactions, verdicts

PREFIX = "burn_triage_"

Labelled = Iterable[tuple[tuple[str, ...], float]]


@dataclass(frozen=True, slots=True)
class Declared:
    """A metric: its name without the prefix, its labels, and what a value means."""

    name: str
    labels: tuple[str, ...]
    meaning: str


METRICS = (
    Declared("database_up", (), "1 when the database answers. With 0 there is no other metric."),
    Declared(
        "deliveries",
        ("event", "state", "reason"),
        "Deliveries in the inbox. State: queued, done, parked, ignored, forgotten; the reason says why it ended so.",
    ),
    Declared(
        "age_seconds",
        ("of",),
        "Age of the newest delivery (last_delivery) and of the oldest one whose job has not ended (oldest_job).",
    ),
    Declared(
        "jobs", ("state",), "Jobs that have not ended (queued), and those given up, which wait for a person (parked)."
    ),
    Declared("workers_alive", (), "Workers with a valid lease. With 0 deliveries are stored and wait."),
    Declared("chore_age_seconds", ("chore",), "Seconds since a chore last succeeded."),
    Declared("gaps_found", ("chore",), "Deliveries or changes that the last run found missing."),
    Declared("writes", ("state",), "Writes to GitHub. State: planned, done, doubtful: GitHub's answer did not arrive."),
    Declared("verdicts", ("outcome",), "Verdicts by outcome: matched, ambiguous, unknown, foreign, none."),
    Declared(
        "answers",
        ("said",),
        "Answers given, by what maintainers say of them: right, wrong, unsaid; disputed: by others, not decided yet.",
    ),
    Declared("reactions", ("kind",), "Reactions on our comments as last counted: up, down."),
    Declared("configurations_faulty", (), "Repositories whose `.github/burn-triage.yml` cannot be used."),
)
"""Every metric that there is. docs/reference.md shows them."""

log = logging.getLogger(__name__)

_BY_NAME = {metric.name: metric for metric in METRICS}


class DatabaseCollector(Collector):
    """Reads the numbers when asked."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def collect(self) -> Iterator[Metric]:
        """Every metric; with the database away only that it is."""
        try:
            with self._engine.connect() as conn:
                found = list(self._read(conn))
        except SQLAlchemyError:
            found = []
        yield _gauge("database_up", [((), float(bool(found)))])
        yield from found

    def _read(self, conn: Connection) -> Iterator[Metric]:
        for part in _PARTS:
            try:
                yield from list(part(conn, self._clock.now()))
            except (ValueError, TypeError):
                # A row that cannot be read must not hide what all the others say.
                log.exception("some metrics cannot be read")


def _inbox(conn: Connection, now: float) -> Iterator[Metric]:
    yield _gauge("deliveries", counts.deliveries_by_kind(conn))
    newest, oldest = deliveries.newest(conn), counts.oldest_waiting(conn)
    ages = {"last_delivery": newest, "oldest_job": oldest}
    yield _gauge("age_seconds", (((k,), max(0.0, now - v)) for k, v in ages.items() if v is not None))
    yield _gauge("jobs", counts.open_jobs(conn))
    yield _gauge("workers_alive", [((), float(executors.alive(conn, now)))])


def _chores(conn: Connection, now: float) -> Iterator[Metric]:
    done = chores.all_chores(conn)
    ran = [((row.name,), max(0.0, now - row.ended_at)) for row in done if row.ended_at is not None and not row.reason]
    yield _gauge("chore_age_seconds", ran)
    gaps = [((row.name,), float(row.found)) for row in done if row.name not in FOUND]
    yield _gauge("gaps_found", gaps)


def _said(conn: Connection, _now: float) -> Iterator[Metric]:
    states = intents.count_by_state(conn)
    yield _gauge("writes", (((k,), float(v)) for k, v in states.items()))
    outcomes = verdicts.count_by_outcome(conn)
    yield _gauge("verdicts", (((k,), float(v)) for k, v in outcomes.items()))


def _feedback(conn: Connection, _now: float) -> Iterator[Metric]:
    total = answers.precision(conn)[0]
    told = {"right": total.right, "wrong": total.wrong, "disputed": total.disputed}
    told["unsaid"] = total.answers - sum(told.values())
    yield _gauge("answers", (((k,), float(v)) for k, v in told.items()))
    up, down = reactions.totals(conn)
    thumbs = [(("up",), float(up)), (("down",), float(down))]
    yield _gauge("reactions", thumbs)
    faulty = sum(bool(stored.error) for stored in configurations.every(conn))
    yield _gauge("configurations_faulty", [((), float(faulty))])


_PARTS = (_inbox, _chores, _said, _feedback)


def metrics_app(engine: Engine, clock: Clock) -> Wsgi:
    """A WSGI application that answers any path with the metrics as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(DatabaseCollector(engine, clock))
    app: Wsgi = make_wsgi_app(registry)
    return app


def _gauge(name: str, values: Labelled) -> Metric:
    declared = _BY_NAME[name]
    family = GaugeMetricFamily(PREFIX + name, declared.meaning, labels=declared.labels)
    for label_values, value in values:
        family.add_metric(label_values, value)
    return family
