"""`burn-triage mcp` on the command line; what it answers is in tests/bot/mcp."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.cli import main


def test_a_knowledge_base_that_is_none_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["mcp", "--kb", str(tmp_path)]) == 2
    assert "give the folder that holds repos.yaml" in capsys.readouterr().err
    assert main(["mcp", "--clones", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_without_its_packages_it_says_which_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.delitem(sys.modules, "bot.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    assert main(["mcp"]) == 2
    assert "`pip install '.[mcp]'`" in capsys.readouterr().err
