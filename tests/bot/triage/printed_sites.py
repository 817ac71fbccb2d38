"""Prints a panic site of the index as Rust would: the message, the location in its path shapes, the header layouts."""

from __future__ import annotations

import re
from random import Random

from kb.model import MAIN, Revision, SiteAt, SiteIndex, SiteKind

HOLES = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
VALUES = ("3", "[2, 3]", "Float32", "TensorId { value: 7 }", '"conv1"', "0", "Shape { dims: [1, 64] }", "1.5", "cuda")
SAID_FIRST = {
    SiteKind.TODO: "not yet implemented",
    SiteKind.UNIMPLEMENTED: "not implemented",
    SiteKind.UNREACHABLE: "internal error: entered unreachable code",
}
SIGNS = {
    SiteKind.ASSERT_EQ: "==",
    SiteKind.DEBUG_ASSERT_EQ: "==",
    SiteKind.ASSERT_NE: "!=",
    SiteKind.DEBUG_ASSERT_NE: "!=",
}
UNWRAPPED = (
    "called `Option::unwrap()` on a `None` value",
    "called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound }",
)
WORDS = re.compile(r"[A-Z][a-z]+ |.*\{|[\w']+(?: [\w']+){2,}$")
"""An assert's own text, told from the source text of a bare assert."""


def filled(template: str, pick: Random) -> str:
    """The template with plausible values in its holes."""
    return HOLES.sub(lambda hole: hole[0][0] if hole[0] in ("{{", "}}") else pick.choice(VALUES), template)


def printed_message(site: SiteAt, index: SiteIndex, pick: Random, *, old: bool = False) -> str | None:
    """What the site prints, with the layout of before Rust 1.73 if `old`; None where the index cannot tell."""
    kind, text = site.key.kind, filled(site.key.template, pick)
    if kind in SAID_FIRST:
        return f"{SAID_FIRST[kind]}: {text}" if text else SAID_FIRST[kind]
    if kind in (SiteKind.ASSERT, SiteKind.DEBUG_ASSERT):
        return text if WORDS.match(site.key.template) else f"assertion failed: {site.key.template}"
    if kind in SIGNS:
        if old:
            said = f"assertion failed: `(left {SIGNS[kind]} right)`\n  left: `32`,\n right: `0`"
            return f"{said}: {text}" if text else said
        said = f"assertion `left {SIGNS[kind]} right` failed" + (f": {text}" if text else "")
        return f"{said}\n  left: 32\n right: 0"
    if kind is SiteKind.EXPECT:
        return text and text + pick.choice(("", ': Os { code: 2, kind: NotFound, message: "No such file" }'))
    if kind is SiteKind.UNWRAP:
        return pick.choice(UNWRAPPED)
    if kind is SiteKind.CHECK:
        return _check_message(site, index, pick)
    return (text or "explicit panic") if kind is SiteKind.PANIC else None


def _check_message(site: SiteAt, index: SiteIndex, pick: Random) -> str | None:
    worded = [k for k in index.keys(frozenset({SiteKind.TENSOR_ERROR})) if k.function == site.target]
    reasons = [k for k in worded if index.places(k, site.revision)]
    if not reasons:
        return None
    reason = filled(pick.choice(reasons).template, pick)
    return f"=== Tensor Operation Error ===\n  Operation: 'Matmul'\n  Reason:\n    1. {reason} \n"


def crate_of(site: SiteAt, index: SiteIndex) -> tuple[str, str, str] | None:
    """Crate, its version at the site's revision, and the file from the crate's root."""
    version = site.revision.name.removeprefix("v")
    folder, _, file = site.path.partition("/src/")
    if not file or site.revision.name == MAIN:
        return None
    known = index.revision_of_crate(site.key.repo, site.key.crate, version)
    return (site.key.crate, version, f"src/{file}") if known == site.revision and folder else None


def pinned_paths(crate: str, version: str, file: str) -> tuple[str, ...]:
    """Path shapes that name the release."""
    windows = file.replace("/", "\\")
    return (
        f"/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/{crate}-{version}/{file}",
        f"/root/.cargo/registry/src/mirrors.ustc.edu.cn-5857e57f01837ef8/{crate}-{version}/{file}",
        f"C:\\Users\\me\\.cargo\\registry\\src\\index.crates.io-6f17d22bba15001f\\{crate}-{version}\\{windows}",
        f"C:\\Users\\me\\.cargo\\registry\\src\\index.crates.io-6f17d22bba15001f\\{crate}-{version}\\{file}",
        f"/build/app/cargo-vendor-dir/{crate}-{version}/{file}",
        f"{crate}-{version}/{file}",
        f".../{crate}-{version}/{file}",
    )


def checkout_path(repo: str, sha: str, path: str) -> str:
    """A git checkout of cargo, with the short sha that it uses."""
    return f"/home/me/.cargo/git/checkouts/{repo.split('/')[1]}-178c6829f420dae1/{sha[:7]}/{path}"


OLD_LAYOUTS = (
    "```\nthread 'main' panicked at '{message}', {where}\nnote: run with `RUST_BACKTRACE=1`\n```",
    "It stops.\n\n```\n  thread '<unnamed>' panicked at '{message}', {where}\n```\n",
)
LAYOUTS = (
    "```\nthread 'main' panicked at {where}:\n{message}\nnote: run with `RUST_BACKTRACE=1` environment variable\n```",
    "```text\nthread 'main' (310821) panicked at {where}:\n{message}\n```\nAny idea?",
    "```\npanicked at {where}:\n{message}\n```",
    "```\n  ERROR burn_train::logger: PANIC => panicked at {where}:\n  {indented}\n```",
    "```\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at {where}:\n{message}\n\n\nfailures:\n    it\n```",
    "> thread 'main' panicked at {where}:\n> {quoted}",
)
"""Bodies in Markdown around one location and message, as old and new releases of Rust and loggers print them."""


def report(layout: str, where: str, message: str) -> str:
    """One layout with its location and message."""
    return (
        layout.replace("{where}", where)
        .replace("{indented}", message.replace("\n", "\n  "))
        .replace("{quoted}", message.replace("\n", "\n> "))
        .replace("{message}", message)
    )


def stated(repo: str, revision: Revision) -> str:
    """Words that state the release, as people quote their Cargo.toml."""
    return f'{repo.split("/")[1]} = "{revision.name.removeprefix("v")}"\n\n'


def neighbours(revision: Revision, index: SiteIndex) -> list[Revision]:
    """The releases right before and after."""
    line = [r for r in index.revisions(revision.repo) if r.is_release]
    at = line.index(revision)
    return [*line[max(0, at - 1) : at], *line[at + 1 : at + 2]]
