"""The vocabulary of the knowledge base as frozen values: panic sites, revisions, and the index over them. No I/O."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, overload

MAIN = "main"
"""Name of the revision that stands for the newest indexed commit of a repository's default branch."""


class SiteKind(StrEnum):
    """How a place in the source raises (or words) a message."""

    PANIC = "panic"
    TODO = "todo"
    UNIMPLEMENTED = "unimplemented"
    UNREACHABLE = "unreachable"
    ASSERT = "assert"
    ASSERT_EQ = "assert_eq"
    ASSERT_NE = "assert_ne"
    DEBUG_ASSERT = "debug_assert"
    DEBUG_ASSERT_EQ = "debug_assert_eq"
    DEBUG_ASSERT_NE = "debug_assert_ne"
    EXPECT = "expect"
    EXPECT_ERR = "expect_err"
    UNWRAP = "unwrap"
    UNWRAP_ERR = "unwrap_err"
    CHECK = "check"
    """A `check!(TensorCheck::f(..))` call: the printed location of a tensor check. `target` names the check."""
    TENSOR_ERROR = "tensor_error"
    """A `TensorError::new(..)` inside a TensorCheck function: the words of a tensor check, never a printed location."""
    MACRO_CALL = "macro_call"
    """A call of a panicking `macro_rules!`; `target` is the macro's name with its `!`."""
    CUBE = "cube"
    """A `#[cube]` attribute line: panics of the expansion are printed there."""
    FUNCTION = "function"
    """No place of its own: the function in which an implicit panic (index, overflow, division) can happen."""
    BAIL = "bail"
    ERR_VALUE = "err_value"
    """A literal inside `Err(..)`, `ok_or(..)`, `map_err(..)`."""
    THISERROR = "thiserror"
    DISPLAY = "display"
    DEBUG_IMPL = "debug_impl"
    COMPILE_ERROR = "compile_error"
    SYN_ERROR = "syn_error"
    LOG_WARN = "log_warn"
    LOG_ERROR = "log_error"


PANIC_KINDS = frozenset(
    {
        SiteKind.PANIC,
        SiteKind.TODO,
        SiteKind.UNIMPLEMENTED,
        SiteKind.UNREACHABLE,
        SiteKind.ASSERT,
        SiteKind.ASSERT_EQ,
        SiteKind.ASSERT_NE,
        SiteKind.DEBUG_ASSERT,
        SiteKind.DEBUG_ASSERT_EQ,
        SiteKind.DEBUG_ASSERT_NE,
        SiteKind.EXPECT,
        SiteKind.EXPECT_ERR,
        SiteKind.UNWRAP,
        SiteKind.UNWRAP_ERR,
    }
)
"""Kinds whose message starts with the template and whose header shows the site itself (or its macro's caller)."""

LOCATED_KINDS = PANIC_KINDS | {SiteKind.CHECK, SiteKind.MACRO_CALL, SiteKind.CUBE}
"""Kinds that a printed location can point at."""


@dataclass(frozen=True, slots=True, order=True)
class SiteKey:
    """What names one panic site across releases (docs/adr/0001): everything but the place.

    `function` is the enclosing function with its impl or trait (`HandleContainer::get_handle`,
    `<Fusion as TransactionOps>::tr_execute`), `name!` for a `macro_rules!` body, "" at item level. Generic arguments
    and module paths are left out. `template` is the message as written in the source (escapes resolved, `{}` holes
    kept), "" where there is none.
    """

    repo: str
    crate: str
    function: str
    kind: SiteKind
    template: str

    @property
    def id(self) -> str:
        """Sixteen hex digits, the same for the same key for ever."""
        text = "\0".join((self.repo, self.crate, self.function, self.kind, self.template))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class SourceSite:
    """One site as the parser finds it in one file. Line and column are 1-based and as Rust prints them."""

    function: str
    kind: SiteKind
    template: str
    line: int
    column: int
    test: bool = False
    macro_body: bool = False
    """Inside a `macro_rules!` body: its words are shown, its line never is."""
    target: str = ""
    """CHECK: `TensorCheck::f`; TENSOR_ERROR: the same, whose words these are; MACRO_CALL: `name!`."""
    receiver: str = ""
    """UNWRAP and EXPECT kinds: the last method or function called before it (`recv`, `lock`), "" where none."""


