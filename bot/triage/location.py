"""A printed location taken apart: crate, version, commit, file from the crate root.

Path shapes are those that cargo and rustc print, and what people and mailers make of them (reference: the cargo book on
the registry and git checkouts; `rustc --remap-path-prefix` for std).
"""

from __future__ import annotations

import re

from bot.triage.model import Location

_POSITION = re.compile(r"(?::(\d{1,9})(?::(\d{1,9}))?|\((\d{1,9})(?:[,:] ?(\d{1,9}))?\)|#L(\d{1,9})(?:C(\d{1,9}))?):?$")
_LINK = re.compile(
    r"https?://[^/\s]+/[^/\s]+/([^/\s]+)/(?:blob|blame|raw)/([^/\s]+)/([^#?\s]+)(?:\?[^#\s]*)?(?:#L(\d{1,9})(?:C(\d{1,9}))?)?"
)
_SHA = r"[0-9a-f]{7,40}"
_STD = re.compile(
    r"(?:^|/)(?:rustc/[0-9a-f.\w-]{5,60}/+)?library/+(?:(?:stdarch|backtrace|portable-simd)/+(?:crates/+)?)?"
    r"(core|std|alloc|proc_macro|test|panic_unwind|panic_abort|std_detect|compiler-builtins|unwind)/+(.+)$"
)
_OLD_STD = re.compile(r"(?:^|/)(?:rustc/[0-9a-f]{7,40}/+)?src/+lib(core|std|alloc|proc_macro|test)/+(.+)$")
_CHECKOUT = re.compile(rf"(?:^|/)checkouts/+([^/]+?)(?:-(?:[0-9a-f]{{16}}|[x.*]+))?/+({_SHA})(?:/+(.*))?$")
_HASHED = re.compile(rf"(?:^|/)([\w.-]+)-[0-9a-f]{{16}}/+({_SHA})/+(.*)$")
_VERSIONED = re.compile(r"^(?:.*?[0-9a-f]{16})?([A-Za-z_][\w-]*?)-(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[\w.-]+)?)$")
_GLUED = re.compile(
    r"^(?:.*?[0-9a-f]{16})?([A-Za-z_][\w-]*?)-(\d+\.\d+\.\d+(?:-(?:alpha|beta|pre|rc)[.\d]*)?)(src|tests|examples|benches)$"
)
_SQUEEZED = re.compile(
    r"^(?:.*-[0-9a-f]{16})?([a-z_][a-z0-9_-]*?)-(\d+\.\d+\.\d+(?:-(?:alpha|beta|pre|rc)[.\d]*)?)"
    r"((?:src|tests|examples|benches)\w+\.rs)$"
)
"""A registry path that lost all its separators: `burn-autodiff-0.21.0srcopsmodule.rs`. The index knows the file."""
_NO_CRATES = frozenset({"registry", "git", "checkouts", "vendor", ".cargo", "cargo"})
"""Folders of cargo and of vendored crates, which are no crates themselves."""
_ROOTS = frozenset({"src", "tests", "examples", "benches"})
_HOME_DEPTH = 3
_HEX40 = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[A-Za-z_][\w-]{0,80}")


def parse_location(text: str) -> Location:
    """Take a printed location apart: `path`, `path:line`, `path:line:column` or a link with `#L63`.

    Never fails: what cannot be told is None. `raw` is the path as given, `file` has forward slashes and starts at the
    crate's root where the path shows one. `std` is set for core, std and alloc, whatever the path they were built at.
    """
    text = text.strip().strip("`'\"<>()[]").strip() if text[:1] in "`'\"<([" else text.strip().rstrip("`'\",;")
    link = _LINK.search(text)
    if link:
        return _from_link(link)
    position = _POSITION.search(text)
    line = column = None
    if position:
        line = int(position[1] or position[3] or position[5])
        second = position[2] or position[4] or position[6]
        column = int(second) if second else None
        text = text[: position.start()]
    raw = text.strip()
    crate, version, commit, file, std = _take_apart(raw)
    return Location(file, line, column, crate, version, commit, raw, std)


def _from_link(link: re.Match[str]) -> Location:
    repo, revision, path = link[1], link[2], link[3]
    crate, _, _, file, _ = _take_apart(path)
    commit = revision if re.fullmatch(_SHA, revision) else None
    version = revision[1:] if re.fullmatch(r"v\d+\.\d+\.\d+\S*", revision) else None
    crate = crate or (repo if path.startswith("src/") else None)
    line, column = (int(n) if n else None for n in (link[4], link[5]))
    return Location(file, line, column, crate, version, commit, path)


def _take_apart(raw: str) -> tuple[str | None, str | None, str | None, str, bool]:
    path = re.sub(r"/{2,}", "/", raw.replace("\\", "/"))
    std = _STD.search(path) or _OLD_STD.search(path)
    if std:
        return std[1], None, None, std[2], True
    checkout = _CHECKOUT.search(path) or _HASHED.search(path)
    if checkout:
        rest = checkout[3] or ""
        crate, file = _crate_and_file(rest)
        return crate or (checkout[1] if rest.startswith("src/") else None), None, checkout[2], file, False
    parts = path.split("/")
    for at in range(len(parts) - 1, -1, -1):
        found = _VERSIONED.match(parts[at]) or _GLUED.match(parts[at])
        if found and at < len(parts) - 1:
            glued = [found[3]] if found.re is _GLUED else []
            rest = "/".join(glued + parts[at + 1 :])
            crate, file = _crate_and_file(rest) if "crates/" in rest else (None, rest)
            return crate or found[1], found[2], None, file, False
    squeezed = _SQUEEZED.match(path) if "/" not in path else None
    if squeezed:
        return squeezed[1], squeezed[2], None, squeezed[3], False
    crate, file = _crate_and_file(path)
    return crate, None, None, file, False


def _crate_and_file(path: str) -> tuple[str | None, str]:
    """Crate folder and the rest, where no version tells: below `crates/`, else above the last `src` and the like."""
    parts = [p for p in path.split("/") if p not in ("", ".")]
    if "crates" in parts[:-2]:
        at = len(parts) - 1 - parts[::-1].index("crates")
        if at < len(parts) - 2:
            return _name(parts[at + 1]), "/".join(parts[at + 2 :])
    at = _root_folder(parts, absolute=path.startswith("/") or ":" in path)
    if at >= 0:
        return (_name(parts[at - 1]) if at else None), "/".join(parts[at:])
    if len(parts) > 1 and parts[-1] == "build.rs":
        return _name(parts[-2]), "build.rs"
    return None, "/".join(parts) if not path.startswith("/") else path


def _root_folder(parts: list[str], *, absolute: bool) -> int:
    """Index of the folder below the crate's root (`src` and its like), -1 where there is none.

    A relative path starts near the crate, so its first `src` counts; an absolute one may lead through a `src` of
    somebody's home, so there the last one counts, or a folder of tests or examples well below that.
    """
    every = [at for at, part in enumerate(parts[:-1]) if part in _ROOTS]
    roots = [at for at in every if not at or parts[at - 1] not in _NO_CRATES] or every
    sources = [at for at in roots if parts[at] == "src"]
    if not sources:
        return roots[-1] if roots else -1
    if not absolute:
        return sources[0]
    return roots[-1] if roots[-1] > sources[-1] + 1 and sources[-1] <= _HOME_DEPTH else sources[-1]


def _name(folder: str) -> str | None:
    """The folder as a crate's name, None where it cannot be one (an archive's or cargo's own folder, `..`, a drive)."""
    if _HEX40.search(folder) or folder in _NO_CRATES or not _NAME.fullmatch(folder):
        return None
    return folder
