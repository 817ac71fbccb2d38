"""What the index of one repository holds, before it is written or after it is read: frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kb.model import FunctionSpan, SiteKey, SiteKind, SourceSite


@dataclass(frozen=True, slots=True)
class CrateRecord:
    """A crate at one revision: folder from the repository's root, version from its manifest ("" if unstated)."""

    folder: str
    version: str


@dataclass(frozen=True, slots=True)
class RequirementRecord:
    """What one revision asks of a crate of another repository; each part "" where it is not stated."""

    version: str = ""
    rev: str = ""
    locked: str = ""


@dataclass(frozen=True, slots=True)
class RevisionRecord:
    """One indexed revision: a tag or main."""

    name: str
    commit: str
    date: str
    prerelease: bool
    crates: Mapping[str, CrateRecord] = field(default_factory=dict)
    requires: Mapping[str, RequirementRecord] = field(default_factory=dict)
    checks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tensor checks that call other tensor checks: `TensorCheck::f` -> those it calls."""


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """One line of a sites file: a site key's part within its crate, with what else tells its sites apart."""

    function: str
    kind: SiteKind
    template: str
    target: str = ""
    receiver: str = ""
    test: bool = False
    macro_body: bool = False


PlacedSite = tuple[Identity, int, int]
"""A site in a file: its identity (one object per identity and crate), line, column. A tuple: there are many."""
SpanRow = tuple[str, int, int, bool, bool]
"""A function in a file: name, first and last line, test, track_caller. A tuple: there are very many."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One file's facts over a run of revisions, `first` to `last` inclusive, given as places in the revision list."""

    path: str
    crate: str
    first: int
    last: int
    sites: tuple[PlacedSite, ...]
    spans: tuple[SpanRow, ...]

    @property
    def mask(self) -> int:
        """A bit for each revision of the run."""
        return (1 << self.last + 1) - (1 << self.first)


@dataclass(frozen=True, slots=True)
class CommitRecord:
    """A commit of main, or (`main` false) one that only a release holds."""

    sha: str
    date: str
    nearest: str
    main: bool
    place: int = -1
    """Its place on main's own line of first parents, counted from the root; -1 for the others."""
    parent: str = ""
    """First parent of a commit that is not on that line; "" else."""


@dataclass(frozen=True, slots=True)
class RepoIndex:
    """The whole index of one repository."""

    repo: str
    revisions: tuple[RevisionRecord, ...]
    """Releases by version, main last."""
    files: tuple[FileVersion, ...]
    """By path, then by first revision; runs of one path do not overlap."""
    names: Mapping[str, int]
    """Code names; bit i of the value is set where revision i has the name."""
    commits: tuple[CommitRecord, ...]
    """By date, then by sha."""
    pasts: Mapping[str, str] = field(default_factory=dict)
    """Path -> the versions between the releases, as `kb.past` writes them; by path."""


def identity(site: SourceSite) -> Identity:
    """The identity that a site of a file belongs to."""
    return Identity(site.function, site.kind, site.template, site.target, site.receiver, site.test, site.macro_body)


def keys_of(repo: str) -> Callable[[str, Identity], SiteKey]:
    """Names an identity of a crate by its site key; equal ones by the same object."""
    known: dict[tuple[str, Identity], SiteKey] = {}

    def key(crate: str, one: Identity) -> SiteKey:
        found = known.get((crate, one))
        if found is None:
            found = known[crate, one] = SiteKey(repo, crate, one.function, one.kind, one.template)
        return found

    return key


def span_row(span: FunctionSpan) -> SpanRow:
    """A function as the index keeps it."""
    return span.function, span.start, span.end, span.test, span.track_caller