@dataclass(frozen=True, slots=True)
class FunctionSpan:
    """A function's extent, lines 1-based and inclusive, for panics that have no site of their own (index, overflow)."""

    function: str
    start: int
    end: int
    test: bool = False
    track_caller: bool = False


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that the index keeps of one source file."""

    sites: tuple[SourceSite, ...]
    spans: tuple[FunctionSpan, ...]
    names: tuple[str, ...] = ()
    """Sorted identifiers that the file defines or mentions, for checking code names in prose."""
    fallback: bool = False
    """True where the grammar failed on part of the file and the regex fall-back filled in."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of one repository. `name` is a tag, `main`, or a full commit sha that is no release."""

    repo: str
    name: str
    commit: str
    date: str
    """Committer date, ISO 8601 in UTC."""
    order: int
    """Place in the repository's line of releases; main is the highest. A commit that is no release: -1."""
    prerelease: bool = False

    @property
    def is_release(self) -> bool:
        """A tag, pre-releases included."""
        return self.order >= 0 and self.name != MAIN


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a repository's main branch, from the committed commit list."""

    repo: str
    sha: str
    date: str
    nearest: str
    """The release whose code is nearest: the first tag that contains the commit, else the last one before it."""


@dataclass(frozen=True, slots=True)
class SiteAt:
    """A site at one revision."""

    key: SiteKey
    revision: Revision
    path: str
    """From the repository's root, forward slashes."""
    line: int
    column: int
    test: bool = False
    macro_body: bool = False
    target: str = ""
    receiver: str = ""

    @property
    def permalink(self) -> str:
        """The line on GitHub, pinned to the full commit sha."""
        return f"https://github.com/{self.key.repo}/blob/{self.revision.commit}/{self.path}#L{self.line}"


@dataclass(frozen=True, slots=True)
class SpanAt:
    """A function at one revision."""

    repo: str
    crate: str
    revision: Revision
    path: str
    span: FunctionSpan

    def permalink(self, line: int) -> str:
        """`line` of this function's file on GitHub, pinned to the full commit sha."""
        return f"https://github.com/{self.repo}/blob/{self.revision.commit}/{self.path}#L{line}"


class FileSites(Sequence[SiteAt]):
    """The sites of one file, by line and column; each is made when it is asked for: a line has few of a file's many."""

    __slots__ = ("_lines", "_made", "_make")

    def __init__(self, lines: Sequence[int], make: Callable[[int], SiteAt]) -> None:
        """`lines`: that of each site, ascending; `make` gives the site of an index."""
        self._lines = lines
        self._make = make
        self._made: dict[int, SiteAt] = {}

    def on_line(self, line: int) -> Sequence[SiteAt]:
        """The sites of one line, by column."""
        return [self._at(at) for at in range(bisect_left(self._lines, line), bisect_right(self._lines, line))]

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> SiteAt: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[SiteAt]: ...

    def __getitem__(self, at: int | slice) -> SiteAt | Sequence[SiteAt]:
        places = range(len(self._lines))[at]
        return self._at(places) if isinstance(places, int) else [self._at(place) for place in places]

    def __iter__(self) -> Iterator[SiteAt]:
        return (self._at(at) for at in range(len(self._lines)))

    def _at(self, at: int) -> SiteAt:
        site = self._made.get(at)
        if site is None:
            site = self._made[at] = self._make(at)
        return site


