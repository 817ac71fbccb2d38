"""An entry of the knowledge base as frozen values: what a person wrote about one panic. No I/O, no YAML.

The field names are those of the YAML file unless `key` in the field's metadata says otherwise; `kb.shape` reads
values of these classes from plain data and derives the JSON schema from the same annotations and metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kb.model import SiteKey, SiteKind
from kb.std_panics import StdPanic

UNRELEASED = "KB-0000"
"""The id that every draft carries until `kb assign-ids` gives it the next one."""

REPO = r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+"
HEX16 = r"[0-9a-f]{16}"
SHA = r"[0-9a-f]{40}"
DATE = r"\d{4}-\d{2}-\d{2}"
TAG = r"main|v\d+\.\d+\.\d+[A-Za-z0-9.+-]*"
CRATE = r"[A-Za-z0-9_-]+"
CLAIM = rf"{REPO}#\d+"


def _text(doc: str, *, key: str = "", pattern: str = "", rust: bool = False, **more: Any) -> dict[str, Any]:
    """Metadata of a field: its documentation, its name in YAML, the pattern of its text, whether it is Rust code."""
    return {"doc": doc, "key": key, "pattern": pattern, "rust": rust, **more}


class Severity(StrEnum):
    """How bad it is for the program that met it."""

    ERROR = "error"
    """A fault or a gap of burn or cubecl, or of what they run on."""
    USAGE = "usage"
    """The program asks for something that cannot be."""
    WARNING = "warning"
    """The program can go on, or a part of it."""
    INFO = "info"
    """No fault of its own: an echo."""


class EntryRole(StrEnum):
    """What this panic is among several panics of one report."""

    ROOT = "root"
    ROOT_IF_FIRST = "root_if_first"
    """A root where nothing stands before it, else a consequence."""
    ECHO = "echo"
    """Points past itself when any other panic is in the report."""


class Status(StrEnum):
    """Where an entry stands in its life."""

    PUBLISHED = "published"
    DRAFT = "draft"
    WITHDRAWN = "withdrawn"


class End(StrEnum):
    """How the affected range came to its end. Only a commit in a tag is a fix."""

    FIXED = "fixed"
    MOVED = "moved"
    """The same condition is raised at another place from the next release on."""
    REWORDED = "reworded"
    UNREACHABLE = "unreachable"
    """The site still stands, but no path of the public API leads there."""
    REMOVED = "removed"
    """The function or the feature is gone."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A run of releases, both ends inclusive."""

    first: str = field(metadata=_text("First release, a tag of the site's repository.", key="from", pattern=TAG))
    last: str = field(metadata=_text("Last release, or `main` where it still stands.", key="to", pattern=TAG))


@dataclass(frozen=True, slots=True)
class Versions:
    """The releases at which a workaround holds."""

    first: str = field(metadata=_text("First release.", key="from", pattern=TAG))
    last: str = field(metadata=_text("Last release, or `main`.", key="to", pattern=TAG))
    repo: str = field(
        default="", metadata=_text("Repository whose tags these are; that of `affected` if left out.", pattern=REPO)
    )


@dataclass(frozen=True, slots=True)
class EntrySite:
    """One panic site by its identity; paths and lines come from the index."""

    repo: str = field(metadata=_text("Repository, `owner/name`.", pattern=REPO))
    crate: str = field(metadata=_text("Crate that holds the site.", pattern=CRATE))
    function: str = field(metadata=_text("Enclosing function as `kb sites` names it.", min=1))
    kind: SiteKind = field(metadata=_text("Kind of site."))
    stands: tuple[Stand, ...] = field(metadata=_text("Where the site is in the source; every release, no other."))
    template: str = field(default="", metadata=_text("The message as written in the source; null where there is none."))
    receiver: str = field(
        default="", metadata=_text("For `unwrap` and `expect`: the last function or method called before it.")
    )
    target: str = field(default="", metadata=_text("For `check` and `macro_call`: the check or macro called."))
    macro_body: bool = field(default=False, metadata=_text("In a `macro_rules!` body: never the printed location."))
    called_from: str = field(default="", metadata=_text("With `macro_body`: the function whose line is printed."))
    prints: StdPanic | None = field(
        default=None, metadata=_text("For `function`: the class of text that Rust itself prints there.")
    )
    path: str = field(
        default="", metadata=_text("For `function`: the end of its file's path, where the crate has several such.")
    )

    @property
    def key(self) -> SiteKey:
        """The identity under which the index knows the site; a function's has the class of its text as template."""
        return SiteKey(self.repo, self.crate, self.function, self.kind, self.prints or self.template)

    @property
    def receiver_name(self) -> str:
        """`receiver` as the index writes it: only the last name of a chain."""
        return self.receiver.rsplit(".", 1)[-1].rsplit("::", 1)[-1]


