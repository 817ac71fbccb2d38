"""docs/assistants.md works as written: the file for an assistant, and the example in Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.mcp.tool import all_tools
from tests.bot.mcp.asking import ROOT, talk

pytestmark = pytest.mark.e2e
PAGE = (ROOT / "docs/assistants.md").read_text("utf-8")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH with the program on it, as the page's `export` leaves it."""
    program = tmp_path / "burn-triage"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bot "$@"\n', "utf-8")
    program.chmod(0o755)
    return f"{tmp_path}:/usr/bin:/bin"


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_what_an_assistant_reads_starts_the_server(path: str):
    [server] = json.loads(block("json"))["mcpServers"].values()
    session = talk([], command=[server["command"], *server["args"]], env={"PATH": path, "PYTHONPATH": str(ROOT)})
    assert [tool.name for tool in session.tools] == list(all_tools())


def test_the_example_runs(path: str, tmp_path: Path):
    (tmp_path / "example.py").write_text(block("python"), "utf-8")
    environ = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, tmp_path / "example.py"], env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stdout.startswith("Should have handle for tensor")) == (0, True), done.stderr