class SiteIndex(Protocol):
    """What matching asks of the index. All revision arguments are `Revision` values that the index gave out.

    Implementations: `kb.catalog.Catalog` (compiled, read from disk); tests use a small one in memory.
    """

    def repos(self) -> Sequence[str]:
        """The family, `owner/name` each."""
        ...

    def revisions(self, repo: str) -> Sequence[Revision]:
        """Oldest first by version, main last."""
        ...

    def revision(self, repo: str, name: str) -> Revision | None:
        """By tag, `main`, or the full or abbreviated (7+) sha of an indexed revision."""
        ...

    def newest_release(self, repo: str, *, prerelease: bool = False) -> Revision:
        """The highest version that is no pre-release; with `prerelease` the highest of all tags."""
        ...

    def repos_of_crate(self, crate: str) -> Sequence[str]:
        """Repositories that hold or held a crate of this name, the present home first; () for a foreign crate."""
        ...

    def revision_of_crate(self, repo: str, crate: str, version: str) -> Revision | None:
        """The release of `repo` in which `crate` has `version` (read from Cargo.toml at each tag)."""
        ...

    def crate_at(self, revision: Revision, path: str) -> str:
        """Crate that owns `path` at that revision, "" where none does."""
        ...

    def commits(self, repo: str, prefix: str) -> Sequence[Commit]:
        """Commits of main whose sha starts with `prefix` (7 or more hex digits)."""
        ...

    def main_at(self, repo: str, date: str) -> Commit | None:
        """The last commit of main on or before an ISO date."""
        ...

    def paths(self, revision: Revision, tail: str, crate: str | None = None) -> Sequence[str]:
        """Indexed files at that revision that end with `tail` at a folder border, of one crate if given."""
        ...

    def sites_in(self, revision: Revision, path: str) -> Sequence[SiteAt]:
        """All sites of one file at that revision, by line and column."""
        ...

    def spans_in(self, revision: Revision, path: str) -> Sequence[SpanAt]:
        """All functions of one file at that revision, outer before inner."""
        ...

    def functions(self, revision: Revision, crate: str, function: str) -> Sequence[SpanAt]:
        """Where a function of this name (as spans name it) stands in a crate at that revision."""
        ...

    def function_homes(self, repo: str, crate: str, function: str) -> Sequence[tuple[Revision, Revision, str]]:
        """Runs of revisions, both ends inclusive, and the file there, over which a crate has a function."""
        ...

    def keys(self, kinds: frozenset[SiteKind]) -> Sequence[SiteKey]:
        """All site keys of these kinds, of every release."""
        ...

    def places(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        """Where exactly this key stands at that revision; () where it does not."""
        ...

    def follow(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        """Like `places`, also through aliases: renamed crate, other repository, reworded or moved function."""
        ...

    def stands(self, key: SiteKey) -> Sequence[tuple[Revision, Revision]]:
        """Runs of revisions, first and last inclusive, at which this key stands."""
        ...

    def callers_of_check(self, target: str, revision: Revision) -> Sequence[SiteAt]:
        """The CHECK sites whose check is `target` or calls it, at that revision."""
        ...

    def facts(self, repo: str, sha: str, path: str) -> FileFacts | None:
        """Sites and functions of a file at any commit (full sha) of main, a release, or a branch merged into these."""
        ...

    def history(self, repo: str, path: str, until: str) -> Sequence[str]:
        """Full shas of the commits of main that changed a file, up to a date (ISO 8601), newest first."""
        ...

    def past_paths(self, repo: str, tail: str) -> Sequence[str]:
        """Files of any commit that end with `tail` at a folder border."""
        ...

    def macros(self) -> frozenset[str]:
        """Names, without `!`, of the macros of all releases whose calls can panic."""
        ...

    def companion(self, revision: Revision, repo: str) -> Revision | None:
        """Which release of `repo` belongs to this one (burn v0.18.0 -> cubecl v0.6.0), either way round."""
        ...

    def companion_version(self, revision: Revision, crate: str) -> str | None:
        """Version requirement of a foreign crate (`wgpu`) at this release, from the workspace's Cargo.toml."""
        ...


JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