@dataclass(frozen=True, slots=True)
class CauseSite:
    """A function of ours that makes a foreign panic happen. Linked as "generated at", never as "raised at"."""

    repo: str = field(metadata=_text("Repository, `owner/name`.", pattern=REPO))
    crate: str = field(metadata=_text("Crate that holds the function.", pattern=CRATE))
    function: str = field(metadata=_text("The function as `kb sites` names it.", min=1))
    stands: tuple[Stand, ...] = field(metadata=_text("Releases at which the function does this."))
    kind: str = field(default="", metadata=_text("Left out, or `text` for a line that is written, not raised."))
    template: str = field(default="", metadata=_text("The words that are written there, for the reader."))


@dataclass(frozen=True, slots=True)
class Fix:
    """What ended the problem: a commit that is in the tag `fixed`."""

    commit: str = field(metadata=_text("Full sha of the commit.", pattern=SHA))
    pr: str = field(default="", metadata=_text("Its pull request, `owner/name#123`.", pattern=CLAIM))


@dataclass(frozen=True, slots=True)
class Affected:
    """Where a user can reach the problem, which may be less than where the site stands."""

    first: str = field(metadata=_text("First release at which a user can meet it.", key="from", pattern=TAG))
    last: str = field(
        default="",
        metadata=_text("Last release at which it can be met; left out while open.", key="to", pattern=TAG),
    )
    fixed: str = field(default="", metadata=_text("First release that is free of it, by a commit.", pattern=TAG))
    repo: str = field(
        default="", metadata=_text("Repository whose tags these are; that of the first site if left out.", pattern=REPO)
    )
    ended: End | None = field(default=None, metadata=_text("How it ended, where it did."))
    fixed_by: Fix | None = field(default=None, metadata=_text("The commit behind `fixed`."))
    moved_to: tuple[EntrySite, ...] = field(default=(), metadata=_text("Where the same condition is raised since."))
    note: str = field(default="", metadata=_text("One sentence about the end, or about the range.", prose=True))

    @property
    def open(self) -> bool:
        """True while the newest code is affected."""
        return not self.fixed and self.last in ("", "main")


@dataclass(frozen=True, slots=True)
class Match:
    """What must be there beside the site: the evidence for bare unwraps, shared sites and foreign panics."""

    value: str = field(default="", metadata=_text("Text that the printed message must contain."))
    crate: str = field(default="", metadata=_text("Foreign crate whose location or words these are.", pattern=CRATE))


@dataclass(frozen=True, slots=True)
class Workaround:
    """One thing to do, safest first in the entry's list."""

    do: str = field(metadata=_text("What to do, in the imperative.", prose=True, min=1))
    versions: Versions = field(metadata=_text("Releases at which it holds."))
    checked: str = field(metadata=_text("How it was checked: read, run, reported.", prose=True, min=1))
    except_: tuple[str, ...] = field(
        default=(), metadata=_text("Releases inside the range at which it does not hold.", key="except", pattern=TAG)
    )


@dataclass(frozen=True, slots=True)
class ExampleFix:
    """User code that meets the panic, and the same code changed."""

    before: str = field(metadata=_text("Rust that panics.", rust=True, min=1))
    after: str = field(metadata=_text("Rust that does not.", rust=True, min=1))


@dataclass(frozen=True, slots=True)
class Defensive:
    """How to keep clear of it."""

    strategy: str = field(metadata=_text("avoid, validate, observe, update, or fallback.", pattern=r"[a-z_]+"))
    validate: str = field(default="", metadata=_text("What to check before the call.", prose=True))
    validate_code: str = field(default="", metadata=_text("The check as Rust.", rust=True))
    guard: str = field(default="", metadata=_text("A function that tells good from bad, as Rust.", rust=True))
    catch: str = field(default="", metadata=_text("Whether catching the panic is of use.", prose=True))
    catch_code: str = field(default="", metadata=_text("How, as Rust.", rust=True))
    prevention: tuple[str, ...] = field(default=(), metadata=_text("Habits that avoid it.", prose=True))


@dataclass(frozen=True, slots=True)
class When:
    """What leads there."""

    trigger: str = field(metadata=_text("The call and the condition.", prose=True, min=1))
    situations: tuple[str, ...] = field(default=(), metadata=_text("Common situations.", prose=True))


@dataclass(frozen=True, slots=True)
class Example:
    """A text as users print it, which must match this entry and no other."""

    text: str = field(metadata=_text("The text, header included where there is one.", min=1))
    source: str = field(metadata=_text("Where it is from.", key="from", min=1))


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who or what wrote the entry, against which commits, when, and who read it."""

    written_by: str = field(metadata=_text("Who or what wrote it.", min=1))
    against: Mapping[str, str] = field(
        metadata=_text("Repository name (`burn`) to the full sha it was read at.", pattern=SHA)
    )
    written: str = field(metadata=_text("ISO date.", pattern=DATE))
    reviewed_by: str = field(default="", metadata=_text("Who read it against the source; null while nobody did."))


@dataclass(frozen=True, slots=True)
class Proof:
    """Written by `kb lint --git DIR --bless` alone: what was true when the entry was checked against the source."""

    against: Mapping[str, str] = field(metadata=_text("`owner/name` to the full sha of main then.", pattern=SHA))
    sites: tuple[str, ...] = field(metadata=_text("Ids of the site keys that were found.", pattern=HEX16))
    prose: str = field(metadata=_text("Hash of the prose and the claims that were checked.", pattern=HEX16))
    functions: Mapping[str, str] = field(
        default_factory=dict,
        metadata=_text("For `function` sites: id to the hash of the function's text that was read.", pattern=HEX16),
    )


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The end of an entry. Its file stays."""

    on: str = field(metadata=_text("ISO date.", pattern=DATE))
    reason: str = field(metadata=_text("Why, in one sentence.", prose=True, min=1))


