"""`deploy/test` and its environment, run in a small world: stand-ins for Python, apt and id, everything else real."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
SCRIPTS = ("deploy/test", "deploy/demo", "deploy/environment.sh", ".ci/run", "deploy/systemd/burn-triage")
TOOLS = (
    "sh",
    "cat",
    "sha256sum",
    "cut",
    "mkdir",
    "flock",
    "find",
    "rm",
    "touch",
    "cmp",
    "cp",
    "date",
    "env",
    "sed",
    "ln",
    "dirname",
)

PYTHON = """#!/bin/sh
# Answers what the scripts ask of a Python, and logs the rest.
case "$*" in
*version_info\\ \\<*) exit ${STUB_TOO_OLD:-0} ;;
*'import ensurepip, venv'*) [ -e "$WORLD/has_venv" ] ;;
*-venv*) echo python3.11-venv ;;
-VV) echo "Python 3.11.2" ;;
'-m playwright --version') [ -e "$WORLD/has_libatomic" ] ;;
'-m venv '*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && ln -s "$WORLD/bin/lint-imports" "$3/bin/lint-imports" ;;
*) echo "$*" >>"$WORLD/log"; case "$*" in *"${STUB_FAILS:-no such command}"*) exit 1 ;; esac ;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >>"$WORLD/log"
case "$*" in
*install*venv*) touch "$WORLD/has_venv" ;;
*install*chromium*libatomic1*) cp "$WORLD/bin/id" "$WORLD/bin/chromium"; touch "$WORLD/has_libatomic" ;;
esac
"""
LOG_ONLY = '#!/bin/sh\necho "${0##*/} $*" >>"$WORLD/log"\n'
USER = '#!/bin/sh\necho "${STUB_UID:-1000}"\n'


@dataclass(frozen=True)
class World:
    """A checkout with nothing in it but the scripts, and a PATH with nothing on it but `bin`."""

    folder: Path

    @property
    def checkout(self) -> Path:
        return self.folder / "a checkout"

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.folder / "bin"), "WORLD": str(self.folder), "HOME": str(self.folder), **variables}
        return subprocess.run(
            ["sh", *command], cwd=self.checkout, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    def log(self) -> list[str]:
        """What was run, without the environment's own path; forgotten once read."""
        log = self.folder / "log"
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def put(self, name: str, text: str) -> None:
        (self.folder / "bin" / name).write_text(text, "utf-8")
        (self.folder / "bin" / name).chmod(0o755)


@pytest.fixture
def world(tmp_path: Path) -> World:
    new = World(tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or pytest.fail(f"no {tool} on this machine"))
    for name, text in (
        ("python3", PYTHON),
        ("id", USER),
        ("git", LOG_ONLY),
        ("lint-imports", LOG_ONLY),
        ("shellcheck", USER),
        ("chromium", USER),
        ("curl", USER),
    ):
        new.put(name, text)
    for script in SCRIPTS:
        target = new.checkout / script
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / script, target)
    (new.checkout / "requirements-dev.lock").write_text("pins\n", "utf-8")
    (new.checkout / "pyproject.toml").write_text("[project]\n", "utf-8")
    (tmp_path / "has_venv").touch()
    (tmp_path / "has_libatomic").touch()
    return new


CHECKS = [
    "-m ruff check --quiet .",
    "-m ruff format --quiet --check .",
    "-m mypy --no-error-summary",
    "lint-imports --no-logo",
    "-m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 10 --durations-min 5",
]


def test_everything_is_installed_by_hash_and_run_in_order(world: World):
    done = world.run("deploy/test")
    assert done.returncode == 0, done.stderr
    assert world.log() == [
        f"-m pip install -qq --no-input --require-hashes -r {world.checkout}/requirements-dev.lock",
        f"-m pip install -qq --no-input --no-deps --no-build-isolation --editable {world.checkout}",
        *CHECKS,
    ]


def test_a_second_run_installs_nothing(world: World):
    world.run("deploy/test")
    world.log()
    assert world.run("deploy/test").returncode == 0
    assert world.log() == CHECKS


def test_a_changed_lock_replaces_the_environment(world: World):
    world.run("deploy/test")
    (world.checkout / "requirements-dev.lock").write_text("other pins\n", "utf-8")
    world.log()
    world.run("deploy/test")
    assert "--require-hashes" in world.log()[0]
    assert len([path for path in (world.checkout / ".venv-dev").iterdir() if path.is_dir()]) == 1


def test_a_half_made_environment_is_made_anew(world: World):
    assert world.run("deploy/test", STUB_FAILS="--require-hashes").returncode == 1
    world.log()
    assert world.run("deploy/test").returncode == 0
    assert "--require-hashes" in world.log()[0]


