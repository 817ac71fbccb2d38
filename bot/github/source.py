"""Files and commits that the index does not hold: from a local clone where there is one, else from the API."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from bot.errors import PermanentError
from bot.ports import CommitFact, SourceReader

if TYPE_CHECKING:  # local clones are read without loading the HTTP client
    from bot.github.client import Clients

_ABSENT = frozenset({"not_found", "gone", "invalid", "refused", "moved"})
_SHA = re.compile(r"[0-9a-f]{7,40}")
_GIT_SECONDS = 20.0


class ApiSource:
    """Implements `bot.ports.SourceReader` over REST. Any installation's token reads a public repository."""

    def __init__(self, clients: Clients, installation_id: int | None) -> None:
        self._clients = clients
        self._installation_id = installation_id

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The file at that tag or sha; None where it is not to be had."""
        session = self._clients.installation(self._installation_id)
        try:
            found = session.get(f"/repos/{repo}/contents/{quote(path.strip('/'))}", ref=ref)
            if not isinstance(found, dict) or found.get("type") != "file":
                return None
            if found.get("encoding") != "base64":
                # Over 1 MB the contents endpoint sends no content; the blob endpoint does, up to 100 MB.
                found = session.get(f"/repos/{repo}/git/blobs/{found['sha']}")
        except PermanentError as error:
            if error.reason in _ABSENT:
                return None
            raise
        return base64.b64decode(found["content"])

    def find_commit(self, repo: str, sha: str) -> CommitFact | None:
        """The commit with this full or abbreviated sha; None where it is not to be had."""
        if not _SHA.fullmatch(sha):
            return None
        try:
            found = self._clients.installation(self._installation_id).get(f"/repos/{repo}/commits/{sha}")
        except PermanentError as error:
            if error.reason in _ABSENT:
                return None
            raise
        # The endpoint takes branches and tags too: only an answer that starts with what we asked for is our commit.
        full = str(found["sha"])
        return CommitFact(repo, full, _utc(str(found["commit"]["committer"]["date"]))) if full.startswith(sha) else None

    def file_history(self, repo: str, path: str, until: str, limit: int = 8) -> tuple[str, ...]:
        """Shas of the default branch's commits that touched the file, newest first; () where they are not to be had."""
        session = self._clients.installation(self._installation_id)
        try:
            found = session.get(f"/repos/{repo}/commits", path=path.strip("/"), until=until, per_page=limit)
        except PermanentError as error:
            if error.reason in _ABSENT:
                return ()
            raise
        return tuple(str(commit["sha"]) for commit in found)[:limit]


class CloneSource:
    """Implements `bot.ports.SourceReader` over local clones, bare or not, that lie in one folder.

    `folder/owner/name`, `folder/owner+name` or `folder/name`, each also with `.git` added, or with the repository in a
    `repo` or `.git` folder below. Nothing is fetched, nothing is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The file at that tag or sha; None where clone, revision or file is missing."""
        if ref.startswith("-"):
            return None
        return self._git(repo, "cat-file", "blob", f"{ref}:{path.strip('/')}")

    def find_commit(self, repo: str, sha: str) -> CommitFact | None:
        """The commit with this full or abbreviated sha; None where it is missing or the prefix names several."""
        if not _SHA.fullmatch(sha):
            return None
        full = self._git(repo, "rev-parse", "--verify", "--quiet", f"{sha}^{{commit}}")
        if full is None or not full.decode().startswith(sha):
            return None
        date = self._git(
            repo, "show", "-s", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", full.decode().strip()
        )
        return CommitFact(repo, full.decode().strip(), date.decode().strip()) if date else None

    def file_history(self, repo: str, path: str, until: str, limit: int = 8) -> tuple[str, ...]:
        """Shas of the commits below the clone's HEAD that touched the file, newest first."""
        listed = self._git(repo, "log", "--format=%H", f"-{limit}", f"--until={until}", "HEAD", "--", path.strip("/"))
        return tuple(listed.decode().split()) if listed else ()

    def _git(self, repo: str, *arguments: str) -> bytes | None:
        place = self._place(repo)
        if place is None:
            return None
        command = [shutil.which("git") or "git", f"--git-dir={place}", *arguments]
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "TZ": "UTC",
            "GIT_OPTIONAL_LOCKS": "0",
            "HOME": "/nonexistent",
        }
        try:
            done = subprocess.run(command, capture_output=True, timeout=_GIT_SECONDS, env=environment, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    def _place(self, repo: str) -> Path | None:
        owner, _, name = repo.partition("/")
        if not re.fullmatch(r"[\w.-]+", owner) or not re.fullmatch(r"[\w.-]+", name) or name in {".", ".."}:
            return None
        stems = (self._folder / owner / name, self._folder / f"{owner}+{name}", self._folder / name)
        for stem in stems:
            for place in (stem, stem / ".git", stem / "repo", stem.with_name(f"{stem.name}.git")):
                if (place / "HEAD").is_file() and (place / "objects").is_dir():
                    return place
        return None


class FirstSource:
    """Implements `bot.ports.SourceReader`: asks one source after the other."""

    def __init__(self, *sources: SourceReader) -> None:
        self._sources = sources

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The first answer that is one."""
        return next((blob for source in self._sources if (blob := source.read_blob(repo, path, ref)) is not None), None)

    def find_commit(self, repo: str, sha: str) -> CommitFact | None:
        """The first answer that is one."""
        return next((found for source in self._sources if (found := source.find_commit(repo, sha))), None)

    def file_history(self, repo: str, path: str, until: str, limit: int = 8) -> tuple[str, ...]:
        """The first answer that is one."""
        asked = (source.file_history(repo, path, until, limit) for source in self._sources)
        return next((found for found in asked if found), ())


def _utc(date: str) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
