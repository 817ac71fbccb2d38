"""`burn-triage backfill`: into the store, or with --shadow on paper; interrupted and taken up again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import main
from bot.paper import walk
from tests.bot.github.stage import KEY, REPO, Stage, staged
from tests.bot.test_backfill import FENCED
from tests.fakes.clock import FakeClock


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    import time

    clock = FakeClock(time.time())
    with staged(clock) as found:
        for number in range(2, 6):
            found.github.people.open_issue(REPO, "reporter", f"Issue {number}", FENCED if number % 2 else "Hello")
        settings = {
            "APP_ID": str(found.app.id),
            "PRIVATE_KEY": found.app.private_key,
            "GITHUB_API_URL": found.github.url,
            "MARKER_KEY": KEY.decode(),
            "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite'}",
        }
        for name, value in settings.items():
            monkeypatch.setenv(f"BURN_TRIAGE_{name}", value)
        yield found


def test_on_paper_interrupted_and_taken_up_again(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    report = tmp_path / "report"
    command = ["backfill", "--shadow", "--limit", "500", "--repo", REPO, "--report", str(report)]
    answer_on_paper, answered = walk.answer_on_paper, []

    def interrupted(snapshot, *more):
        if len(answered) == 2:
            raise KeyboardInterrupt
        answered.append(snapshot.number)
        return answer_on_paper(snapshot, *more)

    monkeypatch.setattr(walk, "answer_on_paper", interrupted)
    assert main(command) == 130
    assert "not complete: call again to go on" in capsys.readouterr().out
    assert "Not complete:" in (report / "report.md").read_text()
    monkeypatch.setattr(walk, "answer_on_paper", answer_on_paper)
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""  # a bar is for terminals
    assert ("5 issues read" in out, "2 would have got a comment" in out) == (True, True)
    assert sorted(file.name for file in report.iterdir()) == [
        "answers.ndjson", "report.css", "report.html", "report.js", "report.md"
    ]  # fmt: skip
    assert [json.loads(line)["number"] for line in (report / "answers.ndjson").read_text().splitlines()] == [
        5,
        4,
        3,
        2,
        1,
    ]
    assert "Not complete:" not in (report / "report.md").read_text()
    assert stage.github.writes() == []


def test_repeats_are_named_once_the_history_was_walked(stage: Stage, tmp_path: Path):
    assert main(["backfill", REPO, "--pause", "0"]) == 0
    assert main(["backfill", REPO, "--shadow", "--report", str(tmp_path / "report")]) == 0
    assert "Same panic in #3." in (tmp_path / "report" / "report.md").read_text()
    assert stage.github.writes() == []


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["burn"],
        [REPO, "--repo", REPO],
        [REPO, "--limit", "0"],
        [REPO, "--pause", "-1"],
        [REPO, "--shadow"],
        [REPO, "--report", "x"],
    ],
)
def test_wrong_usage(options: list[str]):
    assert main(["backfill", *options]) == 2


def test_on_a_terminal_there_is_a_bar(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["backfill", REPO, "--shadow", "--limit", "5", "--report", str(tmp_path / "report")]) == 0
    assert "5/5 2 comments" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
