"""The values that flow through the analysis, each frozen and printable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kb.model import Revision, SiteAt, SpanAt


@dataclass(frozen=True, slots=True)
class Report:
    """What one analysis reads: the title, the body and the author's own comments, raw Markdown."""

    id: str | None
    title: str
    body: str
    comments: tuple[str, ...] = ()
    repo: str | None = None
    created_at: str | None = None
    """ISO 8601 date or timestamp."""


class SpanKind(StrEnum):
    """How GitHub shows a run of text."""

    PROSE = "prose"
    CODE = "code"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class SourceRef:
    """Where in the report a text stands: part, its index among the comments, first and last line (1-based)."""

    part: str
    """`title`, `body` or `comment`."""
    index: int = 0
    start: int = 1
    end: int = 1


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text that GitHub shows as one thing. `text` is unescaped and without quote marks."""

    kind: SpanKind
    text: str
    ref: SourceRef
    language: str = ""
    """Info string of a fence (`rust`, `bash`), "" elsewhere."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A report as spans in reading order."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """A printed location, taken apart. `file` is from the crate root where the path shows it, forward slashes."""

    file: str
    line: int | None
    column: int | None
    crate: str | None = None
    version: str | None = None
    commit: str | None = None
    """Abbreviated or full sha of a git checkout path."""
    raw: str = ""
    """The path as printed, after repair."""
    std: bool = False
    """In std, core or alloc."""


class Role(StrEnum):
    """What a panic is among the panics of its report."""

    ROOT = "root"
    CONSEQUENCE = "consequence"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class PanicReport:
    """One panic of a report."""

    message: str
    """Whole message, all lines, trimmed."""
    location: Location | None
    format: str
    """Name of the format's file in bot/triage/formats."""
    ref: SourceRef
    thread: str | None = None
    frames: tuple[str, ...] = ()
    """Function names of the backtrace, innermost first."""
    role: Role = Role.ROOT
    why: str = ""
    """Why this role: one sentence for the evidence."""

    @property
    def headline(self) -> str:
        """First line of the message."""
        return self.message.split("\n", 1)[0].strip()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something the report says beside the panic."""

    name: str
    """burn, cubecl, wgpu, ... (a version: `0.18.0`, `main`), backend, feature, os, gpu, rust."""
    value: str
    ref: SourceRef
    said: str = ""
    """The words it was read from."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from a conversation."""

    panics: tuple[PanicReport, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def root(self) -> PanicReport | None:
        """The panic to answer."""
        return next((p for p in self.panics if p.role is Role.ROOT), None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One step of the reasoning: what was looked at, what it showed."""

    step: str
    """read, role, revision, place, message, version, entry, state."""
    text: str


class Outcome(StrEnum):
    """The five verdicts."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"
    FOREIGN = "foreign"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Place:
    """The answer's place: a site, or only the function where the panic has no site of its own."""

    repo: str
    revision: Revision
    path: str
    line: int
    function: str
    site: SiteAt | None = None
    span: SpanAt | None = None

    @property
    def permalink(self) -> str:
        """The line on GitHub, pinned to the full commit sha."""
        return f"https://github.com/{self.repo}/blob/{self.revision.commit}/{self.path}#L{self.line}"


class Trust(StrEnum):
    """How a candidate was found, and so how far it can be trusted."""

    EXACT = "exact"
    """Line, column and text agree at the reporter's own revision."""
    AGREES = "agrees"
    """Line, column and text agree at a revision that is likely, not proved, to be the reporter's."""
    FUNCTION = "function"
    """The panic has no site of its own (index, overflow, a callee that tracks its caller): the function holds it."""
    NEAR = "near"
    """The same text in the same file at the nearest release, because the commit cannot be read."""
    WORDS = "words"
    """The words alone, and only one function prints them in the versions that can be meant."""
    FLAGGED = "flagged"
    """Something disagrees: never answered by itself."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible place of a panic."""

    place: Place
    trust: Trust
    why: str
    """One sentence for the evidence."""


class Standing(StrEnum):
    """What became of a site at a later revision."""

    SAME = "same"
    MOVED = "moved"
    REWORDED = "reworded"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class State:
    """How the answered site stands at one later revision."""

    revision: Revision
    standing: Standing
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The one outcome of an analysis."""

    outcome: Outcome
    reading: Reading
    place: Place | None = None
    candidates: tuple[Place, ...] = ()
    entry: str | None = None
    evidence: tuple[Evidence, ...] = ()
    gone_since: str | None = None
    fixed_in: str | None = None
    catalog: str = ""
    """Revision of the knowledge base that gave this verdict."""
    fingerprint: str | None = None
    trust: Trust | None = None
    states: tuple[State, ...] = ()
    """At the newest release and at main, where they differ from the reporter's revision."""
    question: str | None = None
    """The one fact that would split the candidates; None where none would."""
