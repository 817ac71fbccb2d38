"""Jobs with everything real but the server they talk to: choices, labels, repeats and feedback meet in one comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

import bot.handle
from bot.choices import Choices
from bot.delivery import describe
from bot.github.marker import strip
from bot.opening import open_for_command
from bot.pace import Pace
from bot.reactions import Poll
from bot.steps import Steps
from bot.store import alarms, answers, deliveries, reactions
from bot.store.budget import Limits
from bot.store.schema import verdicts
from bot.triage.knowledge import Knowledge
from bot.triage.policy import Mode
from bot.triage.rendered import strangers
from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import guid

FILE = ".github/burn-triage.yml"
PANIC = """\
```
thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId { value: 497010 }
```"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[2] / "kb", None)[0]


@dataclass
class Shop:
    """The worker's steps on a stand-in GitHub; what people do there is followed by a job."""

    stage: Stage
    engine: Engine
    steps: Steps
    ran: list[str] = field(default_factory=list)

    def open(self, title: str, body: str = PANIC) -> int:
        self.stage.clock.sleep(60)
        number = self.stage.github.people.open_issue(REPO, "reporter", title, body).number
        self.job(number, "issues", "opened", "reporter")
        return number

    def say(self, number: int, login: str, body: str) -> None:
        self.stage.clock.sleep(60)
        comment = self.stage.github.people.comment(REPO, number, login, body)
        self.job(number, "issue_comment", "created", login, comment.id)

    def job(self, number: int, event: str, action: str, sender: str, comment_id: int | None = None) -> None:
        issue = self.stage.repo.issues[number]
        opened = "2026-11-30T12:00:00Z"
        values = {
            "action": action,
            "installation": {"id": self.stage.installation.id},
            "repository": {"id": self.stage.repo.id, "full_name": REPO},
            "issue": {"id": issue.id, "number": number, "created_at": opened},
            "sender": {"login": sender, "type": "User"},
        } | ({"comment": {"id": comment_id}} if comment_id else {})
        delivery = describe(values, event=event, guid=guid(), body_hash="h", bot_login=None)
        with self.engine.begin() as conn:
            row = deliveries.add(conn, delivery, b"{}", self.stage.clock.now())
        assert row is not None
        plan = self.steps.decide(row)
        done = [self.steps.publish(row, n, plan["target"], action) for n, action in enumerate(plan["actions"])]
        assert self.steps.finish(row, plan, done, 0) is None
        self.ran.append(plan["reason"])

    def comment(self, number: int) -> str:
        """Our comment, "" where there is none."""
        ours = [c for c in self.stage.comments(number) if c.user is self.stage.app.bot]
        assert len(ours) <= 1
        return strip(ours[0].body) if ours else ""

    def choose(self, text: str) -> None:
        self.stage.clock.sleep(200)
        self.stage.github.add_commit(REPO, {FILE: text})
        self.stage.clock.sleep(200)


@pytest.fixture
def shop(engine: Engine, clock: FakeClock, knowledge: Knowledge) -> Iterator[Shop]:
    with staged(clock) as stage:
        pace = Pace(engine, clock, Limits(0, 80, 500), lambda: True)
        choices = Choices(engine, clock, stage.bot, Mode.ON, 120.0, started_at=clock.now())
        steps = Steps(
            engine, clock, stage.bot, stage.bot, bot.handle, lambda _: knowledge, pace, rules=choices.rules,
            public_url="https://triage.example",
        )  # fmt: skip
        yield Shop(stage, engine, steps)


def test_the_second_issue_with_a_panic_names_the_first(shop: Shop):
    first, second = shop.open("It crashes"), shop.open("It crashes too")
    shop.stage.github.people.close_issue(REPO, first)
    shop.job(first, "issues", "closed", "reporter")
    third = shop.open("And again")
    assert "Same panic in" not in shop.comment(first)
    assert f"Same panic in #{first}." in shop.comment(second)
    assert f"Same panic in #{second}, #{first}." in shop.comment(third)
    assert "duplicate" not in shop.comment(third).lower()
    assert "https://triage.example/errors/KB-" in shop.comment(third)
    assert strangers(shop.comment(third)) == ()


def test_an_issue_that_was_deleted_is_named_no_more(shop: Shop):
    first = shop.open("It crashes")
    shop.stage.github.people.delete_issue(REPO, first)
    shop.job(first, "issues", "deleted", "ann")
    assert "Same panic" not in shop.comment(shop.open("It crashes too"))


