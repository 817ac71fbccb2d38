"""An old release and the present one on one database, for real: `python -m tests.e2e.mixed_releases COMMIT`.

The old one's code is taken from the repository's history (which a shallow clone lacks, so this is no test of the suite;
`tests/bot/store/test_upgrades.py` holds the rules that it proves). Its receiver and worker run and answer; the present
worker comes beside them and brings the database up to date under them; then the old ones go. Every issue gets its one
comment, and every delivery is worked off, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bot.store.engine import open_engine
from tests.e2e.stack import ROOT, Stack, until
from tests.e2e.test_crashes import PANIC, settled
from tests.fakes.databases import postgres_server
from tests.fakes.github import FakeGitHub

REPO = "owner/burn"
NEW_SETTINGS = ("BURN_TRIAGE_MODE",)
"""Settings of the stack that came later: an old release refuses what it does not know."""


class MixedStack(Stack):
    """Starts commands of another checkout too."""

    def start_old(self, checkout: Path, command: str) -> subprocess.Popen[bytes]:
        known = {name: text for name, text in self.environment().items() if name not in NEW_SETTINGS}
        with (self.folder / f"old-{command}.log").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "bot", command],
                cwd=checkout,
                env=known | {"PYTHONPATH": str(checkout)},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process


def rollout(url: str, checkout: Path, folder: Path) -> str:
    """The whole story on one database; AssertionError where anything is lost or said twice."""
    with FakeGitHub() as github:
        stack = MixedStack(url, github, folder, {"SWEEP_SECONDS": "2", "LEASE_SECONDS": "3"})
        numbers: list[int] = []

        def people_write(count: int) -> None:
            opened = [github.people.open_issue(REPO, "ann", "It panics", PANIC).number for _ in range(count)]
            for number in numbers:
                github.people.edit_issue(REPO, number, body=f"{PANIC}\nStill, {len(numbers)}.")
            numbers.extend(opened)

        def all_done() -> None:
            github.hooks.settle()
            engine = open_engine(url)
            until(lambda: settled(engine, github), "all deliveries to be done", 120, log=stack.log)
            engine.dispose()

        try:
            github.create_repo(REPO)
            old = [stack.start_old(checkout, "serve"), stack.start_old(checkout, "work")]
            stack.wait_ready()
            github.install(stack.app, [REPO])
            people_write(6)
            stack.start("work")
            until(lambda: stack.log().count("worker    ready") == 2, "the new worker", log=stack.log)
            people_write(10)
            all_done()
            old[1].kill()
            old[0].terminate()
            old[0].wait(30)
            stack.start("serve")
            stack.wait_ready()
            people_write(4)
            all_done()
        finally:
            stack.stop()
        counts = [sum(c.user is stack.app.bot for c in github.comments(REPO, number)) for number in numbers]
        assert counts == [1] * 20, counts
        assert github.violations == []
        assert "Traceback" not in stack.log(), stack.log()
        return f"{len(github.hooks.log)} deliveries, {len(counts)} issues with one comment each"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.mixed_releases", description=__doc__)
    parser.add_argument("commit", help="the old release: a commit or tag of this repository")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "old"
        archive = subprocess.run(["git", "archive", options.commit], cwd=ROOT, check=True, capture_output=True).stdout
        checkout.mkdir()
        subprocess.run(["tar", "-x", "-C", str(checkout)], input=archive, check=True)
        for kind in ("sqlite", "postgresql"):
            (Path(folder) / kind).mkdir()
        print("SQLite:", rollout(f"sqlite:///{folder}/x.db", checkout, Path(folder) / "sqlite"), flush=True)
        with postgres_server(None, "mixed") as server:
            print("PostgreSQL:", rollout(server.make_empty(), checkout, Path(folder) / "postgresql"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
