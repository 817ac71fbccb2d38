"""Whether a verdict says what a case expects. Works on the plain JSON of the analysis contract."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.evaluation.cases import Case

SHORTEST_CUT = 12
"""Characters that a cut message must have to count as the beginning of the expected one."""

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffd]")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_CLOSURE = re.compile(r"(::\{\{?closure\}?\}|::\{closure[^}]*\})+$")

Json = Mapping[str, Any]


def same_message(expected: str, got: object) -> bool:
    """First lines agree, quotes, back-ticks, dots and blanks at the ends aside; either may be cut."""
    left, right = _headline(expected), _headline(got if isinstance(got, str) else "")
    if not left or not right:
        return False
    short, long = sorted((left, right), key=len)
    return left == right or (len(short) >= SHORTEST_CUT and long.startswith(short))


def same_location(expected: Json, got: Json | None) -> bool:
    """File (one may be a tail of the other), line, and column where the case has one."""
    if not expected.get("file"):
        return not (got or {}).get("file")
    if not got or not same_tail(expected["file"], got.get("file")):
        return False
    if expected.get("line") is not None and got.get("line") != expected["line"]:
        return False
    return expected.get("column") is None or got.get("column") == expected["column"]


def same_origin(expected: Json, got: Json | None, text: str) -> bool:
    """Crate, version and commit of the location; a version that stands only in the prose may be left out."""
    found = got or {}
    for key in ("crate", "version"):
        wanted = expected.get(key)
        stated_apart = key == "version" and not found.get(key) and f"{expected.get('crate')}-{wanted}" not in text
        if wanted and not stated_apart and _dashed(found.get(key)) != _dashed(wanted):
            return False
    commit, seen = expected.get("commit"), str(found.get("commit") or "")
    return not commit or (bool(seen) and (seen.startswith(commit) or commit.startswith(seen)))


def same_panic(expected: Json, got: Json) -> bool:
    """Message and location."""
    return same_message(expected["message"], got.get("message")) and same_location(expected, got.get("location"))


def same_root(expected: Json, got: Json) -> bool:
    """The place decides where there is one: it may print other numbers each time."""
    if expected.get("file"):
        return same_location(expected, got.get("location"))
    return same_panic(expected, got)


def same_tail(left: object, right: object) -> bool:
    """One path is a tail of the other at a folder border."""
    a, b = _path(left), _path(right)
    return bool(a and b) and (a == b or a.endswith("/" + b) or b.endswith("/" + a))


def right_place(case: Case, got: Json | None) -> bool:
    """The place is one that the case accepts: the very line at that revision, or the function at another one."""
    return any(_is_site(site, got or {}, function_only=case.answer == "function") for site in case.sites)


def same_site(expected: Json, got: Json | None) -> bool:
    """The same line at the same revision, or the same function at another."""
    return _is_site(expected, got or {}, function_only=False)


def exact_place(case: Case, got: Json | None) -> bool:
    """Repository, revision, path and (for a site) line are those of the case."""
    found = got or {}
    return any(
        found.get("repo") == s["repo"]
        and _same_revision(s["revision"], found.get("revision"))
        and _path(found.get("path")) == _path(s["path"])
        and (case.answer == "function" or found.get("line") == s["line"])
        for s in case.sites
    )


def roots(panics: Sequence[Json]) -> list[Json]:
    """The panics that the verdict takes for roots."""
    return [p for p in panics if p.get("role") == "root"]


def _is_site(site: Json, got: Json, *, function_only: bool) -> bool:
    if got.get("repo") != site["repo"]:
        return False
    path = _path(got.get("path")) == _path(site["path"])
    function = _last_name(got.get("function")) == _last_name(site["function"]) != ""
    same_revision = _same_revision(site["revision"], got.get("revision"))
    if function_only and path and function:
        return True
    if same_revision:
        return not function_only and path and got.get("line") == site["line"]
    same_file = _path(got.get("path")).rsplit("/", 1)[-1] == _path(site["path"]).rsplit("/", 1)[-1]
    return function and (path or same_file)


def _same_revision(expected: object, got: object) -> bool:
    left, right = str(expected), str(got)
    both_commits = all(re.fullmatch(r"[0-9a-f]{7,40}", r) for r in (left, right))
    return left == right or (both_commits and (left.startswith(right) or right.startswith(left)))


def _headline(text: str) -> str:
    shown = _UNSEEN.sub("", _ANSI.sub("", text)).lstrip()
    first = re.split(r"[\r\n]", shown, maxsplit=1)[0].replace("`", "").replace("…", "...")
    return re.sub(r"\s+", " ", first).strip().strip("'").rstrip(".").strip()


def _last_name(function: object) -> str:
    flat = re.sub(r"::<[^<>]*>", "", str(function or ""))
    return _CLOSURE.sub("", flat.removesuffix("()")).rsplit("::", 1)[-1].split("<", 1)[0].strip().lower()


def _path(path: object) -> str:
    return str(path or "").replace("\\", "/").strip("/ ")


def _dashed(value: object) -> str:
    return str(value or "").replace("_", "-")