def test_a_changed_project_table_installs_the_project_again(world: World):
    world.run("deploy/test")
    (world.checkout / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    world.log()
    world.run("deploy/test")
    assert "--editable" in world.log()[0]


def test_somebody_elses_environment_is_left_alone(world: World):
    (world.checkout / ".venv").mkdir()
    (world.checkout / ".venv/mine").touch()
    world.run("deploy/test", VIRTUAL_ENV=str(world.checkout / ".venv"))
    assert sorted(path.name for path in (world.checkout / ".venv").iterdir()) == ["mine"]


def test_arguments_go_to_pytest_alone(world: World):
    world.run("deploy/test")
    world.log()
    world.run("deploy/test", "tests/kb", "-k", "two words")
    assert world.log() == [
        "-m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 10 --durations-min 5 tests/kb -k two words"
    ]


@pytest.mark.parametrize(
    ("fails", "name"), [("ruff check", "ruff"), ("ruff format", "format"), ("-m pytest", "pytest")]
)
def test_a_failing_check_fails_the_run_and_the_others_still_run(world: World, fails: str, name: str):
    done = world.run("deploy/test", STUB_FAILS=fails)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"deploy/test: failed: {name}"
    assert world.log()[2:] == CHECKS


def test_without_venv_and_root_one_line_names_the_package(world: World):
    (world.folder / "has_venv").unlink()
    done = world.run("deploy/test")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "deploy/test: python3 lacks the venv module: install the package python3.11-venv"
    ]


def test_as_root_the_package_is_installed_once_the_lists_are_fresh(world: World):
    (world.folder / "has_venv").unlink()
    world.put("apt-get", APT)
    assert world.run("deploy/test", STUB_UID="0").returncode == 0
    assert [line.split()[1] for line in world.log() if line.startswith("apt-get")] == ["update", "install"]


def test_an_old_python_is_refused(world: World):
    done = world.run("deploy/test", STUB_TOO_OLD="1")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "deploy/test: needs Python 3.11 or newer: install the package python3, or name one in PYTHON"
    ]


@pytest.fixture(params=["bin/chromium", "has_libatomic"])
def without_pages(world: World, request: pytest.FixtureRequest) -> World:
    """A machine that lacks the browser, or the library of its driver."""
    (world.folder / request.param).unlink()
    return world


def test_without_a_browser_and_root_one_line_says_what_is_skipped(without_pages: World):
    done = without_pages.run("deploy/test")
    assert done.returncode == 0
    assert len([line for line in done.stderr.splitlines() if "page tests" in line]) == 1
    assert without_pages.log()[-1] == f"{CHECKS[-1]} -m not page"


@pytest.mark.parametrize("value", ["1", "true"])
def test_in_ci_a_missing_browser_is_a_failure(without_pages: World, value: str):
    done = without_pages.run("deploy/test", CI=value)
    assert done.returncode == 1
    assert "chromium" in done.stderr.splitlines()[-1]


def test_as_root_the_browser_is_installed(without_pages: World):
    without_pages.put("apt-get", APT)
    assert without_pages.run("deploy/test", STUB_UID="0", CI="1").returncode == 0
    assert without_pages.log()[-1] == CHECKS[-1]


def test_ci_runs_the_same_script(world: World):
    assert world.run(".ci/run", CI="true").returncode == 0
    assert world.log()[-len(CHECKS) :] == CHECKS


def test_help_tells_what_the_script_does_and_starts_nothing(world: World):
    done = world.run("deploy/test", "--help")
    assert done.returncode == 0
    assert "deploy/test ARGUMENT" in done.stdout
    assert not (world.checkout / ".venv-dev").exists()


@pytest.mark.parametrize("script", SCRIPTS)
def test_each_script_is_executable_and_clean(script: str):
    assert script.endswith(".sh") or os.access(ROOT / script, os.X_OK)
    if shutil.which("shellcheck") is None:
        pytest.skip("no shellcheck on this machine: as root, deploy/test installs it")
    done = subprocess.run(["shellcheck", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == ""


@pytest.mark.parametrize("workflow", sorted((ROOT / ".github/workflows").glob("*.y*ml")), ids=lambda path: path.name)
def test_each_workflow_pins_what_it_uses_and_starts_without_rights(workflow: Path):
    text = workflow.read_text("utf-8")
    used = [line.split("uses:")[1].strip() for line in text.splitlines() if "uses:" in line]
    assert [name for name in used if not name.startswith("./") and not re.search(r"@[0-9a-f]{40}( |$)", name)] == []
    assert "\npermissions: {}\n" in text


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", ("build",)), ("requirements-dev.lock", ("build", "test"))]
)
def test_each_lock_holds_what_the_project_asks_for(lock: str, extras: tuple[str, ...]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    pinned = dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
    requirements = [Requirement(line) for line in asked]
    assert [
        str(each) for each in requirements if not each.specifier.contains(pinned.get(canonicalize_name(each.name), "0"))
    ] == []
