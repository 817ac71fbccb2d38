"""What `pip install .` gives, away from the checkout: a command that works, with everything it reads inside."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PANIC = """\
thread 'main' (7) panicked at /home/me/.cargo/registry/src/index-1949cf8c6b5b557f/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId { value: 51 }
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

CONTENTS = {
    "entries": "kb/entries/*/KB-*.yaml",
    "the family of repositories": "kb/repos.yaml",
    "sites": "kb/sites/burn/*.jsonl*",
    "the App's manifest": "bot/app-manifest.json",
    "the set-up pages": "bot/setup/*.html",
    "the report on paper": "bot/paper/report.*",
    "the checks of doctor": "bot/doctor/checks/*.py",
    "migrations": "bot/store/migrations/versions/*.py",
}


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel in it."""

    folder: Path

    @property
    def packages(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [self.folder / "bin/burn-triage", *arguments]
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return subprocess.run(
            command, cwd=self.folder, env=env, input=given, capture_output=True, text=True, timeout=60
        )


def tracked() -> list[Path]:
    """The checkout as git sees it: nothing that is ignored, so nothing that only this machine has."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [Path(name) for name in names if name and (ROOT / name).is_file()]


def clean_copy(target: Path) -> Path:
    """What a clean clone would hold, without the tests."""
    for path in tracked():
        if path.parts[0] != "tests":
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, target / path)
    return target


def pip(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", *arguments], check=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of a clean copy, in an environment that finds its dependencies in ours (no network)."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = clean_copy(folder / "copy")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, copy)
    shutil.rmtree(copy)
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    new = Installed(folder / "venv")
    python = new.folder / "bin/python"
    pip("--python", python, "install", "--no-deps", "--no-index", next(folder.glob("burn_triage-*.whl")))
    # A line of a .pth file adds a folder to the path without reading the .pth files in it, so not our editable install.
    (new.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return new


@pytest.mark.parametrize("what", CONTENTS)
def test_the_wheel_holds(installed: Installed, what: str):
    assert list(installed.packages.glob(CONTENTS[what]))


def test_the_wheel_holds_every_file_of_the_packages(installed: Installed):
    """Templates, static files, whatever is added later: nothing has to be listed anywhere."""
    ours = {path for path in tracked() if path.parts[0] in ("bot", "kb")}
    assert {path for path in ours if not (installed.packages / path).is_file()} == set()


def test_the_wheel_holds_a_compiled_catalogue(installed: Installed):
    assert list(installed.packages.glob("kb/catalog*"))


def test_the_wheel_holds_no_tests_and_no_tools(installed: Installed):
    assert {path.name for path in installed.packages.iterdir()} - {"bot", "kb", "dependencies.pth"} == {
        next(installed.packages.glob("burn_triage-*.dist-info")).name
    }


def test_explain_answers_from_the_packaged_knowledge_base(installed: Installed):
    done = installed.run("explain", "-", given=PANIC)
    assert done.returncode == 0, done.stderr
    assert str(installed.packages / "kb") in (done.stdout + done.stderr).splitlines()[0]
    assert "HandleContainer::get_handle" in done.stdout


def test_every_help_is_there(installed: Installed):
    assert installed.run("--help").returncode == 0


def test_nothing_was_written_into_the_package(installed: Installed):
    """`explain` and the rest read the packaged copy only: it may lie in a folder that nobody may write."""
    before = {path: path.stat().st_mtime_ns for path in (installed.packages / "kb").rglob("*") if path.suffix != ".pyc"}
    installed.run("explain", "-", given=PANIC)
    after = {path: path.stat().st_mtime_ns for path in (installed.packages / "kb").rglob("*") if path.suffix != ".pyc"}
    assert {path for path in after.items() if path not in before.items() and path[0].is_file()} == set()
