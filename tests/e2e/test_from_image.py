"""From nothing to an answer with containers, as docs/operators.md has it.

A stand-in for `docker` reads compose.yaml and the Dockerfile and starts what the image would start, with the
environment that it would have. That the image itself can be built is shown by `deploy/image_steps.py`.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.docs_reading import lines
from tests.e2e.machine import Machine, is_ready, make_the_app
from tests.e2e.stack import ROOT, until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub
from tests.test_deployment import DOCKERFILE, FINAL, environ, values

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
BEGINS = "docker compose exec bot burn-triage backup copy.db"
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
LINES = [x for x in lines(ROOT / "docs/operators.md") if x.startswith(("docker", "echo TRIAGE_HOST"))]
STEPS, BACKUP = LINES[: LINES.index(BEGINS)], LINES[LINES.index(BEGINS) :]
"""From nothing to a bot at work; and its backup."""
OPTIONS = {
    "build": set(),
    "up": {"--detach", "--no-deps"},
    "run": {"--rm", "--use-aliases"},
    "exec": set(),
    "cp": set(),
    "stop": set(),
}
"""Those of `docker compose` that the stand-in knows (docs.docker.com, reference of each)."""


class Docker:
    """`docker compose` in a folder with an `.env`: knows the service `bot` alone, the others are named only."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine, self.folder = machine, folder
        self.running: subprocess.Popen[str] | None = None
        self.address = machine.environ["BURN_TRIAGE_LISTEN"].split(":")[1]
        machine.cwd = folder / "state"  # the image's working folder is its volume
        machine.cwd.mkdir()
        assert (values("WORKDIR"), values("VOLUME")) == (["/data"], ['["/data"]'])

    def environment(self) -> dict[str, str]:
        """The image's, then .env, then the service's; the volume and a loopback address stand for the container's."""
        service = COMPOSE["services"]["bot"]
        assert service["env_file"] == ".env"
        env = dict(line.split("=", 1) for line in (self.folder / ".env").read_text("utf-8").split())
        own = {k: re.sub(r"\$\{(\w+)(:\?[^}]*)?\}", lambda m: env[m[1]], v) for k, v in service["environment"].items()}
        image = environ(FINAL)
        assert image["XDG_STATE_HOME"] == service["volumes"][0].split(":")[1] == "/data"
        state = {name: str(self.folder / "state") for name, at in image.items() if at == "/data"}
        port = {"BURN_TRIAGE_LISTEN": image["BURN_TRIAGE_LISTEN"].replace("0.0.0.0:8000", f"127.0.0.1:{self.address}")}
        here = {"BURN_TRIAGE_METRICS_LISTEN": "off", "PYTHONPATH": str(ROOT)}
        return self.machine.environ | image | env | own | state | port | here

    def compose(self, line: str) -> subprocess.Popen[str] | subprocess.CompletedProcess[str] | None:
        """One line: what it started, or what came of it."""
        words = shlex.split(line)[2:]
        verb, rest = words[0], words[1:]
        if verb == "cp":
            return self.copy(*rest)
        flags = {word for word in rest if word.startswith("--")} if verb in {"build", "up"} else set()
        if verb == "run":
            while rest[0].startswith("--"):
                flags.add(rest.pop(0))
        names = [word for word in rest if not word.startswith("--")]
        assert flags <= OPTIONS[verb]
        assert names == [] or names[0] in COMPOSE["services"]
        self.machine.environ = self.environment()
        if verb == "up" and names in ([], ["bot"]):
            self.running = self.machine.start(*json.loads(values("CMD")[0]))
        elif verb == "run":
            return self.machine.start(*names[1:], output=subprocess.PIPE)
        elif verb == "stop":
            self.stop()
        elif verb == "exec":
            assert (names[1], self.running is not None) == ("burn-triage", True)
            return self.machine.command(*names[2:])
        return None

    def copy(self, source: str, target: str) -> None:
        """`cp`, out of the volume."""
        assert source.startswith("bot:/data/")
        shutil.copy(self.machine.cwd / source.removeprefix("bot:/data/"), self.folder / target)

    def stop(self) -> None:
        """As `stop` and `down` do: SIGTERM, and the time to end in order."""
        if self.running is not None:
            self.running.terminate()
            assert self.running.wait(60) == 0
        self.running = None


@pytest.fixture
def docker(tmp_path: Path) -> Iterator[tuple[Docker, FakeGitHub]]:
    with FakeGitHub() as github:
        docker = Docker(Machine(github, tmp_path), tmp_path)
        yield docker, github
        docker.stop()
        assert github.violations == []


def test_the_image_starts_the_program_of_this_checkout():
    assert values("ENTRYPOINT") == ['["burn-triage"]']
    assert {"bot", "kb"} <= {rest.split()[-1] for rest in values("COPY", DOCKERFILE)}


def test_from_nothing_to_an_answer(docker: tuple[Docker, FakeGitHub], tmp_path: Path):
    here, github = docker
    host, *steps = [step for step in STEPS if "--profile" not in step]
    subprocess.run(["sh", "-c", host], cwd=tmp_path, check=True)
    github.create_repo(REPO, roles={"ann": "triage"})
    while "exec" not in steps[0]:
        setup = here.compose(steps.pop(0))
        if setup is not None:
            make_the_app(setup, github, local=True)
            app = next(iter(github.world.apps.values()))
            assert app.webhook_url == "https://triage.example.org/webhook"
            app.webhook_url = f"{here.machine.url}/webhook"  # Caddy's part
    until(lambda: is_ready(here.machine), "/readyz", log=here.machine.log.read_text)
    github.install(app, [REPO])
    github.hooks.settle()
    app.webhook_url = "https://triage.example.org/webhook"
    doctor = here.compose(steps[0])
    assert (doctor.returncode, doctor.stdout.startswith("no fault found")) == (0, True), doctor.stdout + doctor.stderr
    app.webhook_url = f"{here.machine.url}/webhook"
    github.add_commit(REPO, {".github/burn-triage.yml": "mode: on"})
    github.world.clock = lambda begin=github.world.clock: begin() + 2
    number = github.people.open_issue(REPO, "reporter", "It panics", PANIC).number
    until(lambda: github.comments(REPO, number), "the answer", log=here.machine.log.read_text)
    back_up_and_put_back(here, tmp_path)
    until(lambda: is_ready(here.machine), "/readyz", log=here.machine.log.read_text)
    number = github.people.open_issue(REPO, "reporter", "It panics", PANIC).number
    until(lambda: github.comments(REPO, number), "the next answer", log=here.machine.log.read_text)
    assert [len(github.comments(REPO, one)) for one in (number - 1, number)] == [1, 1]


def back_up_and_put_back(here: Docker, folder: Path) -> None:
    """As the page has it, line by line."""
    until(lambda: "waiting        0," in here.machine.command("inbox", "status").stdout, "the job's end")
    for step in BACKUP:
        done = here.compose(step)
        if isinstance(done, subprocess.Popen):
            assert done.wait(60) == 0, here.machine.log.read_text()
            done.stdout.close()
        assert not isinstance(done, subprocess.CompletedProcess) or done.returncode == 0, done.stderr
    assert (folder / "copy.db").read_bytes()[:15] == b"SQLite format 3"


def test_the_readme_has_the_same_steps():
    readme = [line for line in lines(ROOT / "README.md") if line.startswith(("docker", "echo TRIAGE_HOST"))]
    assert readme == STEPS[: len(readme)]
    assert len(readme) == 5
