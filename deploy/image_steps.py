"""Carries out the steps of the Dockerfile in a clean root, where no Docker daemon runs, and starts what comes out.

    sudo python3 deploy/image_steps.py [--keep FOLDER]

The root has nothing of this machine but its system folders, read-only, in place of the base image, and copies of what
the Dockerfile copies past .dockerignore. At the end the program runs as the image's user with everything read-only but
its volume and /tmp: `burn-triage --version`, an explanation, and a start of `serve` that its own health check sees.
Needs root, chroot, mount and unshare; the packages come from the machine's own pip settings.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSTEM = ("usr", "bin", "lib", "lib32", "lib64", "sbin", "etc")
PANIC = (
    "thread 'main' panicked at /x/burn-autodiff-0.21.0/src/ops/module.rs:56:9:\nCan't differentiate embedding backward."
)


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Word and rest of each instruction of a Dockerfile, continued lines joined, comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word.upper(), rest.strip()


def is_left_out(path: str, patterns: list[str]) -> bool:
    """Whether .dockerignore keeps this path from the build; the last pattern that fits decides (docs.docker.com)."""
    out = False
    for pattern in patterns:
        name = pattern.removeprefix("!")
        parts = Path(path).parts
        heads = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        any_depth = name.removeprefix("**/") if name.startswith("**/") else None
        if any(fnmatch.fnmatch(head, name) for head in heads) or (any_depth and any_depth in parts):
            out = not pattern.startswith("!")
    return out


@dataclass
class Stage:
    """One stage of the build in a folder."""

    root: Path
    environ: dict[str, str] = field(default_factory=lambda: {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"})
    workdir: str = "/"
    user: str = "0:0"
    last: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Folders to mount on, and a place for what is written."""
        for name in (*SYSTEM, "dev", "proc"):
            if (Path("/") / name).exists():
                (self.root / name).mkdir(parents=True, exist_ok=True)
        for name in ("tmp", "opt", "src", "data", "root"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        (self.root / "tmp").chmod(0o1777)

    def run(self, command: list[str], *, user: str = "0:0", frozen: bool = False, **options: object):
        """A command inside, in mounts of its own."""
        mounts = [f"mount --rbind -o ro /{n} {self.root}/{n}" for n in SYSTEM if Path(f"/{n}").exists()]
        # What the base image's user list gets belongs to this root.
        mounts += [f"mount --rbind /{name} {self.root}/{name}" for name in ("dev", "proc")]
        if frozen:
            kept = f"mount --bind {self.root}/data {self.root}/data && mount --bind {self.root}/tmp {self.root}/tmp"
            mounts.append(f"mount --bind {self.root} {self.root} && {kept} && mount -o remount,ro,bind {self.root}")
        inner = f"cd {shlex.quote(self.workdir)} && exec {shlex.join(command)}"
        # Bound last, so that the root's own mounts lie below it.
        order = [mounts.pop(), *mounts] if frozen else mounts
        enter = f"exec {shutil.which('chroot')} --userspec={user} {self.root} /bin/sh -c {shlex.quote(inner)}"
        script = " && ".join([*order, enter])
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        return subprocess.Popen(["unshare", "--mount", "sh", "-ec", script], env=pip | self.environ, **options)


def build(dockerfile: str, work: Path) -> Stage:
    """All stages; the last one."""
    stages: dict[str, Stage] = {}
    stage = Stage(work / "none")
    patterns = [line for line in (ROOT / ".dockerignore").read_text("utf-8").split("\n") if line and line[0] != "#"]
    for word, rest in instructions(dockerfile):
        print(f"{word} {rest}", flush=True)
        if word == "FROM":
            name = rest.split()[-1] if " AS " in rest else "final"
            stage = stages[name] = Stage(work / name)
            stage.prepare()
        elif word == "ENV":
            for pair in shlex.split(rest):
                key, _, value = pair.partition("=")
                stage.environ[key] = value
        elif word == "WORKDIR":
            stage.workdir = rest
            (stage.root / rest.strip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            stage.user = rest
        elif word == "COPY":
            copy(rest, stage, stages, patterns)
        elif word == "RUN":
            step(stage, rest)
        else:
            stage.last[word] = rest
    return stage


def step(stage: Stage, command: str) -> None:
    """A RUN. The system folders are the machine's own and stay as they are: no user is added to them."""
    if command.startswith("useradd"):
        return
    status = stage.run(["/bin/sh", "-c", command]).wait()
    if status:
        sys.exit(f"deploy/image_steps.py: this step failed with status {status}: {command}")


def copy(rest: str, stage: Stage, stages: dict[str, Stage], patterns: list[str]) -> None:
    """A COPY, from the checkout or from another stage."""
    words = shlex.split(rest)
    origin = stages[words.pop(0).removeprefix("--from=")].root if words[0].startswith("--from=") else ROOT
    *sources, target = words
    place = stage.root / (target.lstrip("/") if target.startswith("/") else f"{stage.workdir}/{target}".lstrip("/"))
    for source in sources:
        found = origin / source.lstrip("/")
        into = place / found.name if target.endswith("/") and found.is_file() else place
        into.parent.mkdir(parents=True, exist_ok=True)
        if found.is_file():
            shutil.copy2(found, into)
        else:

            def left_out(folder: str, names: list[str], origin: Path = origin) -> set[str]:
                if origin is not ROOT:
                    return set()
                return {n for n in names if is_left_out((Path(folder) / n).relative_to(ROOT).as_posix(), patterns)}

            shutil.copytree(found, into, symlinks=True, ignore=left_out, dirs_exist_ok=True)


def prove(stage: Stage) -> None:
    """What the image would do: as its user, everything read-only but /data and /tmp."""
    entry = json.loads(stage.last["ENTRYPOINT"])
    health = json.loads(stage.last["HEALTHCHECK"].split("CMD", 1)[1])

    def inside(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        process = stage.run(
            command, user=stage.user, frozen=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        out, _ = process.communicate(text)
        return subprocess.CompletedProcess(command, process.returncode, out, "")

    shown = [inside([*entry, "--version"]), inside([*entry, "explain"], PANIC)]
    written = inside(["sh", "-c", "touch /opt/burn-triage/x 2>/dev/null || echo read-only; id -u"]).stdout.split()
    stage.environ |= {"BURN_TRIAGE_WEBHOOK_SECRET": "x", "BURN_TRIAGE_LISTEN": "0.0.0.0:18000"}
    server = stage.run([*entry, "serve"], user=stage.user, frozen=True)
    said = ""
    for _ in range(50):
        said = inside(health).stdout.strip()
        if "no answer" not in said:
            break
    server.terminate()
    status = server.wait(30)
    print(
        "".join(run.stdout[:200] for run in shown), written, f"health check: {said}", f"stopped with {status}", sep="\n"
    )
    good = [run.returncode == 0 for run in shown] + [written == ["read-only", stage.user.split(":")[0]]]
    if not all([*good, said == "not ready: no worker is alive", status == 0]):
        sys.exit("deploy/image_steps.py: the program does not run as it should in the image")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the roots there")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("deploy/image_steps.py: needs root, for mounts of its own")
    work = options.keep or Path(tempfile.mkdtemp(prefix="burn-triage-image-"))
    try:
        prove(build((ROOT / "Dockerfile").read_text("utf-8"), work))
        print("every step of the Dockerfile was carried out, and the program runs read-only as an ordinary user")
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
