"""A bot at work, set up as the documentation says, in which its commands are run as a reader would."""

from __future__ import annotations

import gc
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.cli import main
from tests.docs_reading import ROOT
from tests.e2e.machine import Machine, is_ready, make_the_app
from tests.e2e.stack import until
from tests.fakes.family import small_family
from tests.fakes.github import FakeGitHub

REPO = "tracel-ai/burn"
UNKNOWN = "kb/entries/burn-autodiff/KB-0064.yaml"
"""Taken away from the author's checkout: the panic that the page for authors makes an entry for."""
PANIC = """\
thread 'main' (7) panicked at /home/ann/.cargo/registry/src/index-1949cf8c6b5b557f/burn-autodiff-0.21.0/src/ops/tensor.rs:2274:9:
not implemented: topk is not implemented for autodiff
"""  # noqa: E501
STANDS_FOR = {
    "OWNER/NAME": REPO,
    "path/to/burn-triage": str(ROOT),
    "cargo run 2>&1": "cat panic.txt",
    "~/burn-triage/bin/": "",
}
"""What a page writes, and what it is here."""


@dataclass
class DocsWorld:
    """`machine` runs; `folder` holds a reader's folders, one a page."""

    machine: Machine
    github: FakeGitHub
    folder: Path
    process: subprocess.Popen[str]

    def reader(self, page: str) -> Path:
        """A folder as the reader of this page has it: the knowledge base, and files that the page speaks of."""
        here = self.folder / page
        if not here.exists():
            (here / ".github").mkdir(parents=True)
            (here / ".github/burn-triage.yml").write_text("mode: on\n", "utf-8")
            (here / "panic.txt").write_text(PANIC, "utf-8")
            (here / "private-key.pem").write_text(next(iter(self.github.world.apps.values())).private_key, "utf-8")
            self.give_knowledge(here, own=page == "entries.md")
        return here

    def give_knowledge(self, here: Path, *, own: bool) -> None:
        """The committed knowledge base, to read; or a copy to write in, and clones beside it in `clones`."""
        if not own:
            (here / "kb").symlink_to(ROOT / "kb")
            return
        shutil.copytree(ROOT / "kb", here / "kb", ignore=shutil.ignore_patterns("KB-0000*", "__pycache__"))
        (here / UNKNOWN).unlink()
        small_family(here / "family")
        for checkout in (here, here / "family"):
            (checkout / "pyproject.toml").touch()
        (here / "tests").symlink_to(ROOT / "tests")
        for words in (["index", "--git", "clones"], ["schema", "--write"]):
            assert self.here(["kb", *words], here / "family")[0] == 0

    def run(self, page: str, line: str) -> tuple[int, str]:
        """Exit status and output of a line of a page: by a shell, or in this process where it would add nothing."""
        for written, here in STANDS_FOR.items():
            line = line.replace(written, here)
        where = self.reader(page)
        if "--ticks" in line:
            self.tick(where / "report/report.md")
        if "--git clones" in line:
            where = where / "family"
        if line.startswith("burn-triage ") and not re.search(r"[|<>$*~&;]", line):
            return self.here(shlex.split(line)[1:], where)
        done = subprocess.run(
            ["sh", "-c", line], cwd=where, env=self.machine.environ, capture_output=True, text=True, timeout=120
        )
        return done.returncode, done.stdout + done.stderr

    def here(self, words: list[str], where: Path) -> tuple[int, str]:
        """The same without a process of its own: half a second less each."""
        said = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
            patch.chdir(where)
            for name in [name for name in os.environ if name.startswith("BURN_TRIAGE_")]:
                patch.delenv(name)
            for name, value in self.machine.environ.items():
                patch.setenv(name, value)
            try:
                status = main(words)
            except SystemExit as ended:
                status = int(ended.code or 0)
        gc.collect()  # as a process that ends: no connection of this command may see a restore by a later one
        return status, said.getvalue()

    def tick(self, report: Path) -> None:
        """What a maintainer does with the report."""
        report.write_text(report.read_text("utf-8").replace("- [ ] right", "- [x] right", 1), "utf-8")

    def start(self) -> None:
        """Not /readyz: a database that was put back tells of the worker that there was, for half a minute."""
        self.process = self.machine.start("run")
        alive = lambda: self.here(["inbox", "status"], self.folder)[0] == 0 and is_ready(self.machine)  # noqa: E731
        until(alive, "a worker", log=lambda: self.here(["inbox", "status"], self.folder)[1])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)


@contextmanager
def docs_world(folder: Path) -> Iterator[DocsWorld]:
    """Set up, running, installed on a repository with a history, one issue answered and one command given."""
    with FakeGitHub() as github:
        machine = Machine(github, folder)
        (folder / "bin").mkdir()
        (folder / "bin/burn-triage").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bot "$@"\n', "utf-8")
        (folder / "bin/burn-triage").chmod(0o755)
        machine.environ |= {
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            # What a catalogue is compiled to is named by what it was compiled from: it is shared with other tests.
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        }
        make_the_app(machine.start("setup", "--url", machine.url, output=subprocess.PIPE), github)
        github.create_repo(REPO, roles={"ann": "triage"})
        for number in range(3):
            github.people.open_issue(REPO, "reporter", f"Old {number}", f"```\n{PANIC}```\n")
        world = DocsWorld(machine, github, folder, machine.start("run"))
        try:
            until(lambda: is_ready(machine), "/readyz", log=machine.log.read_text)
            github.add_commit(REPO, {".github/burn-triage.yml": "mode: on"})
            github.install(next(iter(github.world.apps.values())), [REPO])
            github.hooks.settle()
            github.world.clock = lambda begin=github.world.clock: begin() + 2
            number = github.people.open_issue(REPO, "reporter", "It panics", f"```\n{PANIC}```\n").number
            until(lambda: github.comments(REPO, number), "the answer", log=machine.log.read_text)
            yield world
        finally:
            world.stop()
        assert github.violations == []
