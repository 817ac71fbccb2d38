"""Small git repositories that tests write themselves: commits with fixed dates, tags, branches."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path


class SmallClone:
    """A git repository in `folder`, on branch main. Each commit is a day after the one before, from 2024-01-01 on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._day = 0
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def commit(self, files: Mapping[str, str | None], *tags: str) -> str:
        """Write the files (None removes one), commit, tag; the commit's full sha."""
        for path, text in files.items():
            file = self.folder / path
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self._day += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", f"day {self._day}")
        for tag in tags:
            self.git("tag", tag)
        return self.git("rev-parse", "HEAD")

    def move(self, old: str, new: str) -> None:
        """Move a file or folder in the work tree."""
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.folder / old, self.folder / new)

    def git(self, *args: str) -> str:
        """Run git with nothing of this machine's settings; its output."""
        date = f"2024-01-{self._day + 1:02}T12:00:00Z"
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }
        done = subprocess.run(["git", *args], cwd=self.folder, env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()
