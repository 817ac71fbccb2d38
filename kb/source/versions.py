"""Which tags are releases, and in which order they stand. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

TAG = r"v?(?P<version>\d+\.\d+\.\d+(?:-(?!book)[0-9A-Za-z.-]+)?)"
"""What counts as a release tag where the family file says nothing else: a semantic version that is no `-book`."""

OrderKey = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]


def releases(tags: Iterable[str], pattern: str = TAG) -> list[str]:
    """The release tags among `tags`, by version, every pre-release before its release."""
    found = [(match["version"], tag) for tag in tags if (match := re.fullmatch(pattern, tag))]
    return [tag for _, tag in sorted(found, key=lambda item: (order_key(item[0]), item[1]))]


def version_of(tag: str, pattern: str = TAG) -> str:
    """The version that a release tag stands for."""
    match = re.fullmatch(pattern, tag)
    return match["version"] if match else tag


def is_prerelease(version: str) -> bool:
    """Semantic versioning: a hyphen after the numbers."""
    return "-" in version.partition("+")[0]


def order_key(version: str) -> OrderKey:
    """Sorts as semantic versioning §11 says: by numbers, pre-releases before the release, their digits as numbers."""
    core, _, pre = version.partition("+")[0].partition("-")
    numbers = tuple(int(n) for n in re.findall(r"\d+", core))
    parts = tuple((not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in pre.split(".")) if pre else ()
    return numbers, not pre, parts
