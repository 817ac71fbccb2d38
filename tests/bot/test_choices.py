"""What holds in a repository: its file, the operator's default and the switch; and from when on it is answered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import Engine

from bot.choices import Choices
from bot.clock import iso
from bot.errors import PermanentError, TransientError
from bot.ports import ConfigurationFile, Target
from bot.store import configurations, installations
from bot.triage.model import Outcome
from bot.triage.policy import Mode, Rules
from tests.fakes.clock import FakeClock

TARGET = Target("tracel-ai/burn", 5, 7, 70, 11)
AGE = 120.0


@dataclass
class Files:
    """The file as GitHub has it; remembers what was asked."""

    clock: FakeClock
    text: str | None = None
    error: Exception | None = None
    changed_at: str = ""
    asked: list[str] = field(default_factory=list)

    def read_configuration(self, repo: str, *, installation_id: int | None, etag: str = "") -> ConfigurationFile | None:
        self.asked.append(etag)
        if self.error:
            raise self.error
        tag = str(hash(self.text)) if self.text is not None else ""
        return None if tag and tag == etag else ConfigurationFile(self.text, tag, self.changed_at)

    def change(self, text: str | None) -> None:
        self.text, self.changed_at = text, iso(self.clock.now())


@pytest.fixture
def files(clock: FakeClock) -> Files:
    return Files(clock)


@pytest.fixture
def choices(engine: Engine, clock: FakeClock, files: Files) -> Choices:
    return Choices(engine, clock, files, Mode.ON, AGE, started_at=clock.now())


def later(choices: Choices, seconds: float = AGE) -> Rules:
    choices.clock.sleep(seconds)
    return choices.rules(TARGET)


def stored(choices: Choices) -> configurations.StoredConfiguration:
    with choices.engine.connect() as conn:
        found = configurations.read(conn, 5)
    assert found is not None
    return found


def test_a_repository_without_a_file_has_the_operators_mode(choices: Choices):
    assert choices.rules(TARGET) == Rules()
    quiet = replace(choices, default=Mode.SHADOW)
    assert quiet.rules(replace(TARGET, repo_id=6)).mode is Mode.SHADOW


def test_everything_in_the_file_holds(choices: Choices, files: Files):
    files.change("speak: [foreign]\nask: false\nopt_out_label: quiet\nlabels: {matched: [panic]}")
    expected = Rules(Mode.ON, frozenset({Outcome.FOREIGN}), False, "quiet", {Outcome.MATCHED: ("panic",)})
    assert choices.rules(TARGET) == expected


def test_the_file_is_asked_for_when_it_is_old_and_by_its_tag(choices: Choices, files: Files):
    files.change("mode: shadow")
    tag = str(hash(files.text))
    modes = [choices.rules(TARGET).mode, later(choices, 1).mode, later(choices).mode]
    assert (modes, files.asked) == ([Mode.SHADOW] * 3, ["", tag])


def test_a_file_that_cannot_be_used_changes_nothing_and_its_fault_is_kept(choices: Choices, files: Files):
    files.change("mode: shadow\nopt_out_label: x")
    before = choices.rules(TARGET)
    files.change("mode: loud")
    assert later(choices) == before
    assert stored(choices).error == "`mode` must be one of on, shadow, off, not `loud`"
    files.change("mode: off")
    assert later(choices).mode is Mode.OFF
    assert stored(choices).error == ""


def test_no_file_is_a_good_state_that_a_faulty_one_does_not_end(choices: Choices, files: Files):
    choices.rules(TARGET)
    files.change("mode: loud")
    assert later(choices).mode is Mode.ON


def test_a_first_file_that_cannot_be_used_makes_it_quiet(choices: Choices, files: Files):
    files.change("mode: loud")
    assert (choices.rules(TARGET).mode, later(choices).mode) == (Mode.SHADOW, Mode.SHADOW)
    files.change(None)
    assert later(choices).mode is Mode.ON


def test_what_is_not_readable_is_told_and_quiet(choices: Choices, files: Files):
    files.error = PermanentError("forbidden", "GitHub answered 403")
    assert choices.rules(TARGET).mode is Mode.SHADOW
    assert stored(choices).error == "the file could not be read: GitHub answered 403"


def test_while_github_is_away_the_last_known_holds(choices: Choices, files: Files):
    files.change("mode: shadow")
    choices.rules(TARGET)
    files.error = TransientError("server_error", "502")
    assert later(choices).mode is Mode.SHADOW


def test_while_github_is_away_nothing_is_guessed(choices: Choices, files: Files):
    files.error = TransientError("server_error", "502")
    with pytest.raises(TransientError):
        choices.rules(TARGET)


def test_switched_on_after_shadow_counts_from_the_change_of_the_file(choices: Choices, files: Files):
    files.change("mode: shadow")
    choices.rules(TARGET)
    choices.clock.sleep(1000)
    files.change("mode: on")
    at = files.changed_at
    rules = later(choices, 30)
    assert (rules.mode, rules.since) == (Mode.ON, at)
    assert later(choices).since == at


def test_an_old_date_of_the_file_makes_no_backlog_new(choices: Choices, files: Files):
    files.change("mode: shadow")
    choices.rules(TARGET)
    looked = iso(choices.clock.now())
    files.text, files.changed_at = "mode: on", "2020-01-01T00:00:00Z"
    assert later(choices).since == looked
    files.change("mode: off")
    later(choices)
    files.text, files.changed_at = "mode: on", "2099-01-01T00:00:00Z"
    assert later(choices).since == iso(choices.clock.now())


def test_switched_on_by_the_operator_counts_from_the_start(choices: Choices, files: Files):
    quiet = replace(choices, default=Mode.SHADOW)
    quiet.rules(TARGET)
    choices.clock.sleep(50)
    loud = replace(choices, started_at=choices.clock.now())
    choices.clock.sleep(10)
    assert loud.rules(TARGET).since == iso(choices.clock.now() - 10)


@pytest.mark.parametrize("ahead", [0, 10**9])
def test_what_waited_for_the_first_look_came_before_the_file_said_on(choices: Choices, files: Files, ahead: int):
    quiet = replace(choices, default=Mode.SHADOW)
    files.text, files.changed_at = "mode: on", iso(choices.clock.now() - 500 + ahead)
    rules = quiet.rules(TARGET)
    assert (rules.mode, rules.since) == (Mode.ON, min(files.changed_at, iso(choices.clock.now())))
    assert later(quiet).since == rules.since


def test_a_repository_that_was_always_on_has_no_such_moment(choices: Choices, files: Files):
    choices.rules(TARGET)
    files.change("speak: [matched]")
    assert later(choices).since == ""


def test_the_switch_holds_whatever_the_file_says(choices: Choices, files: Files):
    files.change("mode: on")
    choices.rules(TARGET)
    with choices.engine.begin() as conn:
        configurations.switch_off(conn, 5, "tracel-ai/burn", by="mel", now=choices.clock.now())
    assert (choices.rules(TARGET).mode, later(choices).mode) == (Mode.OFF, Mode.OFF)
    assert stored(choices).switched_off_by == "mel"
    choices.clock.sleep(500)
    with choices.engine.begin() as conn:
        configurations.switch_back(conn, 5, now=choices.clock.now())
    back = iso(choices.clock.now())
    rules = later(choices)
    assert (rules.mode, rules.since) == (Mode.ON, back)


@pytest.mark.parametrize("mode", [Mode.SHADOW, Mode.ON])
def test_a_mode_that_a_maintainer_chose_holds_whatever_the_file_says(choices: Choices, files: Files, mode: Mode):
    files.change("mode: off")
    choices.rules(TARGET)
    choices.clock.sleep(500)
    with choices.engine.begin() as conn:
        configurations.switch(conn, 5, "tracel-ai/burn", mode, by="mel", now=choices.clock.now())
    since = iso(choices.clock.now()) if mode is Mode.ON else ""
    assert [(rules.mode, rules.since) for rules in (choices.rules(TARGET), later(choices))] == [(mode, since)] * 2
    with choices.engine.begin() as conn:
        configurations.switch_back(conn, 5, now=choices.clock.now())
    assert later(choices).mode is Mode.OFF


def test_choosing_what_holds_already_makes_no_backlog(choices: Choices, files: Files):
    files.change("mode: on")
    before = choices.rules(TARGET).since
    with choices.engine.begin() as conn:
        configurations.switch(conn, 5, "tracel-ai/burn", Mode.ON, by="mel", now=choices.clock.now() + 50)
        configurations.switch_back(conn, 5, now=choices.clock.now() + 60)
    assert (later(choices).mode, later(choices).since) == (Mode.ON, before)


def test_a_repository_can_be_switched_off_before_anything_is_known_of_it(choices: Choices):
    with choices.engine.begin() as conn:
        configurations.switch_off(conn, 5, "tracel-ai/burn", by="mel", now=choices.clock.now())
    assert choices.rules(TARGET).mode is Mode.OFF


def test_all_repositories_are_looked_at_and_faults_counted(choices: Choices, files: Files):
    files.change("mode: loud")
    with choices.engine.begin() as conn:
        installations.add(conn, 11, "tracel-ai", "2026-11-01T00:00:00Z")
        installations.add(conn, 12, "asleep", "2026-11-01T00:00:00Z")
        installations.suspend(conn, 12, True)
        for repo_id, name, home in ((5, "tracel-ai/burn", 11), (6, "tracel-ai/cubecl", 11), (7, "asleep/x", 12)):
            installations.add_repository(conn, repo_id, name, home, "2026-11-01T00:00:00Z")
    assert (choices.look_at_all(None), len(files.asked)) == (2, 2)
    files.error = TransientError("server_error", "502")
    choices.clock.sleep(AGE)
    assert choices.look_at_all(None) == 2
