"""Reads a git clone, bare or not: revisions, trees, blobs, the list of commits. Never writes to it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kb.errors import KnowledgeBaseError

WANTED_NAMES = frozenset({"Cargo.toml", "Cargo.lock"})


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One file of a tree; `path` is from the repository's root, with forward slashes."""

    path: str
    sha: str


@dataclass(frozen=True, slots=True)
class LoggedCommit:
    """One commit; `date` is the committer's, ISO 8601 in UTC, to the second."""

    sha: str
    date: str


class Checkout:
    """One clone. Every method runs git and raises KnowledgeBaseError with the folder and git's own words."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tags(self) -> Mapping[str, LoggedCommit]:
        """All tags with the commits they name, annotated or not."""
        form = "%(refname:lstrip=2)%00%(objectname) %(committerdate:unix)%00%(*objectname) %(*committerdate:unix)"
        found = {}
        for line in self._lines("for-each-ref", f"--format={form}", "refs/tags"):
            name, *commits = line.split("\0")
            of_commits = [words for words in commits if len(words.split()) == 2]
            if of_commits:
                found[name] = _logged(of_commits[-1])
        return found

    def commit(self, revision: str) -> LoggedCommit | None:
        """The commit that a branch, tag or (abbreviated) sha names; None where the clone has none."""
        out = self._try("log", "-1", "--format=%H %ct", f"{revision}^{{commit}}", "--")
        return _logged(out.strip()) if out else None

    def branch(self, name: str) -> LoggedCommit | None:
        """The newest commit of a branch, as the clone's own branch or as its remote's."""
        for ref in (f"refs/heads/{name}", f"refs/remotes/origin/{name}"):
            found = self.commit(ref)
            if found is not None:
                return found
        return None

    def tree(self, commit: str) -> Sequence[TreeFile]:
        """The Rust files and Cargo manifests of a commit, by path."""
        out = self._run("ls-tree", "-r", "-z", "--full-tree", commit)
        return [file for entry in out.split(b"\0") if (file := _tree_file(entry)) is not None]

    def blobs(self, shas: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The contents of blobs, in the order asked for. Raises KnowledgeBaseError for one that is missing."""
        wanted = list(shas)
        if not wanted:
            return
        out = self._run("cat-file", "--batch", stdin="\n".join(wanted).encode() + b"\n")
        at = 0
        for sha in wanted:
            end = out.index(b"\n", at)
            header = out[at:end].split()
            if len(header) != 3:
                raise KnowledgeBaseError(f"{self.folder}: blob {sha} is missing; fetch the clone in full")
            size = int(header[2])
            yield sha, out[end + 1 : end + 1 + size]
            at = end + 2 + size

    def history(self, revisions: Sequence[str]) -> Mapping[str, tuple[LoggedCommit, Sequence[str]]]:
        """Every commit reachable from `revisions`, with its parents, by sha."""
        lines = self._run("log", "--format=%H %ct %P", "--stdin", stdin="\n".join(revisions).encode() + b"\n")
        found = {}
        for line in lines.decode().splitlines():
            sha, seconds, *parents = line.split()
            found[sha] = (_logged(f"{sha} {seconds}"), parents)
        return found

    def file_changes(self, revisions: Sequence[str]) -> Iterator[bytes]:
        """Lines of `git log --raw`: what each commit reachable from `revisions` changed against its first parent."""
        shown = ("--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames", "--format=commit %H", "--stdin")
        command = ("-c", "core.quotePath=false", "log", *shown, "--", "*.rs")
        yield from self._run(*command, stdin="\n".join(revisions).encode() + b"\n").splitlines()

    def _lines(self, *args: str) -> list[str]:
        return self._run(*args).decode().splitlines()

    def _run(self, *args: str, stdin: bytes | None = None) -> bytes:
        done = self._git(args, stdin)
        if done.returncode:
            words = done.stderr.decode(errors="replace").strip() or f"git {args[0]} failed"
            raise KnowledgeBaseError(f"{self.folder}: {words}; give a whole git clone with its tags")
        return done.stdout

    def _try(self, *args: str) -> str | None:
        done = self._git(args, None)
        return done.stdout.decode() if done.returncode == 0 else None

    def _git(self, args: Sequence[str], stdin: bytes | None) -> subprocess.CompletedProcess[bytes]:
        # safe.directory: a mirror that another user owns is read all the same, nothing of it is run.
        command = ["git", "-c", "safe.directory=*", "-C", str(self.folder), *args]
        try:
            return subprocess.run(command, input=stdin, capture_output=True, check=False)
        except FileNotFoundError:
            raise KnowledgeBaseError("git is not installed; install it, the index is read from git clones") from None


def find_checkout(folder: Path, repo: str) -> Checkout | None:
    """The clone of `owner/name` below `folder`: `owner+name/repo`, `owner+name`, `owner/name`, `name` or `name.git`."""
    owner, name = repo.split("/")
    joined = f"{owner}+{name}"
    for place in (f"{joined}/repo", joined, f"{owner}/{name}", f"{owner}/{name}.git", name, f"{name}.git"):
        candidate = folder / place
        if (candidate / "HEAD").is_file() or (candidate / ".git").exists():
            return Checkout(candidate)
    return None


def _tree_file(entry: bytes) -> TreeFile | None:
    if not entry:
        return None
    meta, _, raw = entry.partition(b"\t")
    mode, kind, sha = meta.split()
    path = raw.decode(errors="replace")
    regular = kind == b"blob" and mode != b"120000"
    wanted = path.endswith(".rs") or path.rsplit("/", 1)[-1] in WANTED_NAMES
    return TreeFile(path, sha.decode()) if regular and wanted else None


def _logged(line: str) -> LoggedCommit:
    sha, seconds = line.split()
    return LoggedCommit(sha, datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
