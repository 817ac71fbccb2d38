"""`config`, `repeats`, `precision`, `cases` and `backfill` as their users see them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.cli import main
from bot.evaluation.cases import load_cases
from bot.feedback import RIGHT, WRONG, Decided
from bot.opening import open_for_command
from bot.ports import Target
from bot.redact import redact_json
from bot.store import alarms, answers, configurations, disputes, installations, occurrences, verdicts
from bot.store.occurrences import Occurrence
from bot.triage.analyze import analyze
from bot.triage.model import Report
from bot.triage.policy import answer_key
from bot.triage.snapshot import Dispute
from tests.bot.github.stage import REPO, Stage, staged
from tests.bot.store.rows import a_delivery
from tests.fakes.clock import FakeClock

Capture = pytest.CaptureFixture[str]
KB = Path(__file__).parents[3] / "kb"
PANIC = """\
    thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949/burn-ir-0.20.0/src/handle.rs:88:32:
    Should have handle for tensor TensorId { value: 497010 }
"""


@pytest.fixture(autouse=True)
def database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", database_url)


@pytest.fixture
def stage(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    clock.moment = time.time()  # commands go by the machine's clock, so the stand-in has to
    with staged(clock) as found:
        monkeypatch.setenv("BURN_TRIAGE_GITHUB_API_URL", found.github.url)
        monkeypatch.setenv("BURN_TRIAGE_APP_ID", str(found.app.id))
        monkeypatch.setenv("BURN_TRIAGE_PRIVATE_KEY", found.app.private_key)
        monkeypatch.setenv("BURN_TRIAGE_KB", str(KB))
        yield found


def out(capsys: Capture, *words: str, status: int = 0) -> str:
    assert main(list(words)) == status
    return capsys.readouterr().out


def test_a_file_is_checked_as_the_bot_reads_it(tmp_path: Path, capsys: Capture):
    file = tmp_path / "burn-triage.yml"
    file.write_text("mode: off\nlabels: {matched: [panic]}")
    assert json.loads(out(capsys, "config", "check", str(file)))["labels"] == {"matched": ["panic"]}
    file.write_text("mode: loud\nask: 3")
    assert main(["config", "check", str(file)]) == 2
    assert capsys.readouterr().err == (
        "burn-triage config: `ask` must be true or false, not `3`\n`mode` must be one of on, shadow, off, not `loud`\n"
    )
    assert main(["config", "check", str(tmp_path / "none")]) == 2


def test_the_schema_is_printed(capsys: Capture):
    assert json.loads(out(capsys, "config", "schema"))["additionalProperties"] is False


def test_what_holds_is_shown_with_its_faults(engine: Engine, capsys: Capture):
    assert out(capsys, "config", "show") == "no repository was looked at yet\n"
    stored = configurations.StoredConfiguration(5, REPO, None, "", "`mod` is no key", 1.0, "on", "2026-11-30T12:00:00Z")
    with engine.begin() as conn:
        configurations.write(conn, stored)
    assert out(capsys, "config", "show").split("\n") == [
        f"{REPO:40} on since 2026-11-30T12:00:00Z",
        "  `mod` is no key",
        "",
    ]
    with engine.begin() as conn:
        configurations.switch_off(conn, 5, REPO, by="mel", now=2.0)
    assert "off, switched off by mel" in out(capsys, "config", "show")


def test_a_repository_is_switched_off_and_back(engine: Engine, capsys: Capture):
    assert main(["config", "off", REPO]) == 2
    with engine.begin() as conn:
        installations.add_repository(conn, 5, REPO, 11, "2026-11-01T00:00:00Z")
    assert out(capsys, "config", "off", REPO) == f"{REPO} switched off\n"
    assert "switched off by the operator" in out(capsys, "config", "show")
    assert out(capsys, "config", "back", REPO) == f"{REPO} follows its file again\n"
    assert "switched off" not in out(capsys, "config", "show")


def test_repeats_are_listed(engine: Engine, capsys: Capture):
    with engine.begin() as conn:
        for n in (3, 4):
            shown = Occurrence("matched", "KB-0001", "fp1:a", None, "open", f"2026-01-0{n}T00:00:00Z")
            occurrences.write(conn, Target(REPO, 5, n, n * 10, 11), shown, 1.0)
    rows = [line.split() for line in out(capsys, "repeats").splitlines()]
    assert rows[1:] == [["2", "2", "#3", "2026-01-04", "KB-0001", "fp1:a"]]


def test_precision_is_printed_with_its_n(engine: Engine, capsys: Capture):
    delivery = a_delivery(engine)
    with engine.begin() as conn:
        for n in range(1, 5):
            answer = f"matched|KB-0001|o/r@v1:{n}"
            answers.give(conn, Target(REPO, 5, n, n * 10, 11), answer, delivery, 1.0)
        answers.decide(conn, Target(REPO, 5, 1, 10, 11), Decided("matched|KB-0001|o/r@v1:1", WRONG), 2.0)
        said = Dispute("ann", "2026-11-30T10:00:00Z", "", "author", "matched|KB-0001|o/r@v1:2", True)
        disputes.add(conn, delivery, Target(REPO, 5, 2, 20, 11), [said])
    rows = [line.split() for line in out(capsys, "precision").splitlines()]
    assert rows[1] == ["all", "4", "0", "1", "1", "75.0", "%", "50.0", "%", "+0", "-0"]
    assert rows[2][0] == "KB-0001"
    assert json.loads(out(capsys, "precision", "--json"))[0]["at_least"] == 0.5


def test_precision_without_answers(capsys: Capture):
    assert out(capsys, "precision").splitlines()[1].split() == ["all", "0", "0", "0", "0", "-", "-", "+0", "-0"]


def test_cases_are_exported_from_the_issues_as_they_stand(
    engine: Engine, stage: Stage, tmp_path: Path, capsys: Capture
):
    issue = stage.github.people.open_issue(REPO, "reporter", "It crashes", f"mail me@mail.de\n\n{PANIC}")
    verdict = analyze(Report(None, issue.title, issue.body or ""), open_for_command(KB, None)[0])
    delivery, target = a_delivery(engine), stage.target(issue.number)
    with engine.begin() as conn:
        verdicts.write(
            conn, delivery_id=delivery, target=target, verdict=redact_json(verdict), reason="answered", now=1.0
        )
        answers.give(conn, target, answer_key(verdict), delivery, 1.0)
        answers.decide(conn, target, Decided(answer_key(verdict), RIGHT), 2.0)
    listed = out(capsys, "cases", "list")
    told = [out(capsys, "cases", "export", str(tmp_path / "cases")) for _ in range(2)]
    [case] = load_cases(tmp_path / "cases")
    assert listed.startswith(f"{REPO}#2 right: matched|")
    assert [line.split(": ")[1] for line in told] == ["right\n", "there already\n"]
    assert (case.answer, "me@mail.de" in case.report.body, stage.github.writes()) == ("site", False, [])
    assert main(["evaluate", "--cases", str(tmp_path / "cases"), "--kb", str(KB)]) == 0


def test_the_history_is_read_without_a_bar_where_nobody_watches(stage: Stage, capsys: Capture):
    stage.github.people.open_issue(REPO, "reporter", "It crashes", PANIC)
    assert out(capsys, "backfill", REPO, "--limit", "1").splitlines()[-1] == "not complete: call again to go on"
    said = out(capsys, "backfill", REPO, "--pause", "0")
    assert said.splitlines()[-2:] == [f"{REPO}: 2 issues read, 1 with a panic, the last is #2", "complete"]
    assert (capsys.readouterr().err, stage.github.writes()) == ("", [])


@pytest.mark.parametrize("words", [["burn"], [REPO, "--limit", "0"], [REPO, "--pause", "-1"]])
def test_a_history_that_cannot_be_meant_is_refused(words: list[str]):
    assert main(["backfill", *words]) == 2


def test_alarms_are_listed_until_somebody_looked(engine: Engine, capsys: Capture):
    with engine.begin() as conn:
        alarms.put(conn, Target(REPO, 5, 7, 70, 11), [(901, "archive")], 1_796_000_000.0)
    assert out(capsys, "alarms") == f"2026-11-30T00:53:20Z archive   {REPO}/issues/7#issuecomment-901\n"
    assert out(capsys, "alarms", "--dismiss", "901") == "no alarms\n"
