"""`burn-triage` as docs/operators.md installs it beside the units: their user, settings, folder, no shell in them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.test_deployment import ROOT, UNITS, option

SCRIPT = ROOT / "deploy/systemd/burn-triage"
SETTINGS = """\
# BURN_TRIAGE_MODE=off
; a comment of systemd's too
BURN_TRIAGE_DATABASE_URL=postgresql://u:p@db/x?a=1&b=$(touch pwned)
BURN_TRIAGE_REPORT_URL="https://example.org/a b"
BURN_TRIAGE_BOT_LOGIN='x[bot]'

not a setting
BURN_TRIAGE_MODE=shadow"""
SHOW = """#!/bin/sh
printf '%s\\n' "$PWD" "$@"
env | grep -E '^(BURN_TRIAGE_|HOME=|XDG_)' | sort
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A root of its own: the script with its paths below it, and what it goes over by."""
    (tmp_path / "etc/burn-triage").mkdir(parents=True)
    (tmp_path / "etc/burn-triage/environment").write_text(SETTINGS, "utf-8")
    (tmp_path / "var/lib/burn-triage").mkdir(parents=True)
    text = SCRIPT.read_text("utf-8")
    for name in ("/etc/burn-triage", "/var/lib/burn-triage"):
        text = text.replace(f"={name}", f"={tmp_path}{name}")
    for name, content in {"burn-triage": text, "runuser": SHOW, "id": "#!/bin/sh\necho ${FAKE_UID:-0}\n"}.items():
        (tmp_path / name).write_text(content, "utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(place: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": f"{place}:/usr/bin:/bin", **more}
    return subprocess.run([place / "burn-triage", *words], cwd=place, env=environ, capture_output=True, text=True)


def test_it_goes_over_to_the_services_user_with_its_settings_in_its_folder(place: Path):
    done = run(place, "backup", "a b.db")
    here, *told = done.stdout.splitlines()
    words, environ = told[:6], told[6:]
    assert (done.returncode, here) == (0, f"{place}/var/lib/burn-triage"), done.stderr
    assert words == ["-u", "burn-triage", "--", "/opt/burn-triage/bin/burn-triage", "backup", "a b.db"]
    assert environ == [
        "BURN_TRIAGE_BOT_LOGIN=x[bot]",
        "BURN_TRIAGE_DATABASE_URL=postgresql://u:p@db/x?a=1&b=$(touch pwned)",
        "BURN_TRIAGE_MODE=shadow",
        "BURN_TRIAGE_REPORT_URL=https://example.org/a b",
        f"HOME={place}/var/lib/burn-triage",
        "XDG_CACHE_HOME=/var/cache",
        "XDG_STATE_HOME=/var/lib",
    ]
    assert list(place.rglob("pwned")) == []


def test_without_a_file_of_settings_it_runs_as_the_unit_does(place: Path):
    (place / "etc/burn-triage/environment").unlink()
    assert "BURN_TRIAGE_" not in run(place, "doctor").stdout


def test_who_is_not_root_is_told(place: Path):
    done = run(place, "doctor", FAKE_UID="1000")
    assert (done.returncode, done.stdout, "run this as root" in done.stderr) == (2, "", True)


def test_it_agrees_with_the_units():
    text = SCRIPT.read_text("utf-8")
    for unit in UNITS:
        program, user = option(unit, "ExecStart").split()[0], option(unit, "User")
        assert f"runuser -u {user} -- {program} " in text
        assert option(unit, "EnvironmentFile").removeprefix("-") in text
        assert option(unit, "Environment") in text
    assert os.access(SCRIPT, os.X_OK)
