"""Rust source bytes in, panic sites, function spans and names out. Pure: no I/O, no state, any bytes accepted.

How it works: `lexer` blanks out comments and the insides of strings and pairs the brackets; `outline` finds the items
with tree-sitter; the `*_sites` modules find the sites in the blanked code; `scopes` says which function each is in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from tree_sitter import Node

from kb.model import PANIC_KINDS, FileFacts, FunctionSpan, SiteKind, SourceSite
from kb.paths import is_test_path
from kb.source.attribute_sites import cubes, error_texts
from kb.source.attributes import Attribute, attributes, is_test
from kb.source.call_sites import method_sites, value_sites
from kb.source.check_sites import check_calls as _check_calls
from kb.source.check_sites import registrations
from kb.source.definitions import definitions
from kb.source.found import Found
from kb.source.lexer import Lexed
from kb.source.literals import has_words
from kb.source.macro_sites import QUOTES, Call, macro_calls, macro_site
from kb.source.names import names
from kb.source.outline import Item, items, parse_tree
from kb.source.scan import FileScan, close_macros, keep_macro_calls
from kb.source.scopes import Scope, locate, scopes, whole_file

__all__ = [
    "FileScan",
    "check_calls",
    "close_macros",
    "is_test_path",
    "keep_macro_calls",
    "panicking_macros",
    "parse_file",
    "scan_file",
    "test_modules",
]


def parse_file(source: bytes, path: str, macros: frozenset[str] | None = None) -> FileFacts:
    """All facts of one file.

    `path` is from the repository's root, with forward slashes; it decides only what counts as test code. `macros` are
    the names (without `!`) of the `macro_rules!` whose calls can panic; by default those that the file itself defines.
    """
    scan = scan_file(source, path)
    return keep_macro_calls(scan.facts, close_macros(scan.macros) if macros is None else macros)


def scan_file(source: bytes, path: str) -> FileScan:
    """Everything one file says, read once; the way to index a repository, where macros cross files."""
    lexed = Lexed(source)
    return scan_lexed(lexed, path, parse_tree(lexed))


def scan_lexed(lexed: Lexed, path: str, root: Node | None) -> FileScan:
    """The same of a file whose lexical layer is known; `root` as `parse_tree` gives it, None to go without."""
    defined = definitions(lexed)
    marks = attributes(lexed)
    calls = list(macro_calls(lexed))
    every = _scopes(lexed, items(lexed, root, defined), marks, calls, path)
    placed = _placed(_found(lexed, calls, marks), every)
    sites = chain(_sites(lexed, placed), _cube_sites(lexed, marks, every))
    facts = FileFacts(
        sites=tuple(sorted(set(sites), key=lambda s: (s.line, s.column, s.kind, s.template))),
        spans=tuple(_spans(lexed, marks, every)),
        names=names(lexed, defined),
        fallback=root is None,
    )
    return FileScan(facts, _macros(placed, every), _check_calls(lexed, every), _test_modules(every))


def panicking_macros(source: bytes) -> frozenset[str]:
    """Names of the file's `macro_rules!` that can panic, as far as this file alone tells."""
    return close_macros(scan_file(source, "").macros)


def check_calls(source: bytes) -> Mapping[str, frozenset[str]]:
    """Each `TensorCheck::f` defined in the file, with the other `TensorCheck::g` it calls."""
    return scan_file(source, "").checks


def test_modules(source: bytes) -> frozenset[str]:
    """Names x of `#[cfg(test)] mod x;`: the parent says that the file `x.rs` or `x/mod.rs` is test code."""
    return scan_file(source, "").test_modules


def _scopes(
    lexed: Lexed, outline: Sequence[Item], marks: Sequence[Attribute], calls: Sequence[Call], path: str
) -> list[Scope]:
    tests = [mark for mark in marks if is_test(lexed, mark)]
    first = outline[0].start if outline else len(lexed.source)
    test = is_test_path(path) or any(mark.owner < 0 and mark.start < first for mark in tests)
    quotes = [(call.opener, lexed.pair[call.opener]) for call in calls if call.name in QUOTES]
    return scopes(outline, frozenset(mark.owner for mark in tests), quotes, whole_file(len(lexed.source), test=test))