def test_shadow_writes_nothing_and_keeps_the_verdict_and_what_it_saw_is_backlog(shop: Shop, engine: Engine):
    shop.choose("mode: shadow\nlabels: {matched: [panic]}")
    quiet = shop.open("It crashes")
    shop.choose("mode: on\nlabels: {matched: [panic]}")
    shop.say(quiet, "reporter", "More words")
    loud = shop.open("It crashes too")
    with engine.connect() as conn:
        kept = [row[0] for row in conn.execute(select(verdicts.c.number).order_by(verdicts.c.number))]
    assert shop.ran == ["shadow_answered", "issue_older_than_install", "answered"]
    assert (shop.comment(quiet), shop.stage.repo.issues[quiet].labels, kept) == ("", [], [quiet, loud])
    assert f"Same panic in #{quiet}." in shop.comment(loud)


def test_off_is_off_for_commands_too(shop: Shop):
    shop.choose("mode: off")
    number = shop.open("It crashes")
    shop.say(number, "ann", "/triage")
    assert (shop.ran, shop.comment(number), shop.stage.github.writes()) == (["off", "off"], "", [])


def test_labels_come_with_the_verdict_and_what_a_person_took_off_stays_off(shop: Shop):
    shop.choose('labels: {matched: ["panic: known"], none: [question]}')
    number = shop.open("It crashes")
    first = list(shop.stage.repo.issues[number].labels)
    shop.stage.github.people.label_issue(REPO, number, "panic: known", by="tri", remove=True)
    shop.stage.github.people.edit_issue(REPO, number, body=f"{PANIC}\nMore")
    shop.job(number, "issues", "edited", "reporter")
    other = shop.open("A question", "How do I train?")
    assert (first, shop.stage.repo.issues[number].labels) == (["panic: known"], [])
    assert shop.stage.repo.issues[other].labels == ["question"]


def test_what_people_say_of_answers_becomes_precision(shop: Shop, engine: Engine):
    one, two, three = (shop.open(f"Crash {n}") for n in range(3))
    shop.say(one, "ann", "/triage wrong")
    shop.say(two, "reporter", "/triage wrong not my case")
    with engine.connect() as conn:
        [total, entry] = answers.precision(conn, REPO)
    assert (total.answers, total.wrong, total.disputed, total.right) == (3, 1, 1, 0)
    assert total.confirmed == pytest.approx(2 / 3)
    shop.say(two, "ann", f"/triage entry {entry.entry}")
    with engine.connect() as conn:
        [total, _] = answers.precision(conn, REPO)
    assert (total.answers, total.wrong, total.disputed, total.right, three) == (3, 1, 0, 1, 4)


def test_reactions_are_counted_a_few_at_a_time(shop: Shop, engine: Engine, clock: FakeClock):
    numbers = [shop.open(f"Crash {n}") for n in range(3)]
    for number, content in zip(numbers, ("+1", "-1", "heart"), strict=True):
        [comment] = shop.stage.comments(number)
        shop.stage.github.people.react(comment, shop.stage.github.world.user("ann"), content)
    poll = Poll(engine, clock, shop.stage.bot, 2, rest=6 * 3600)
    asked = [poll.run(None), poll.run(None), poll.run(None)]
    with engine.connect() as conn:
        totals = reactions.totals(conn)
    shop.stage.github.fault("secondary", verb="GET", path=r"/comments/\d+$", times=9)
    clock.sleep(7 * 3600)
    assert (asked, totals, poll.run(None)) == ([2, 1, 0], (2, 1), 0)


def test_bait_on_a_crash_report_is_told_to_maintainers_and_never_repeated(shop: Shop, engine: Engine):
    link = "https://files.example/fix.zip"
    crash, question = shop.open("It crashes"), shop.open("A question", "How do I train?")
    for number in (crash, question):
        shop.say(number, "stranger", f"Use {link}")
    shop.say(crash, "reporter", f"I tried {link}")
    with engine.begin() as conn:
        raised = alarms.standing(conn)
        alarms.dismiss(conn, raised[0].comment_id, by="ann", now=1.0)
    shop.say(crash, "reporter", "And again")
    with engine.connect() as conn:
        left = alarms.standing(conn)
    [bait, *_] = [c for c in shop.stage.comments(crash) if c.user and c.user.login == "stranger"]
    assert [(a.number, a.kind, a.page) for a in raised] == [
        (crash, "archive", f"{REPO}/issues/{crash}#issuecomment-{bait.id}")
    ]
    assert (left, link in shop.comment(crash)) == ([], False)


def test_bait_that_was_deleted_is_no_alarm(shop: Shop, engine: Engine):
    crash = shop.open("It crashes")
    shop.say(crash, "stranger", "See https://bit.ly/x")
    shop.say(crash, "mel", "See https://bit.ly/y")
    bait = next(c for c in shop.stage.comments(crash) if c.user and c.user.login == "stranger")
    with engine.connect() as conn:
        raised = [alarm.comment_id for alarm in alarms.standing(conn)]
    shop.stage.github.people.delete_comment(bait.id)
    shop.job(crash, "issue_comment", "deleted", "ann", bait.id)
    with engine.connect() as conn:
        assert (raised, alarms.standing(conn)) == ([bait.id], [])
