"""The part of GitHub's runner that a composite action needs: its steps, one after the other, each in its shell."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
SHELLS = {"sh": ["sh", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}
"""As GitHub starts them (docs: Workflow syntax, `steps[*].shell`)."""


def load(path: Path) -> dict[Any, Any]:
    """YAML as it stands; a bare `on` is the key True."""
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return found


def evaluated(text: str, known: Mapping[str, str]) -> str:
    """Text with its `${{ name }}` put in. KeyError for an expression that is more than a known name."""
    return _EXPRESSION.sub(lambda match: known[match[1]], text)


def run_action(
    folder: Path, given: Mapping[str, str], environ: Mapping[str, str], *, token: str, cwd: Path
) -> subprocess.CompletedProcess[str]:
    """Carry out a composite action's steps; the first that fails ends it. Returns the last one's result."""
    action = load(folder / "action.yml")
    unknown = given.keys() - action["inputs"].keys()
    assert not unknown, f"no such input: {unknown}"
    inputs = {name: str(given.get(name, spec.get("default", ""))) for name, spec in action["inputs"].items()}
    known = {f"inputs.{name}": evaluated(value, {"github.token": token}) for name, value in inputs.items()}
    done: subprocess.CompletedProcess[str] | None = None
    for step in action["runs"]["steps"]:
        own = {name: evaluated(str(value), known) for name, value in step.get("env", {}).items()}
        script = cwd / "step.sh"
        script.write_text(evaluated(step["run"], {}), "utf-8")
        done = subprocess.run(
            [*SHELLS[step["shell"]], str(script)],
            cwd=cwd,
            env={**environ, "GITHUB_ACTION_PATH": str(folder), **own},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            return done
    assert done is not None
    return done
