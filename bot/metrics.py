"""/metrics, computed from the database at each scrape: gunicorn's processes each have their own counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
        yield _gauge("database_up", "1 when the database answers.", (), [((), float(bool(found)))])
        yield from found

    def _read(self, conn: Connection) -> Iterator[Metric]:
        now = self._clock.now()
        yield _gauge(
            "deliveries", "Deliveries in the inbox.", ("event", "state", "reason"), counts.deliveries_by_kind(conn)
        )
        newest, oldest = deliveries.newest(conn), counts.oldest_waiting(conn)
        ages = {"last_delivery": newest, "oldest_job": oldest}
        help_ = "Age of the newest delivery and of the oldest one whose job has not ended, in seconds."
        yield _gauge(
            "age_seconds", help_, ("of",), (((k,), max(0.0, now - v)) for k, v in ages.items() if v is not None)
        )
        yield _gauge("jobs", "Jobs that have not ended, and parked ones.", ("state",), counts.open_jobs(conn))
        yield _gauge("workers_alive", "Workers with a valid lease.", (), [((), float(executors.alive(conn, now)))])
        done = chores.all_chores(conn)
        ran = [
            ((row.name,), max(0.0, now - row.ended_at)) for row in done if row.ended_at is not None and not row.reason
        ]
        yield _gauge("chore_age_seconds", "Seconds since a chore last succeeded.", ("chore",), ran)
        gaps = [((row.name,), float(row.found)) for row in done if row.name not in FOUND]
        yield _gauge("gaps_found", "Deliveries or changes that the last run found missing.", ("chore",), gaps)
        states = intents.count_by_state(conn)
        yield _gauge("writes", "Writes to GitHub by state.", ("state",), (((k,), float(v)) for k, v in states.items()))
        outcomes = verdicts.count_by_outcome(conn)
        yield _gauge("verdicts", "Verdicts by outcome.", ("outcome",), (((k,), float(v)) for k, v in outcomes.items()))
        yield from _feedback(conn)


def _feedback(conn: Connection) -> Iterator[Metric]:
    total = answers.precision(conn)[0]
    told = {"right": total.right, "wrong": total.wrong, "disputed": total.disputed}
    told["unsaid"] = total.answers - sum(told.values())
    help_ = "Answers given, by what maintainers say of them; disputed: by others, not decided yet."
    yield _gauge("answers", help_, ("said",), (((k,), float(v)) for k, v in told.items()))
    up, down = reactions.totals(conn)
    thumbs = [(("up",), float(up)), (("down",), float(down))]
    yield _gauge("reactions", "Reactions on our comments, as last counted.", ("kind",), thumbs)
    faulty = sum(bool(stored.error) for stored in configurations.every(conn))
    yield _gauge("configurations_faulty", "Repositories whose file cannot be used.", (), [((), float(faulty))])


def metrics_app(engine: Engine, clock: Clock) -> Wsgi:
    """A WSGI application that answers any path with the metrics as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(DatabaseCollector(engine, clock))
    app: Wsgi = make_wsgi_app(registry)
    return app


def _gauge(name: str, help_: str, labels: tuple[str, ...], values: Labelled) -> Metric:
    family = GaugeMetricFamily(PREFIX + name, help_, labels=labels)
    for label_values, value in values:
        family.add_metric(label_values, value)
    return family
