"""A worker's knowledge base: read anew when asked, kept when the new one cannot be read, named with every verdict."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

import bot.handle
from bot.onhand import OnHand
from bot.opening import open_for_command
from bot.pace import Pace
from bot.steps import Steps
from bot.store.budget import Limits
from bot.store.schema import verdicts
from bot.triage.knowledge import Knowledge
from kb.errors import KnowledgeBaseError
from tests.bot.github.stage import staged
from tests.bot.test_whole_job import Shop
from tests.fakes.clock import FakeClock


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[2] / "kb", None)[0]


class Disk:
    """A knowledge base whose revision changes under the worker, or which somebody is just writing."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge, self.revision, self.spoilt, self.reads = knowledge, "first", False, 0

    def open(self) -> Knowledge:
        self.reads += 1
        if self.spoilt:
            raise KnowledgeBaseError("entries/KB-0001.yaml:3: not YAML")
        return replace(self.knowledge, revision=self.revision)


@pytest.fixture
def disk(knowledge: Knowledge) -> Disk:
    return Disk(knowledge)


def test_nothing_is_read_anew_unasked(disk: Disk):
    on_hand = OnHand(disk.open)
    disk.revision = "second"
    assert (on_hand.answer(), on_hand.knowledge.revision, disk.reads) == (False, "first", 1)


def test_asked_once_it_is_read_once(disk: Disk):
    on_hand = OnHand(disk.open)
    disk.revision = "second"
    on_hand.ask()
    on_hand.ask()
    answers = [on_hand.answer(), on_hand.answer()]
    assert (answers, on_hand.knowledge.revision, disk.reads) == ([True, False], "second", 2)


def test_one_that_cannot_be_read_leaves_the_old_in_use(disk: Disk, caplog: pytest.LogCaptureFixture):
    on_hand = OnHand(disk.open)
    disk.spoilt = True
    on_hand.ask()
    assert (on_hand.answer(), on_hand.knowledge.revision) == (False, "first")
    assert "entries/KB-0001.yaml:3: not YAML" in caplog.text
    disk.spoilt, disk.revision = False, "mended"
    on_hand.ask()
    assert (on_hand.answer(), on_hand.knowledge.revision) == (True, "mended")


def test_a_request_is_answered_beside_the_work(disk: Disk):
    stop, read = threading.Event(), threading.Event()

    def open_and_tell() -> Knowledge:
        read.set()
        return disk.open()

    on_hand = OnHand(open_and_tell)
    read.clear()
    thread = threading.Thread(target=on_hand.run_until, args=(stop,))
    thread.start()
    on_hand.ask()
    told = read.wait(30)
    stop.set()
    thread.join(30)
    assert (told, thread.is_alive()) == (True, False)


@pytest.fixture
def shop(engine: Engine, clock: FakeClock, disk: Disk) -> Iterator[tuple[Shop, OnHand]]:
    on_hand = OnHand(disk.open)
    with staged(clock) as stage:
        pace = Pace(engine, clock, Limits(0, 80, 500), lambda: True)
        steps = Steps(engine, clock, stage.bot, stage.bot, bot.handle, lambda _: on_hand.knowledge, pace)
        yield Shop(stage, engine, steps), on_hand


def test_every_verdict_names_the_revision_that_gave_it(shop: tuple[Shop, OnHand], disk: Disk):
    jobs, on_hand = shop
    jobs.open("It crashes")
    disk.revision = "second"
    on_hand.ask()
    on_hand.answer()
    jobs.open("It crashes too")
    with jobs.engine.begin() as conn:
        given = conn.execute(select(verdicts.c.number, verdicts.c.catalog).order_by(verdicts.c.number)).all()
    assert [catalog for _, catalog in given] == ["first", "second"]
