"""The order of a job's steps: what is tried again, when, and what is given up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.errors import PermanentError, TransientError
from bot.jobs import QUEUE, VERSION, WORKFLOWS
from bot.steps import Steps
from bot.worker import Flow, guarded

PLAN = {
    "target": {"repo": "o/r"},
    "actions": [{"action": "React"}, {"action": "UpsertComment", "body": "b"}],
    "memory": {},
    "verdict": None,
    "reason": "answered",
    "disputes": [],
    "retry": "",
}


class FakeSteps(Steps):
    """Answers from a script: for each step, what its calls raise or return, in order; then the last one for ever."""

    def __init__(self, **script: list[Any]) -> None:
        object.__setattr__(
            self, "script", {"decide": [PLAN], "publish": [{}], "finish": [None], "park": [None]} | script
        )
        object.__setattr__(self, "calls", [])

    def _next(self, name: str, *args: Any) -> Any:
        self.calls.append((name, *args))
        left = self.script[name]
        value = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(value, Exception):
            raise value
        return value

    def decide(self, row_id: int) -> Any:
        return self._next("decide")

    def publish(self, row_id: int, position: int, target: Any, action: Any) -> Any:
        return self._next("publish", position, action["action"])

    def finish(self, row_id: int, plan: Any, outcomes: Any, tries: int) -> Any:
        return self._next("finish", len(outcomes))

    def park(self, row_id: int, reason: str) -> None:
        self._next("park", reason)


def run_job(steps: FakeSteps, tries: int = 3) -> tuple[Any, list[float]]:
    """The job's result or its error, and how long it slept."""
    slept: list[float] = []

    def run(name: str, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    try:
        return Flow(steps, run, slept.append, tries).handle_v1(1), slept
    except PermanentError as error:
        return error, slept


def test_a_job_decides_publishes_in_order_and_finishes():
    steps = FakeSteps()
    result, slept = run_job(steps)
    assert (result, slept) == ({"reason": "answered"}, [])
    assert steps.calls == [("decide",), ("publish", 0, "React"), ("publish", 1, "UpsertComment"), ("finish", 2)]


def test_what_the_engine_has_recorded_of_jobs_in_flight_still_fits():
    """Names, order and version may change only with a `handle_v2` beside `handle_v1`: see `bot.worker`."""
    names: list[str] = []

    def run(name: str, function: Callable[..., Any], *args: Any) -> Any:
        names.append(name)
        return function(*args)

    Flow(FakeSteps(), run, lambda _: None, 3).handle_v1(1)
    assert (names, WORKFLOWS, VERSION, QUEUE) == (
        ["decide", "publish", "publish", "finish"],
        ("handle_v1",),
        "1",
        "issue",
    )


def test_a_passing_failure_is_tried_again_after_the_time_that_was_asked_for():
    steps = FakeSteps(publish=[TransientError("rate_secondary", "wait", 60.0), {}])
    result, [waited] = run_job(steps)
    assert result == {"reason": "answered"}
    assert 60.0 < waited <= 62.0
    assert [call[:2] for call in steps.calls if call[0] == "publish"] == [
        ("publish", 0),
        ("publish", 0),
        ("publish", 1),
    ]


def test_without_a_time_the_waits_grow():
    steps = FakeSteps(decide=[TransientError("connection", "x")] * 4 + [PLAN])
    _, slept = run_job(steps, tries=9)
    assert [2**n / 2 <= wait <= 2**n for n, wait in enumerate(slept, 1)] == [True] * 4


def test_after_enough_tries_the_job_is_parked():
    steps = FakeSteps(publish=[TransientError("server_error", "502")])
    error, slept = run_job(steps)
    assert (error.reason, len(slept), steps.calls[-1]) == ("server_error", 2, ("park", "server_error"))


def test_waiting_for_the_budget_is_no_failure():
    steps = FakeSteps(publish=[TransientError("budget", "later", 5.0)] * 20 + [{}])
    result, slept = run_job(steps)
    assert (result, len(slept)) == ({"reason": "answered"}, 20)


def test_the_pause_of_an_issue_is_kept_to_the_letter():
    _, slept = run_job(FakeSteps(decide=[TransientError("settling", "wait", 3.5), PLAN]))
    assert slept == [3.5]


def test_a_lasting_failure_parks_at_once():
    steps = FakeSteps(decide=[PermanentError("forbidden", "no permission for ann@mail.de")])
    error, slept = run_job(steps)
    assert (error.reason, str(error), slept) == ("forbidden", "no permission for [email]", [])
    assert steps.calls == [("decide",), ("park", "forbidden")]


def test_a_decision_that_asks_for_another_try_is_made_anew():
    steps = FakeSteps(decide=[PLAN | {"retry": "permission_unknown"}, PLAN], finish=[7.0, None])
    result, slept = run_job(steps)
    positions = [call[1] for call in steps.calls if call[0] == "publish"]
    assert (result, slept, positions) == ({"reason": "answered"}, [7.0], [0, 1, 2, 3])


def test_it_is_not_made_anew_for_ever():
    steps = FakeSteps(decide=[PLAN | {"retry": "permission_unknown", "actions": []}], finish=[1.0])
    error, slept = run_job(steps)
    assert (error.reason, len(slept)) == ("permission_unknown", 3)


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (TransientError("x", "m", 0.0), "x"),
        (OperationalError("select", {}, Exception("gone")), "database_away"),
    ],
)
def test_what_passes_is_tried_again(raised: Exception, outcome: str):
    def step() -> None:
        raise raised

    found = guarded(step, 0, 3)
    assert (found["reason"], found["retry"] >= 0) == (outcome, True)


def test_what_the_database_refuses_is_a_mistake_of_ours():
    def step() -> None:
        raise IntegrityError("insert", {}, Exception("foreign key"))

    assert guarded(step, 0, 3)["reason"] == "internal_error"


def test_a_mistake_of_ours_parks_one_job_and_says_so(caplog: pytest.LogCaptureFixture):
    def step() -> None:
        raise KeyError("/home/ann/x")

    found = guarded(step, 0, 3)
    assert found == {"reason": "internal_error", "message": "KeyError: '[home]/x'"}
    assert "nobody foresaw" in caplog.text


def test_the_last_try_gives_the_reason():
    def step() -> None:
        raise TransientError("timeout", "no answer", 10.0)

    assert guarded(step, 2, 3) == {"reason": "timeout", "message": "no answer"}