def _found(lexed: Lexed, calls: Sequence[Call], marks: Sequence[Attribute]) -> list[Found]:
    """All sites but the `#[cube]` lines, by offset. Literals go to the most specific site that holds them."""
    sites = [site for call in calls if (site := macro_site(lexed, call))]
    sites.extend(method_sites(lexed))
    sites.extend(registrations(lexed))
    sites.extend(error_texts(lexed, marks))
    used = {site.literal for site in sites}
    sites.extend(value_sites(lexed, used))
    return sorted(sites)


Placed = tuple[Found, Scope]


def _placed(sites: Sequence[Found], every: list[Scope]) -> list[Placed]:
    return list(zip(sites, locate((site.offset for site in sites), every), strict=True))


_FORMATS = {" as Display>::fmt": SiteKind.DISPLAY, " as Debug>::fmt": SiteKind.DEBUG_IMPL}


def _sites(lexed: Lexed, placed: Sequence[Placed]) -> Iterator[SourceSite]:
    """The sites as values; writes outside of `fmt` functions and hidden macro calls say nothing and are left out."""
    for found, scope in placed:
        kind: SiteKind | None = found.kind
        if kind is SiteKind.DISPLAY:
            kind = _format_kind(scope.function, found.template)
        if kind and not (scope.macro_body and kind is SiteKind.MACRO_CALL):
            yield SourceSite(
                function=scope.function,
                kind=kind,
                template=found.template,
                line=lexed.line(found.offset),
                column=lexed.column(found.offset),
                test=scope.test,
                macro_body=scope.macro_body,
                target=scope.function if kind is SiteKind.TENSOR_ERROR else found.target,
                receiver=found.receiver,
            )


def _format_kind(function: str, template: str) -> SiteKind | None:
    """DISPLAY or DEBUG_IMPL for the words of an error type, or for a sentence; None for what only spells a value."""
    kind = _FORMATS.get(function[function.rfind(" as ") :])
    return kind if kind and ("Err" in function or has_words(template, 3)) else None


def _cube_sites(lexed: Lexed, marks: Sequence[Attribute], every: Sequence[Scope]) -> Iterator[SourceSite]:
    """`#[cube]` lines; their function is the item that the attribute expands."""
    owners = {scope.start: scope for scope in every}
    for offset, scope in cubes(marks, owners):
        if scope and not scope.macro_body:
            line, column = lexed.line(offset), lexed.column(offset)
            yield SourceSite(scope.label, SiteKind.CUBE, "", line, column, test=scope.test)


def _spans(lexed: Lexed, marks: Sequence[Attribute], every: Sequence[Scope]) -> Iterator[FunctionSpan]:
    tracked = {mark.owner for mark in marks if mark.name == "track_caller"}
    for scope in every:
        if scope.kind == "fn" and scope.body >= 0 and not scope.macro_body:
            start, end = lexed.line(scope.start), lexed.line(scope.end - 1)
            yield FunctionSpan(scope.function, start, end, scope.test, scope.start in tracked)


def _macros(placed: Sequence[Placed], every: Sequence[Scope]) -> Mapping[str, frozenset[str]]:
    """What the body of each macro calls, "" for a panic of its own."""
    calls: dict[str, set[str]] = {scope.label[:-1]: set() for scope in every if scope.kind == "macro"}
    for found, scope in placed:
        if scope.function.endswith("!"):
            inside = calls.setdefault(scope.function[:-1], set())
            if found.kind in PANIC_KINDS:
                inside.add("")
            elif found.kind in (SiteKind.MACRO_CALL, SiteKind.CHECK):
                inside.add(found.target[:-1] if found.kind is SiteKind.MACRO_CALL else "check")
    return {name: frozenset(inside) for name, inside in calls.items()}


def _test_modules(every: Sequence[Scope]) -> frozenset[str]:
    """Modules without a body that are test code, by attribute or by name."""
    return frozenset(s.name for s in every if s.kind == "mod" and s.body < 0 <= s.start and s.test)
