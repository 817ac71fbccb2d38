"""Every command of ours in README and docs is one that the command line takes; those of the runbook are run, in order.

A line that starts with `burn-triage` in a fenced block, or stands whole in back-ticks, is a command. What stands for
something (`JOB`, `FILE`) is given as it is: the parser takes it like any other word.
"""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest
from sqlalchemy import Engine

from bot.cli import build_parser, main
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.store import chores, configurations
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import body_of, guid, payload

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNBOOK = ROOT / "docs/runbook.md"
FENCE = re.compile(r"^ *```(?:sh|console|bash)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(burn-triage [a-z][^`\n]*)`")
UNWELL = {"burn-triage doctor": 1, "burn-triage inbox status": 1}
"""Commands that end with 1 in the world of this test, without an App and with no worker alive: they say so."""
SQLITE_ALONE = {"burn-triage backup burn-triage-today.db": 2, "burn-triage restore --force burn-triage-today.db": 2}
"""On PostgreSQL they name its own tools."""


def blocks(text: str) -> list[str]:
    """The commands of the fenced blocks, without comments, pipes and what stands before ours."""
    found = []
    for line in "\n".join(FENCE.findall(text)).replace("\\\n", " ").splitlines():
        ours = re.search(r"(?:^|\| |/bin/)(burn-triage .*)$", re.split(r"\s+#\s", line)[0].strip())
        if ours:
            found.append(re.sub(r"\$\(.*?\)", "DAY", re.split(r" [<>|] ", ours[1])[0]).strip())
    return found


def commands(page: Path) -> list[str]:
    text = page.read_text()
    inline = [c for c in INLINE.findall(FENCE.sub("", text)) if "…" not in c and "|" not in c]
    return list(dict.fromkeys([*blocks(text), *inline]))


ALL = [(page.name, command) for page in PAGES for command in commands(page)]


def test_there_are_commands_to_look_at() -> None:
    pages = {name for name, _ in ALL}
    assert {"README.md", "runbook.md", "operators.md", "maintainers.md"} <= pages
    assert len(ALL) > 60


@pytest.mark.parametrize(("page", "command"), ALL, ids=[f"{page}: {command}" for page, command in ALL])
def test_the_command_line_takes_it(page: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)[1:]
    groups = {"jobs", "inbox", "kb", "config", "secrets", "cases"}
    if len(words) == 1 and words[0] in groups:
        words.append("--help")  # named as a whole
    status = parsed(words)
    said = capsys.readouterr().err
    # A command that is only named lacks its arguments; what it does get must be known.
    named = "the following arguments are required" in said or "one of the arguments" in said
    assert status == 0 or (named and len(words) <= 3), said


def parsed(words: list[str]) -> int:
    """The exit status with which the command line takes or refuses these words, without running them."""
    try:
        build_parser(words[0]).parse_args(words)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.fixture
def world(engine: Engine, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A database in use: a delivery whose job was given up, a worker, a chore, a repository that was looked at."""
    monkeypatch.setenv("BURN_TRIAGE_DATABASE_URL", database_url)
    monkeypatch.setenv("BURN_TRIAGE_LISTEN", "127.0.0.1:1")
    monkeypatch.setenv("BURN_TRIAGE_CREDENTIALS", str(tmp_path / "none.json"))
    monkeypatch.chdir(tmp_path)
    clock, queue = FakeClock(time.time()), JobQueue(engine)
    delivery = describe(payload(), event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, queue, clock).accept(delivery, body_of(payload()))
    with engine.begin() as conn:
        configurations.switch_off(conn, 5, "tracel-ai/burn", by="ann", now=clock.now())
        chores.claim(conn, "sweep", now=clock.now(), every=60)
        chores.succeed(conn, "sweep", now=clock.now(), covered_until=clock.now(), found=0)


def test_the_runbook_runs_as_written(world: None, engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    ended = {}
    for command in blocks(RUNBOOK.read_text()):
        try:
            ended[command] = main(shlex.split(command)[1:])
        except SystemExit as exit_:
            ended[command] = exit_.code or 0
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    expected = UNWELL | (SQLITE_ALONE if engine.dialect.name == "postgresql" else {})
    assert ended == dict.fromkeys(ended, 0) | expected
