"""An order of the dashboard on its whole way: inbox, job, slash command, the one comment on the stand-in GitHub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Engine

import bot.handle
from bot.delivery import describe
from bot.errors import UserError
from bot.github.marker import strip
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.opening import open_for_command
from bot.orders import as_delivery, placed
from bot.pace import Pace
from bot.ports import Target
from bot.steps import Steps
from bot.store import answers, deliveries
from bot.store.budget import Limits
from bot.triage.knowledge import Knowledge
from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import guid

PANIC = """\
```
thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId { value: 497010 }
```"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[2] / "kb", None)[0]


@dataclass
class Board:
    """A worker's steps, and orders given to it."""

    stage: Stage
    engine: Engine
    steps: Steps
    inbox: Inbox
    number: int = 0

    def open(self) -> None:
        self.stage.clock.sleep(60)
        self.number = self.stage.github.people.open_issue(REPO, "reporter", "It crashes", PANIC).number
        values = {
            "action": "opened",
            "installation": {"id": self.stage.installation.id},
            "repository": {"id": self.stage.repo.id, "full_name": REPO},
            "issue": {"id": self.target().issue_id, "number": self.number, "created_at": "2026-11-30T12:00:00Z"},
            "sender": {"login": "reporter", "type": "User"},
        }
        delivery = describe(values, event="issues", guid=guid(), body_hash="h", bot_login=None)
        assert self.inbox.accept(delivery, b"{}") == "queued"
        self.work(delivery.guid)

    def target(self) -> Target:
        return self.stage.target(self.number)

    def ask(self, login: str, name: str, argument: str = "", token: str = "") -> str:
        """Give an order and let the worker carry it out: what the inbox said, or what the job's reason is."""
        self.stage.clock.sleep(60)
        token = token or str(self.stage.clock.now())
        delivery, payload = as_delivery(placed(login, name, argument, token, self.target()))
        said = self.inbox.accept(delivery, payload)
        return self.work(delivery.guid) if said == "queued" else said

    def work(self, name: str) -> str:
        with self.engine.connect() as conn:
            stored = deliveries.find(conn, name)
        assert stored is not None
        plan = self.steps.decide(stored.id)
        done = [self.steps.publish(stored.id, n, plan["target"], action) for n, action in enumerate(plan["actions"])]
        assert self.steps.finish(stored.id, plan, done, 0) is None
        return str(plan["reason"])

    def comment(self) -> str:
        """Our one comment as a reader sees it: "" where it is hidden."""
        [ours] = [c for c in self.stage.comments(self.number) if c.user is self.stage.app.bot]
        return "" if ours.minimized else strip(ours.body)


@pytest.fixture
def board(engine: Engine, clock: FakeClock, knowledge: Knowledge) -> Iterator[Board]:
    with staged(clock) as stage:
        pace = Pace(engine, clock, Limits(0, 80, 500), lambda: True)
        steps = Steps(engine, clock, stage.bot, stage.bot, bot.handle, lambda _: knowledge, pace, settle_seconds=3600.0)
        made = Board(stage, engine, steps, Inbox(engine, JobQueue(engine), clock))
        made.open()
        yield made


def test_each_order_changes_the_one_comment_and_leaves_no_trace_beside_it(board: Board):
    first = board.comment()
    seen = []
    for login, name, argument in [
        ("tri", "hide", ""), ("tri", "show", ""), ("ann", "entry", "KB-0001"), ("ann", "entry", "none"),
        ("ann", "wrong", "not this"), ("ann", "unmute", ""), ("mel", "again", ""),
    ]:  # fmt: skip
        board.ask(login, name, argument)
        seen.append(board.comment())
    assert "Should have handle for tensor" in first
    assert [bool(text) for text in seen] == [False, True, True, True, False, True, True]
    assert ("KB-0001" in seen[2], seen[3], seen[6]) == (True, first, first)
    assert "Asked" not in "".join(seen)
    assert [r for r in board.stage.github.writes() if "reactions" in str(r)] == []


def test_an_order_sent_twice_is_one_delivery(board: Board):
    done = [board.ask("tri", "hide", token="form 1"), board.ask("tri", "hide", token="form 1")]
    assert (done[1], board.comment()) == ("repeated", "")


@pytest.mark.parametrize("login", ["rea", "reporter", "stranger"])
def test_who_may_not_triage_changes_nothing(board: Board, login: str):
    before = board.comment()
    assert (board.ask(login, "hide"), board.comment()) == ("not_permitted", before)


def test_a_maintainers_wrong_counts_as_in_a_comment(board: Board):
    board.ask("tri", "wrong", "another function")
    with board.engine.connect() as conn:
        [total, _] = answers.precision(conn)
    assert (total.answers, total.wrong) == (1, 1)


def test_no_later_event_takes_an_order_over(board: Board):
    """An ordinary event that waits reads the issue, and the order does not stand there."""
    delivery, payload = as_delivery(placed("tri", "hide", "", "t", board.target()))
    board.inbox.accept(delivery, payload)
    later = describe(
        {
            "action": "edited",
            "installation": {"id": board.stage.installation.id},
            "repository": {"id": board.stage.repo.id, "full_name": REPO},
            "issue": {"id": board.target().issue_id, "number": board.number},
            "sender": {"login": "reporter", "type": "User"},
        },
        event="issues", guid=guid(), body_hash="h", bot_login=None,
    )  # fmt: skip
    board.inbox.accept(later, b"{}")
    board.work(delivery.guid)
    assert board.comment() == ""


def test_an_order_whose_payload_was_forgotten_does_nothing(board: Board):
    before = board.comment()
    delivery, payload = as_delivery(placed("tri", "hide", "", "t", board.target()))
    board.inbox.accept(delivery, payload)
    with board.engine.begin() as conn:
        deliveries.drop_payloads(conn, before=board.stage.clock.now() + 1)
    assert (board.work(delivery.guid), board.comment()) == ("order_forgotten", before)


def test_a_webhook_cannot_give_orders():
    values = {"action": "hide", "repository": {"id": 5, "full_name": REPO}, "issue": {"number": 7, "id": 70}}
    found = describe(values, event="dashboard", guid=guid(), body_hash="h", bot_login=None)
    assert found.ignored == "event_not_handled"


@pytest.mark.parametrize(
    ("name", "argument", "told"),
    [
        ("delete", "", "“delete” is nothing that can be asked for here."),
        ("entry", "burn", "“burn” names no entry. Write its id like KB-0003, or none."),
        ("entry", "", "“” names no entry. Write its id like KB-0003, or none."),
    ],
)
def test_what_cannot_be_asked_for_is_told(name: str, argument: str, told: str):
    with pytest.raises(UserError) as caught:
        placed("tri", name, argument, "t", Target(REPO, 5, 7, 70, 11))
    assert str(caught.value) == told
