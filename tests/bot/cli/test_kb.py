"""`burn-triage kb` hands everything on to the knowledge base's own commands."""

from __future__ import annotations

import pytest

from bot.cli import main
from kb import cli as kb_cli


def test_every_command_of_the_knowledge_base_is_offered(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["kb", "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert [name for name in kb_cli.subcommands() if f"\n    {name}" not in shown] == []


def test_its_exit_status_and_errors_are_handed_on(capsys: pytest.CaptureFixture[str]):
    assert main(["kb", "stats", "--kb", "/nowhere/at/all"]) == 2
    assert "--kb /nowhere/at/all: no repos.yaml there" in capsys.readouterr().err


def test_a_search_without_a_find_fails():
    assert main(["kb", "sites", "grep", "no such words anywhere"]) == 1
