"""Whatever people do, in whatever order and however often GitHub tells of it, whenever the worker dies and whatever
becomes of its requests: never two comments, jobs in order, and in the end our comment says what is true then.

`BURN_TRIAGE_TEST_ORDERS` is how many stories are told: 5 in the suite.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.github.marker import strip
from bot.opening import open_for_command
from bot.store import deliveries
from bot.triage.knowledge import Knowledge
from tests.bot.github.stage import REPO, staged
from tests.e2e.orders import Miniature
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles

pytestmark = pytest.mark.e2e

ELSEWHERE = "tracel-ai/cubecl"
TOLD = [
    """```
thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId { value: 497010 }
```""",
    """```
thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-autodiff-0.21.0/src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```""",
    "How do I save a model?",
]
SAID = ["/triage", "/triage explain KB-0004", "/triage wrong", "/triage delete", "Thank you!", TOLD[1]]
FAULTS = ["502_after", "502_before", "drop_after", "drop_before", "secondary"]
ISSUES = st.integers(1, 3)
EXAMPLES = int(os.environ.get("BURN_TRIAGE_TEST_ORDERS", "5"))


@functools.cache
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[2] / "kb", None)[0]


@functools.cache
def empty_database() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="burn-triage-orders-"))
    return Path(SqliteFiles(folder).make(folder).removeprefix("sqlite:///"))


class Orders(RuleBasedStateMachine):
    """Issue 1 is there from the start; 2 and 3 may be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.resources = ExitStack()

    @initialize()
    def begin(self) -> None:
        folder = Path(self.resources.enter_context(tempfile.TemporaryDirectory()))
        shutil.copy(empty_database(), folder / "x.db")
        self.clock = FakeClock()
        stage = self.resources.enter_context(staged(self.clock))
        self.github, self.people = stage.github, stage.github.people
        self.repo = stage.repo
        self.github.create_repo(ELSEWHERE)
        self.worker = Miniature(stage, f"sqlite:///{folder / 'x.db'}", knowledge())
        self.resources.callback(self.worker.engine.dispose)
        self.arrived: set[str] = set()
        self.gone: set[int] = set()
        for sent in self.github.hooks.waiting():
            self._arrive(sent)
        while self.worker.waiting():
            self.worker.work(next(iter(self.worker.waiting())))

    def _arrive(self, sent: object) -> None:
        self.worker.arrive(sent)
        self.arrived.add(sent.guid)  # type: ignore[attr-defined]

    def _stands(self, number: int) -> bool:
        return number in self.repo.issues and number not in self.gone

    @rule(body=st.sampled_from(TOLD), seconds=st.sampled_from([0, 1, 60]))
    @precondition(lambda self: len(self.repo.issues) < 3)
    def open_issue(self, body: str, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.people.open_issue(REPO, "reporter", "It panics", body)

    @rule(number=ISSUES, body=st.sampled_from(TOLD))
    def edit_issue(self, number: int, body: str) -> None:
        if self._stands(number):
            self.clock.sleep(1)
            self.people.edit_issue(REPO, number, body=body)

    @rule(number=ISSUES, who=st.sampled_from(["reporter", "ann", "passer-by"]), words=st.sampled_from(SAID))
    def comment(self, number: int, who: str, words: str) -> None:
        if self._stands(number):
            self.clock.sleep(1)
            self.people.comment(REPO, number, who, words)

    @rule(number=ISSUES, moved=st.booleans())
    def lose_issue(self, number: int, moved: bool) -> None:
        if self._stands(number) and number == 3:
            self.gone.add(number)
            if moved:
                self.people.transfer_issue(REPO, number, ELSEWHERE)
            else:
                self.people.delete_issue(REPO, number)

    @rule(kind=st.sampled_from(FAULTS))
    def something_goes_wrong(self, kind: str) -> None:
        self.github.fault(kind, verb="POST", path="/comments$", retry_after="1" if kind == "secondary" else None)

    @rule(which=st.integers(0, 50))
    def a_delivery_arrives(self, which: int) -> None:
        """One that is new, or one that came before; later ones may overtake earlier ones."""
        sent = self.github.hooks.waiting()
        if sent:
            self._arrive(sent[which % len(sent)])

    @rule(which=st.integers(0, 5), crash=st.none() | st.integers(0, 12))
    def the_worker_works(self, which: int, crash: int | None) -> None:
        waiting = sorted(self.worker.waiting())
        if waiting:
            self.worker.work(waiting[which % len(waiting)], crash)

    @invariant()
    def one_comment_each(self) -> None:
        for number in list(self.repo.issues) if hasattr(self, "worker") else ():
            assert len(self.worker.ours(number)) <= 1

    @invariant()
    def in_order(self) -> None:
        for rows in (self.worker.finished if hasattr(self, "worker") else {}).values():
            assert rows == sorted(rows)

    def teardown(self) -> None:
        with self.resources:
            if hasattr(self, "worker"):
                self._end()

    def _end(self) -> None:
        """Everything arrives and is worked off; then one more look changes nothing."""
        self._finish()
        said = self._said()
        for number in [n for n in self.repo.issues if self._stands(n)]:
            self.clock.sleep(60)
            self.people.edit_issue(REPO, number, title=f"Still {number}")
        self._finish()
        assert self._said() == said
        with self.worker.engine.connect() as conn:
            states = {row.state for row in deliveries.recent(conn, limit=1000)}
        assert states <= {deliveries.DONE, deliveries.IGNORED}

    def _said(self) -> dict[int, list[str]]:
        """Our comments without what they say of other issues, which may have come later."""
        return {
            number: [re.sub(r"Same panic in [#\d, ]+\. ?", "", strip(c.body)) for c in self.worker.ours(number)]
            for number in self.repo.issues
        }

    def _finish(self) -> None:
        for sent in self.github.hooks.waiting():
            if sent.guid not in self.arrived:
                self._arrive(sent)
        while waiting := self.worker.waiting():
            self.worker.work(min(waiting))
        self.one_comment_each()
        self.in_order()


TestEventOrders = Orders.TestCase
TestEventOrders.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
