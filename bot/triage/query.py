"""One printed location asked of one repository of the family: the files it can mean at a revision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.triage.checks import check_targets, has_tracked_check, reason_keys
from bot.triage.knowledge import BlobRef, Knowledge, LineRef
from bot.triage.lookup import (
    TENSOR_BANNER,
    Finding,
    Hit,
    SourceFile,
    begins_with,
    indexed_file,
    innermost,
    look,
    read_file,
    sites_with_words,
    span_place,
)
from bot.triage.model import Candidate, Fact, Location, PanicReport, Place, Trust
from bot.triage.plausible import can_panic_here
from bot.triage.std_messages import is_implicit
from kb.model import Revision, SiteAt, SiteKind
from kb.paths import is_test_path
from kb.template import Fit


@dataclass(frozen=True, slots=True)
class Query:
    """A panic with a location, one repository, and what else the report says."""

    panic: PanicReport
    location: Location
    repo: str
    crate: str
    """"" where the path names none: then any crate of the repository may be meant."""
    facts: Sequence[Fact]
    date: str | None
    knowledge: Knowledge

    @property
    def line(self) -> int:
        """The printed line; locations without one are not asked for."""
        return self.location.line or 0

    def paths(self, revision: Revision) -> Sequence[str]:
        """Indexed files that the location can mean at a revision, also of a crate inside the named one's folder."""
        index, file = self.knowledge.index, self.location.file
        found = [path for path in index.paths(revision, file, self.crate or None) if self._may_mean(path)]
        return found or (index.paths(revision, f"{self.crate}/{file}") if self.crate else ())

    def files(self, revision: Revision) -> list[SourceFile]:
        """Those files with their sites and functions."""
        return [indexed_file(self.knowledge, revision, path) for path in self.paths(revision)]

    def read(self, revision: Revision, near: Iterable[Revision]) -> list[SourceFile]:
        """The files at a commit that is not indexed, as far as they can be read.

        Their paths are those at the releases around the commit, or else the usual folder of the crate.
        """
        if revision.order >= 0:
            return self.files(revision)
        there = self._paths_then(revision)
        paths = dict.fromkeys(there or (path for release in near for path in self.paths(release)))
        if self.crate and not paths:
            paths = {f"crates/{self.crate}/{self.location.file}": None}
        read = (read_file(self.knowledge, revision, path, self.crate or crate_of(path)) for path in paths)
        return [file for file in read if file]

    def _paths_then(self, revision: Revision) -> list[str]:
        """Files that the location can mean at a commit between releases, as far as the index knows that commit."""
        index, file = self.knowledge.index, self.location.file
        found = filter(self._may_mean, index.past_paths(self.repo, f"{self.crate}/{file}" if self.crate else file))
        return [path for path in found if index.facts(self.repo, revision.commit, path) is not None]

    def _may_mean(self, path: str) -> bool:
        """Whether the location can be this file: an example or a test only where its folder or crate is printed.

        Nobody depends on those, so that `src/inference.rs` is the reporter's own file, often begun as a copy.
        """
        return bool(self.crate) or not is_test_path(path) or is_test_path(self.location.file)

    def function(self, file: SourceFile) -> Place | None:
        """The function around the printed line; None outside of any, or where the line's own text rules it out."""
        span = innermost(file.spans, self.line)
        if span is None or self.ruled_out(file):
            return None
        return span_place(file, span, self.line)

    def ruled_out(self, file: SourceFile) -> bool:
        """Whether the source line cannot raise this message.

        An implicit panic: by the text of the line, where it can be read. A tensor check: where it is one that `check!`
        calls, which is a site of its own.
        """
        if self.panic.message.startswith(TENSOR_BANNER):
            return self._is_checked_elsewhere(file.revision)
        if not is_implicit(self.panic.message):
            return False
        text = self.source_line(file)
        return text is not None and not can_panic_here(self.panic.message, text, self.location.column)

    def _is_checked_elsewhere(self, revision: Revision) -> bool:
        """Words that the index knows belong to a `check!`; others need a helper that tracks its caller."""
        keys = reason_keys(self.panic.message, self.knowledge)
        return bool(keys) or not has_tracked_check(self._indexed(revision), self.knowledge)

    def look(self, file: SourceFile) -> Finding:
        """What stands at the location in `file`.

        A `check!` disagrees whose words are not those of the message, and a site that the message would be a damaged
        copy of, where it is a whole text of another site.
        """
        finding = look(file, self.panic)
        site = finding.place.site if finding.place else None
        if finding.hit is not Hit.SITE or site is None:
            return finding
        if site.key.kind is SiteKind.CHECK:
            agrees = self._is_check(site)
        else:
            agrees = not finding.damaged or not self._is_whole()
        return finding if agrees else replace(finding, hit=Hit.DISAGREES, worded=False)

    def _is_whole(self) -> bool:
        return any(hit.fit is Fit.FULL for hit in self.knowledge.panics.match(self.panic.message))

    def _is_check(self, site: SiteAt) -> bool:
        """Whether this `check!` can word the message: it calls the check of the reasons, or those are not known."""
        keys = reason_keys(self.panic.message, self.knowledge)
        index, near = self.knowledge.index, self._indexed(site.revision)
        callers = [c for key in keys for c in index.callers_of_check(key.function, near)]
        return not keys or any((c.path, c.key.function) == (site.path, site.key.function) for c in callers)

    def _indexed(self, revision: Revision) -> Revision:
        return revision if revision.order >= 0 else self.knowledge.index.newest_release(self.repo, prerelease=True)

    def source_line(self, file: SourceFile) -> str | None:
        """The text of the printed line, where the source can be had."""
        ref = LineRef(BlobRef(self.repo, file.revision.commit, file.path), self.line)
        return self.knowledge.source.line(ref)

    def places_with_words(self, files: Iterable[SourceFile]) -> list[Place]:
        """Sites of these files, none of them test code unless all are, whose words the message has."""
        found = [(file, site) for file in files for site in self._worded(file)]
        kept = [(f, s) for f, s in found if not s.test] or found
        return [site_place(f, s) for f, s in kept]

    def places_that_begin(self, files: Iterable[SourceFile]) -> list[Place]:
        """Sites of these files, no test code, whose words up to their first hole begin the message."""
        return [site_place(f, s) for f in files for s in begins_with(f, self.panic.message) if not s.test]

    def _worded(self, file: SourceFile) -> Sequence[SiteAt]:
        """For a tensor check the calls of the checks that word its reasons, else the sites that have the text."""
        if not self.panic.message.startswith(TENSOR_BANNER):
            return sites_with_words(file, self.panic.message)
        targets = check_targets(self.panic.message, self.knowledge)
        index = self.knowledge.index
        return [s for t in targets for s in index.callers_of_check(t, file.revision) if s.path == file.path]


def site_place(file: SourceFile, site: SiteAt) -> Place:
    """The place of a site."""
    return Place(file.repo, file.revision, file.path, site.line, site.key.function, site=site)


def crate_of(path: str) -> str:
    """The crate's folder in a path of the repository, the usual name of the crate."""
    return path.split("/src/", 1)[0].rsplit("/", 1)[-1]


def one_function(places: Sequence[Place], trust: Trust, why: str) -> tuple[Candidate, ...]:
    """The first place as the candidate, if all of them lie in one function."""
    if not places or len({(p.path, p.function) for p in places}) != 1:
        return ()
    return (Candidate(places[0], trust, why),)
