"""The Action as the runner would run it: the steps of its file, literally, against the stand-in GitHub."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.action.runner import load, run_action
from tests.bot.action.scene import PANIC, ROOT, Scene, reactions
from tests.fakes.clock import FakeClock
from tests.fakes.github import FakeGitHub

ACTION = ROOT / "deploy/action"
EXAMPLE = ACTION / "example-workflow.yml"


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner that has the packages already, as a self-hosted one has after its first run."""
    folder = tmp_path_factory.mktemp("tools")
    script = '. "$1" && printf %s "$folder"'
    command = ["sh", "-c", script, str(ACTION / "prepare"), str(ACTION / "setup.sh")]
    found = subprocess.run(command, env=basics(folder), capture_output=True, text=True, check=True).stdout
    python = Path(found) / "bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    (Path(found) / "complete").touch()
    return folder


def basics(tools: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(tools), "RUNNER_TOOL_CACHE": str(tools), "RUNNER_TEMP": str(tools)}


def start(scene: Scene, tools: Path, number: int, given: dict[str, str], **event: object):
    environ = scene.environment(number, **event)
    token = environ.pop("GITHUB_TOKEN")
    environ = {name: value for name, value in environ.items() if not name.startswith("INPUT_")}
    scene.folder.joinpath("workspace").mkdir(exist_ok=True)
    return run_action(ACTION, given, basics(tools) | environ, token=token, cwd=scene.folder / "workspace")


@pytest.mark.e2e
def test_a_conversation_with_the_steps_of_the_file(scene: Scene, tools: Path):
    """Opened, then a command after two runs that were cancelled; what people wrote never reaches the output."""
    number = scene.open(f"$(touch pwned) `touch pwned`\n::error::pwned\n\n{PANIC}")
    first = start(scene, tools, number, {"mode": "on"})
    said = [scene.say(number, "ann", words) for words in ("/triage help", "/triage hide", "Thanks")]
    last = start(scene, tools, number, {"mode": "on"}, event="issue_comment", action="created")
    assert (first.returncode, last.returncode) == (0, 0), first.stderr + last.stderr
    assert ([reactions(one) for one in said], len(scene.ours(number))) == ([["+1"], ["+1"], []], 1)
    assert "pwned" not in first.stdout + first.stderr + last.stdout + last.stderr
    assert list(scene.folder.rglob("pwned")) == []


@pytest.mark.e2e
def test_shadow_is_the_default_and_shows_itself_on_the_jobs_page(scene: Scene, tools: Path):
    number = scene.open()
    done = start(scene, tools, number, {})
    shown = (scene.folder / "summary.md").read_text("utf-8")
    assert (done.returncode, scene.writes()) == (0, 0), done.stderr
    assert [word for word in (f"#{number}", "shadow_answered", "It would say:", "embedding") if word not in shown] == []


@pytest.mark.e2e
def test_an_api_that_is_down_fails_the_step_with_a_clear_line(clock: FakeClock, tmp_path: Path, tools: Path):
    with FakeGitHub(clock.now) as github:
        scene = Scene(github, clock, tmp_path)
        number = scene.open()
        github.fault("403", verb="GET", path="/issues/", times=-1)
        refused = start(scene, tools, number, {"mode": "on", "since": "2020-01-01"})
    down = start(scene, tools, number, {"mode": "on", "since": "2020-01-01"})
    assert (refused.returncode, down.returncode) == (1, 1)
    assert "Remedy: give the job `permissions: {issues: write, contents: read}`" in refused.stderr
    assert "GitHub could not be used" in down.stderr
    assert "Traceback" not in refused.stderr + down.stderr
    assert (tmp_path / "summary.md").read_text("utf-8").count("This run failed") == 2


def workflow() -> dict:
    return load(EXAMPLE)


def test_the_example_has_the_permissions_and_no_more():
    [job] = workflow()["jobs"].values()
    assert (workflow()["permissions"], job["permissions"]) == ({}, {"issues": "write", "contents": "read"})


def test_the_example_never_cancels_a_run_and_groups_by_issue():
    [job] = workflow()["jobs"].values()
    assert job["concurrency"] == {
        "group": "burn-triage-${{ github.event.issue.number }}",
        "cancel-in-progress": False,
    }


def test_the_example_runs_on_events_that_the_action_takes():
    from bot.delivery import HANDLED

    events = workflow()[True]
    assert set(events) == {"issues", "issue_comment"}
    assert [(name, kind) for name, spec in events.items() for kind in spec["types"] if kind not in HANDLED[name]] == []


def test_the_example_gives_inputs_that_exist():
    [job] = workflow()["jobs"].values()
    [step] = job["steps"]
    assert step["with"].keys() - load(ACTION / "action.yml")["inputs"].keys() == set()
    assert step["with"]["mode"] == "shadow"


@pytest.mark.parametrize("path", sorted(ACTION.glob("*.yml")), ids=lambda path: path.name)
def test_no_expression_stands_in_a_script(path: Path):
    """What an expression gives is put into the script's text before the shell reads it."""
    text = path.read_text("utf-8")
    scripts = re.findall(r"^\s+(?:- )?run:.*$", text, re.MULTILINE)
    assert [line for line in scripts if "${{" in line] == []
    untrusted = re.findall(r"\$\{\{[^}]*github\.event\.(?!issue\.number)[^}]*\}\}", text)
    assert untrusted == []


def test_the_action_file_is_a_composite_whose_steps_name_their_shell():
    action = load(ACTION / "action.yml")
    assert action["runs"]["using"] == "composite"
    assert [step for step in action["runs"]["steps"] if step.get("shell") != "sh"] == []
    assert [name for name, spec in action["inputs"].items() if not spec.get("description")] == []


def test_the_packages_come_by_their_hashes():
    script = (ACTION / "prepare").read_text("utf-8")
    assert "--require-hashes" in script
    assert "requirements.lock" in script


def test_every_input_reaches_the_program_by_the_environment():
    action = load(ACTION / "action.yml")
    given = action["runs"]["steps"][-1]["env"]
    wanted = {f"INPUT_{name.upper().replace('-', '_')}": f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    assert given == wanted
