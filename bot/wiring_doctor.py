"""The part of the composition root that puts together what `burn-triage doctor` looks at. Changes nothing."""

from __future__ import annotations

from functools import cache

from sqlalchemy import Engine

from bot.clock import SystemClock
from bot.doctor.examine import Patient
from bot.github.registration import Registration, server_time
from bot.opening import chosen_kb, open_knowledge
from bot.ports import DeliveryLog
from bot.settings import Settings, secret_files
from bot.store.engine import open_engine
from bot.wiring import connect_github


def make_patient(settings: Settings) -> Patient:
    """Everything is opened when a check first asks for it."""
    from bot.backfill import refuse_writes

    @cache
    def registration() -> Registration:
        return Registration(connect_github(settings, refuse_writes).clients)

    @cache
    def deliveries() -> DeliveryLog:
        return connect_github(settings, refuse_writes)

    @cache
    def engine() -> Engine:
        return open_engine(settings.database_url)

    return Patient(
        settings=settings,
        clock=SystemClock(),
        registration=registration,
        deliveries=deliveries,
        server_time=lambda: server_time(settings.github_api_url),
        engine=engine,
        knowledge=lambda: open_knowledge(chosen_kb(settings)),
        secret_files=secret_files(),
    )
