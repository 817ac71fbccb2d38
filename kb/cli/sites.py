"""Look into the site index.

burn-triage kb sites show 3f2a…                       a site by the id of its key (16 hex digits)
burn-triage kb sites show src/handle.rs:97            what stands at a line, in every file that ends so
burn-triage kb sites show src/handle.rs:97 --at v0.20.1
burn-triage kb sites grep 'should.*handle'            sites whose message or function matches
burn-triage kb sites grep get_handle --kind panic --crate burn-ir --at main
burn-triage kb sites grep unsqueeze --functions       functions, for panics that Rust itself raises in them
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from kb.catalog import Catalog, open_catalog
from kb.cli._options import add_kb, open_kb
from kb.errors import KnowledgeBaseError
from kb.model import MAIN, Revision, SiteAt, SiteKey, SiteKind
from kb.sitefiles import bit_runs

WIDTH = 100
"""Characters of a message shown by `grep`; `show` prints it whole."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `kb sites`."""
    group = parser.add_subparsers(dest="sites_command", required=True, metavar="show|grep")
    show = group.add_parser(
        "show", help="one site, or what stands at a line", description="One site, or what stands at a line."
    )
    show.add_argument("place", metavar="ID|PATH:LINE", help="id of a site key, or the end of a path and a line")
    grep = group.add_parser("grep", help="search messages and functions", description="Search messages and functions.")
    grep.add_argument("pattern", metavar="REGEX", help="regular expression, letters of either case")
    grep.add_argument("--kind", choices=[str(kind) for kind in SiteKind], help="only this kind")
    grep.add_argument("--crate", metavar="NAME", help="only this crate")
    grep.add_argument("--functions", action="store_true", help="search the names of all functions instead")
    for sub in (show, grep):
        add_kb(sub)
        sub.add_argument("--repo", metavar="OWNER/NAME", help="only this repository")
        sub.add_argument("--at", metavar="REVISION", help="tag, main, or commit of an indexed revision")


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 where nothing was."""
    catalog = open_catalog(open_kb(args))
    if args.repo and args.repo not in catalog.repos():
        raise KnowledgeBaseError(f"--repo {args.repo}: not in the index; known are {', '.join(catalog.repos())}")
    look = _show if args.sites_command == "show" else _grep_functions if args.functions else _grep
    lines = list(look(catalog, args))
    print("\n".join(lines) if lines else "nothing found")
    return 0 if lines else 1


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise KnowledgeBaseError(f"{text}: no regular expression: {error}; escape what is meant as text") from None


def _grep_functions(catalog: Catalog, args: argparse.Namespace) -> Iterator[str]:
    """Every function outside tests whose name matches, with the file and the releases that have it there."""
    if args.kind:
        raise KnowledgeBaseError("--functions searches functions, which have no kind; leave --kind out")
    pattern, wanted = _pattern(args.pattern), _revisions(catalog, args, default=None)
    for repo in [args.repo] if args.repo else catalog.repos():
        revisions = catalog.revisions(repo)
        for (crate, path, function), mask in sorted(catalog.all_functions(repo).items()):
            if args.crate not in (None, crate) or not pattern.search(function):
                continue
            runs = [run for a, b in bit_runs(mask) if _holds(run := (revisions[a], revisions[b]), wanted)]
            if runs:
                yield f"{repo}  {crate}  {function}  {path}  {_runs(runs)}"


def _grep(catalog: Catalog, args: argparse.Namespace) -> Iterator[str]:
    pattern = _pattern(args.pattern)
    revisions = _revisions(catalog, args, default=None)
    for key in sorted(catalog.keys(frozenset({SiteKind(args.kind)} if args.kind else SiteKind))):
        wanted = args.crate in (None, key.crate) and args.repo in (None, key.repo)
        if not wanted or not (pattern.search(key.template) or pattern.search(key.function)):
            continue
        runs = [run for run in catalog.stands(key) if _holds(run, revisions)]
        if runs:
            text = key.template if len(key.template) <= WIDTH else key.template[:WIDTH] + "…"
            yield f"{key.id}  {key.crate}  {key.function}  {key.kind}  {text!r}  {_runs(runs)}"


def _show(catalog: Catalog, args: argparse.Namespace) -> Iterator[str]:
    if re.fullmatch(r"[0-9a-f]{16}", args.place):
        keys = [key for key in catalog.keys(frozenset(SiteKind)) if key.id == args.place]
        for key in keys:
            yield from _key(catalog, key)
        return
    match = re.fullmatch(r"(.+?\.rs):(\d+)(?::(\d+))?", args.place)
    if match is None:
        raise KnowledgeBaseError(f"{args.place}: neither an id of 16 hex digits nor PATH:LINE; give src/file.rs:12")
    for revision in _revisions(catalog, args, default=MAIN) or []:
        for path in catalog.paths(revision, match[1]):
            yield from _line(catalog, revision, path, int(match[2]))


def _line(catalog: Catalog, revision: Revision, path: str, line: int) -> Iterator[str]:
    spans = [s for s in catalog.spans_in(revision, path) if s.span.start <= line <= s.span.end]
    where = f" in {spans[-1].span.function}" if spans else ""
    yield f"{path}:{line} of {revision.repo} {revision.name}{where}"
    for site in catalog.sites_in(revision, path):
        if site.line == line:
            yield from (f"  {text}" for text in _key(catalog, site.key))


def _key(catalog: Catalog, key: SiteKey) -> Iterator[str]:
    yield f"{key.id}  {key.repo}  {key.crate}  {key.function}  {key.kind}"
    if key.template:
        yield f"  message   {key.template!r}"
    runs = catalog.stands(key)
    yield f"  stands    {_runs(runs)}"
    for name, revision in (("newest", catalog.newest_release(key.repo)), (MAIN, catalog.revisions(key.repo)[-1])):
        for site in catalog.follow(key, revision):
            yield f"  {name:<9} {_site(site, key)}"
    if runs and not catalog.follow(key, catalog.revisions(key.repo)[-1]):
        for site in catalog.places(key, runs[-1][1]):
            yield f"  {'last':<9} {_site(site, key)}"
    for entry in catalog.entries:
        if key in entry.keys:
            yield f"  entry     {entry.kb_id} {entry.title}"


def _site(site: SiteAt, key: SiteKey) -> str:
    parts = [site.permalink]
    if site.key != key:
        parts.append(f"as {site.key.crate} {site.key.function} {site.key.kind} {site.key.template!r}")
    parts += [f"{name} {value}" for name, value in (("of", site.target), ("after", site.receiver)) if value]
    parts += [word for word, flag in (("test", site.test), ("macro body", site.macro_body)) if flag]
    return "  ".join(parts)


def _runs(runs: Sequence[tuple[Revision, Revision]]) -> str:
    return ", ".join(first.name if first is last else f"{first.name} to {last.name}" for first, last in runs)


def _holds(run: tuple[Revision, Revision], revisions: list[Revision] | None) -> bool:
    if revisions is None:
        return True
    return any(r.repo == run[0].repo and run[0].order <= r.order <= run[1].order for r in revisions)


def _revisions(catalog: Catalog, args: argparse.Namespace, default: str | None) -> list[Revision] | None:
    """The revisions that `--at` names, one a repository at most; None where all are meant."""
    name = args.at or default
    if name is None:
        return None
    repos = [args.repo] if args.repo else catalog.repos()
    found = [r for repo in repos if (r := catalog.revision(repo, name)) is not None]
    if not found:
        raise KnowledgeBaseError(f"--at {name}: no such revision in the index; `kb stats` lists what there is")
    return found
