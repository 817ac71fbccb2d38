"""A small family in memory: what `kb.model.SiteIndex` asks for, over facts that a test writes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kb.model import MAIN, Commit, FileFacts, FunctionSpan, Revision, SiteAt, SiteKey, SiteKind, SourceSite, SpanAt

REPO = "tracel-ai/burn"


@dataclass
class MemoryIndex:
    """One repository. `trees`: revision name -> path -> facts; releases in order, main last."""

    trees: Mapping[str, Mapping[str, FileFacts]]
    dates: Mapping[str, str]
    log: Sequence[Commit] = ()
    aliases: Mapping[SiteKey, SiteKey] = field(default_factory=dict)
    repo: str = REPO
    pasts: Mapping[tuple[str, str], FileFacts] = field(default_factory=dict)
    """(commit, path) -> the file there, oldest commit first."""

    def repos(self) -> Sequence[str]:
        return (self.repo,)

    def revisions(self, repo: str) -> Sequence[Revision]:
        return [
            Revision(repo, name, f"{n:040x}", self.dates[name], n, prerelease="-" in name)
            for n, name in enumerate(self.trees)
        ]

    def revision(self, repo: str, name: str) -> Revision | None:
        return next((r for r in self.revisions(repo) if name == r.name or r.commit.startswith(name)), None)

    def newest_release(self, repo: str, *, prerelease: bool = False) -> Revision:
        return [r for r in self.revisions(repo) if r.name != MAIN and (prerelease or not r.prerelease)][-1]

    def repos_of_crate(self, crate: str) -> Sequence[str]:
        return (
            (self.repo,)
            if any(self.crate_at(r, p) == crate for r in self.revisions(self.repo) for p in self.trees[r.name])
            else ()
        )

    def revision_of_crate(self, repo: str, crate: str, version: str) -> Revision | None:
        return self.revision(repo, f"v{version}")

    def crate_at(self, revision: Revision, path: str) -> str:
        return path.split("/")[1]

    def commits(self, repo: str, prefix: str) -> Sequence[Commit]:
        return [c for c in self.log if c.sha.startswith(prefix)]

    def main_at(self, repo: str, date: str) -> Commit | None:
        return next((c for c in reversed(self.log) if c.date[:10] <= date[:10]), None)

    def paths(self, revision: Revision, tail: str, crate: str | None = None) -> Sequence[str]:
        tree = self.trees.get(revision.name, {})
        return [p for p in tree if f"/{p}".endswith(f"/{tail}") and crate in (None, self.crate_at(revision, p))]

    def sites_in(self, revision: Revision, path: str) -> Sequence[SiteAt]:
        facts = self.trees[revision.name].get(path)
        crate = self.crate_at(revision, path)
        return [self._at(s, crate, revision, path) for s in facts.sites] if facts else []

    def spans_in(self, revision: Revision, path: str) -> Sequence[SpanAt]:
        facts = self.trees[revision.name].get(path)
        crate = self.crate_at(revision, path)
        return [SpanAt(self.repo, crate, revision, path, s) for s in facts.spans] if facts else []

    def functions(self, revision: Revision, crate: str, function: str) -> Sequence[SpanAt]:
        spans = [s for p in self.trees[revision.name] for s in self.spans_in(revision, p)]
        return [s for s in spans if s.crate == crate and s.span.function == function]

    def function_homes(self, repo: str, crate: str, function: str) -> Sequence[tuple[Revision, Revision, str]]:
        return [(r, r, s.path) for r in self.revisions(repo) for s in self.functions(r, crate, function)]

    def keys(self, kinds: frozenset[SiteKind]) -> Sequence[SiteKey]:
        return sorted({s.key for r in self.revisions(self.repo) for s in self._all(r) if s.key.kind in kinds})

    def places(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        return [s for s in self._all(revision) if s.key == key]

    def follow(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        return self.places(key, revision) or (self.places(self.aliases[key], revision) if key in self.aliases else [])

    def stands(self, key: SiteKey) -> Sequence[tuple[Revision, Revision]]:
        return [(r, r) for r in self.revisions(self.repo) if self.places(key, r)]

    def callers_of_check(self, target: str, revision: Revision) -> Sequence[SiteAt]:
        return [s for s in self._all(revision) if s.key.kind is SiteKind.CHECK and s.target == target]

    def facts(self, repo: str, sha: str, path: str) -> FileFacts | None:
        return self.pasts.get((sha, path))

    def history(self, repo: str, path: str, until: str) -> Sequence[str]:
        dates = {c.sha: c.date for c in self.log}
        return [sha for sha, file in reversed(self.pasts) if file == path and dates[sha][:10] <= until[:10]]

    def past_paths(self, repo: str, tail: str) -> Sequence[str]:
        return sorted({path for _, path in self.pasts if f"/{path}".endswith(f"/{tail}")})

    def macros(self) -> frozenset[str]:
        return frozenset()

    def companion(self, revision: Revision, repo: str) -> Revision | None:
        return None

    def companion_version(self, revision: Revision, crate: str) -> str | None:
        return None

    def _all(self, revision: Revision) -> list[SiteAt]:
        return [s for path in self.trees.get(revision.name, {}) for s in self.sites_in(revision, path)]

    def _at(self, s: SourceSite, crate: str, revision: Revision, path: str) -> SiteAt:
        key = SiteKey(self.repo, crate, s.function, s.kind, s.template)
        return SiteAt(key, revision, path, s.line, s.column, s.test, s.macro_body, s.target, s.receiver)


def site(
    function: str, template: str, line: int, column: int = 9, kind: SiteKind = SiteKind.PANIC, **more
) -> SourceSite:
    return SourceSite(function, kind, template, line, column, **more)


def facts(*sites: SourceSite, spans: Sequence[FunctionSpan] = ()) -> FileFacts:
    return FileFacts(tuple(sites), tuple(spans))