@dataclass(frozen=True, slots=True)
class Exemption:
    """A lint finding that is right to stand. It is a finding itself once the check has nothing to say."""

    check: str = field(metadata=_text("Name of the check.", pattern=r"[a-z_]+"))
    reason: str = field(metadata=_text("Why it may stand.", min=1))


@dataclass(frozen=True, slots=True)
class Entry:
    """One explained panic."""

    kb_id: str = field(metadata=_text("`KB-0042`, from the file's name.", derived=True))
    id: str = field(metadata=_text("Sixteen hex digits, never changed.", pattern=HEX16))
    title: str = field(metadata=_text("A question or phrase somebody would search for.", prose=True, min=1))
    summary: str = field(metadata=_text("The short answer, one to three sentences.", prose=True, min=1))
    severity: Severity = field(metadata=_text("How bad it is."))
    role: EntryRole = field(metadata=_text("What it is among several panics."))
    message: str = field(metadata=_text("What the user sees, holes as `{name}` or `{..}`.", min=1))
    sites: tuple[EntrySite, ...] = field(metadata=_text("Every place that raises or words it; none if foreign."))
    affected: Affected = field(metadata=_text("Where a user can reach it."))
    meaning: str = field(
        metadata=_text("The cause in two to four sentences; the comment prints it as is.", prose=True, min=1)
    )
    workarounds: tuple[Workaround, ...] = field(metadata=_text("Safest first."))
    defensive: Defensive = field(metadata=_text("How to keep clear of it."))
    when: When = field(metadata=_text("What leads there."))
    examples: tuple[Example, ...] = field(metadata=_text("Texts that match this entry alone."))
    provenance: Provenance = field(metadata=_text("Who wrote it, against what, when."))
    background: str = field(default="", metadata=_text("More about the cause, for the page only.", prose=True))
    match: Match | None = field(default=None, metadata=_text("What must be printed beside the site."))
    foreign: bool = field(default=False, metadata=_text("Raised outside burn and its family."))
    cause_sites: tuple[CauseSite, ...] = field(default=(), metadata=_text("Foreign: where ours makes it happen."))
    example_fix: ExampleFix | None = field(default=None, metadata=_text("User code before and after."))
    related: tuple[str, ...] = field(default=(), metadata=_text("Ids of related entries.", pattern=HEX16))
    aliases: tuple[str, ...] = field(default=(), metadata=_text("Other ids of this entry.", pattern=HEX16))
    issues: tuple[str, ...] = field(
        default=(), metadata=_text("Threads that report it, `owner/name#123`.", pattern=CLAIM)
    )
    status: Status = field(default=Status.PUBLISHED, metadata=_text("published, draft or withdrawn."))
    withdrawn: Withdrawal | None = field(default=None, metadata=_text("Date and reason of a withdrawn entry."))
    reached_by: tuple[str, ...] = field(
        default=(),
        metadata=_text("Functions that lead to the raising one, the public one first; `--bless` follows the calls."),
    )
    review: tuple[str, ...] = field(default=(), metadata=_text("Claims a reviewer has to check, in a draft."))
    exempt: tuple[Exemption, ...] = field(default=(), metadata=_text("Findings that may stand, with the reason."))
    proof: Proof | None = field(default=None, metadata=_text("Written by `kb lint --git DIR --bless` alone."))

    @property
    def cause(self) -> str:
        """The text of the comment's **Cause**."""
        return self.meaning

    @property
    def repo(self) -> str:
        """Repository whose tags `affected` speaks of: `owner/name`."""
        if self.affected.repo:
            return self.affected.repo
        places = [site.repo for site in self.sites] + [site.repo for site in self.cause_sites]
        return places[0] if places else "tracel-ai/burn"

    @property
    def keys(self) -> tuple[SiteKey, ...]:
        """Identities of the entry's sites, in the order written."""
        return tuple(site.key for site in self.sites)

    @property
    def ids(self) -> tuple[str, ...]:
        """The id and its aliases."""
        return (self.id, *self.aliases)

    @property
    def live(self) -> bool:
        """Published: used for answers."""
        return self.status is Status.PUBLISHED and self.kb_id != UNRELEASED
