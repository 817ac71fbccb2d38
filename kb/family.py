"""The family of repositories, from `kb/repos.yaml`: one block a repository, and nothing else to change for another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import KnowledgeBaseError
from kb.load import read_yaml

FILE = "repos.yaml"
DEFAULT_TAGS = r"v?(?P<version>\d+\.\d+\.\d+(?:-(?!book)[0-9A-Za-z.-]+)?)"
FIELDS = frozenset({"branch", "tags", "foreign", "renamed"})


@dataclass(frozen=True, slots=True)
class Rename:
    """A crate that goes on under another name, here or in another repository, from a release on."""

    old: str
    new: str
    since: str
    """First release of the repository without the old name."""
    repo: str
    """Where the new one lives."""


@dataclass(frozen=True, slots=True)
class Member:
    """One repository of the family."""

    repo: str
    branch: str = "main"
    tags: str = DEFAULT_TAGS
    """Pattern that a release tag matches in whole; its group `version` is the semantic version."""
    foreign: tuple[str, ...] = ()
    """Crates outside the family whose version is kept for each release."""
    renamed: tuple[Rename, ...] = ()

    @property
    def name(self) -> str:
        """The repository without its owner: its folder below `kb/sites`."""
        return self.repo.split("/")[1]


def load_family(folder: Path) -> Sequence[Member]:
    """Members in the file's order. Raises KnowledgeBaseError naming the file, the repository and the field."""
    file = folder / FILE
    data = read_yaml(file)
    if not isinstance(data, dict) or not data:
        raise KnowledgeBaseError(f"{file}: no repositories; write one block per repository, named owner/name")
    return [_member(file, str(repo), block or {}) for repo, block in data.items()]


def _member(file: Path, repo: str, block: Any) -> Member:
    where = f"{file}: {repo}"
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repo):
        raise KnowledgeBaseError(f"{where}: not a repository; write owner/name")
    if not isinstance(block, dict):
        raise KnowledgeBaseError(f"{where}: not a block of fields; indent the fields below the name")
    unknown = sorted(block.keys() - FIELDS)
    if unknown:
        raise KnowledgeBaseError(f"{where}: unknown field {unknown[0]}; known are {', '.join(sorted(FIELDS))}")
    return Member(
        repo,
        str(block.get("branch", "main")),
        _pattern(where, str(block.get("tags", DEFAULT_TAGS))),
        tuple(str(crate) for crate in _list(where, block, "foreign")),
        tuple(_rename(where, repo, item) for item in _list(where, block, "renamed")),
    )


def _list(where: str, block: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = block.get(name) or []
    if not isinstance(value, list):
        raise KnowledgeBaseError(f"{where}: {name} is no list; write one item a line, each after a hyphen")
    return value


def _pattern(where: str, text: str) -> str:
    try:
        groups = re.compile(text).groupindex
    except re.error as error:
        raise KnowledgeBaseError(f"{where}: tags is no regular expression: {error}") from None
    if "version" not in groups:
        raise KnowledgeBaseError(f"{where}: tags has no group `version`; write (?P<version>...) around the version")
    return text


def _rename(where: str, repo: str, item: Any) -> Rename:
    if not isinstance(item, dict) or not {"from", "to", "since"} <= item.keys():
        raise KnowledgeBaseError(f"{where}: a renamed crate needs `from`, `to` and `since`")
    return Rename(str(item["from"]), str(item["to"]), str(item["since"]), str(item.get("repo", repo)))
