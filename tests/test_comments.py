"""Whole comments, word for word. `BLESS=1 pytest tests/test_comments.py` accepts new ones, for the review to read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest

from bot.evaluation.cases import load_cases
from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.model import Report, Verdict
from bot.triage.render import render
from bot.triage.rendered import strangers
from bot.triage.upstream import CRATES

HERE = Path(__file__).parent
GOLDEN = HERE / "corpus" / "comments"
REGISTRY = "/home/rowan/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"
MOST_LINES = 60
"""Outside of folds."""


@dataclass(frozen=True)
class Kind:
    """One kind of comment: the report it is for, and what stands around it."""

    what: str
    report: str | Report
    """A case of tests/corpus/reports, or a report of our own."""
    around: dict[str, Any] = field(default_factory=dict)
    unwritten: bool = False
    """As if nobody had written an entry for it yet."""


def header(crate: str, place: str) -> str:
    """The line before the message."""
    return f"thread 'main' panicked at {REGISTRY}/{crate}/{place}:"


def printed(crate: str, place: str, message: str, more: str = "") -> Report:
    """A report with one panic as Rust prints it."""
    body = f"```\n{header(crate, place)}\n{message}\n```\n{more}"
    return Report("own", "It crashes", body, (), "tracel-ai/burn", "2026-08-20")


def said(message: str, version: str) -> Report:
    """A report with the words alone."""
    return Report("own", "It crashes", f"burn {version}:\n\n```\n{message}\n```", (), "tracel-ai/burn", "2026-08-20")


def without_entry(verdict: Verdict) -> Verdict:
    evidence = tuple(step for step in verdict.evidence if step.step != "entry")
    return replace(verdict, entry=None, fixed_in=None, evidence=evidence)


BOOL = "not implemented: Unsupported dtype for `bool_from_data` Bool(Native)"
HANDLE = "Should have handle for tensor TensorId { value: 497010 }"
LEAF = "Can't convert a non leaf tensor into a tracked tensor"
REPEATS = (31, 12, 77, 80)

UPSTREAM = tuple(f"https://github.com/{repo}" for repo in CRATES)

KINDS = {
    "burn-4005": Kind("matched with an entry whose problem moved elsewhere", "burn-4005"),
    "burn-5005": Kind("fixed in a pre-release, and the newest release still has it", "burn-5005"),
    "burn-5279": Kind("ambiguous: the one question", "burn-5279", unwritten=True),
    "burn-3990": Kind("an echo alone", "burn-3990"),
    "burn-3461": Kind("foreign with an entry, and a consequence", "burn-3461"),
    "burn-4347": Kind("the root of several panics", "burn-4347"),
    "moved-by-hand": Kind("the index lost the site, the entry knows where it went", "burn-3129"),
    "burn-652": Kind("a tensor check at an old release", "burn-652"),
    "fixed-in-a-later-release": Kind("the entry names the release that is free of it", "burn-3927"),
    "fixed-without-workaround": Kind("nothing but the update helps", "burn-4850"),
    "still-there": Kind("the newest release and main still have it", "burn-2754"),
    "between-releases": Kind("a commit between two releases, answered at that very commit", "burn-3815"),
    "the-same-again": Kind("the same panic a second time, gone on main alone", "cubecl-1019"),
    "a-fault-of-its-own": Kind(
        "another panic in a later comment, which may have nothing to do with the first",
        Report(
            "own",
            "Two things",
            f"```\n{header('burn-ir-0.20.0', 'src/handle.rs:88:32')}\n{HANDLE}\n```",
            (f"Also:\n\n```\n{header('burn-autodiff-0.20.0', 'src/tensor.rs:90:17')}\n{LEAF}\n```",),
            "tracel-ai/burn",
            "2026-08-20",
        ),
    ),
    "card-gone": Kind("matched, no entry, gone since a release", "burn-1096", unwritten=True),
    "card-repeats": Kind(
        "matched, no entry, still there: said because others had it too",
        printed("burn-autodiff-0.20.0", "src/tensor.rs:90:17", LEAF),
        {"repeats": REPEATS},
        unwritten=True,
    ),
    "commit-not-known": Kind(
        "a commit that nobody knows here, answered by main",
        Report(
            "own",
            "It crashes",
            "```\nthread 'main' panicked at /home/rowan/.cargo/git/checkouts/burn-178c6829f420dae1/0badcaf/crates/"
            "burn-autodiff/src/ops/module.rs:60:9:\nCan't differentiate embedding backward.\n```\n",
            (),
            "tracel-ai/burn",
            "2026-09-05",
        ),
    ),
    "regression": Kind(
        "on a release newer than the fix",
        printed("burn-cubecl-0.22.0-pre.2", "src/ops/bool_tensor.rs:52:13", BOOL),
    ),
    "several-places-one-entry": Kind(
        "one text at many places, one entry for all", said("Only tensor input is valid", "0.17.1")
    ),
    "foreign-with-repeats": Kind(
        "foreign, with repeats and the entry's page",
        "burn-onnx-325",
        {"repeats": REPEATS[:2], "public_url": "https://triage.example/"},
    ),
    "full-with-everything": Kind(
        "matched, with repeats, page and answers to commands",
        printed("burn-ir-0.20.0", "src/handle.rs:88:32", HANDLE),
        {"repeats": REPEATS, "public_url": "https://triage.example", "asked": ("One.", "Two.", "Three.", "Four.")},
    ),
    "asked-unknown": Kind(
        "nobody knows it, and somebody asked",
        printed("burn-core-0.20.0", "src/lib.rs:1:1", "no such words at all"),
        {"spoken": True, "asked": ("`/triage`: see above.",)},
    ),
    "asked-foreign": Kind(
        "not ours, and somebody asked",
        printed("wgpu-core-24.0.0", "src/device.rs:1:1", "no such words at all"),
        {"spoken": True},
    ),
    "asked-no-panic": Kind(
        "no panic, and somebody asked", Report("own", "A question", "How do I train?"), {"spoken": True}
    ),
}


@pytest.fixture(scope="module")
def knowledge():
    found, _ = open_for_command(HERE.parent / "kb", None)
    return found


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    folders = ("reports", "reports-own")
    return {case.id: case.report for name in folders for case in load_cases(HERE / "corpus" / name)}


@pytest.fixture(scope="module")
def comments(knowledge, reports) -> dict[str, str | None]:
    found = {}
    for name, kind in KINDS.items():
        report = reports[kind.report] if isinstance(kind.report, str) else kind.report
        verdict = analyze(report, knowledge)
        verdict = without_entry(verdict) if kind.unwritten else verdict
        comment = render(verdict, knowledge, **kind.around)
        found[name] = comment and comment.replace(knowledge.revision, "<revision>")
    return found


@pytest.mark.parametrize("name", KINDS, ids=str)
def test_the_comment_is_word_for_word_what_was_accepted(name, comments):
    text = comments[name]
    assert text is not None
    file = GOLDEN / f"{name}.md"
    if os.environ.get("BLESS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", KINDS, ids=str)
def test_what_github_makes_of_it_holds_nothing_that_is_not_ours(name, comments):
    ours = ("https://github.com/tracel-ai/", *UPSTREAM, "https://docs.rs/crate/", "https://triage.example/errors/KB-")
    text = comments[name].replace("<revision>", "0123456789ab")
    assert strangers(text, lambda href: href.startswith(ours)) == ()


@pytest.mark.parametrize("name", KINDS, ids=str)
def test_it_is_short_and_its_folds_are_closed(name, comments):
    text = comments[name]
    outside = re.sub(r"<details>.*?</details>", "", text, flags=re.S)
    assert len(outside.splitlines()) <= MOST_LINES
    assert (text.count("<details>"), "<details>" in outside) == (text.count("</details>"), False)


@pytest.mark.parametrize("name", KINDS, ids=str)
def test_a_permalink_stands_alone_on_its_line(name, comments):
    """GitHub shows the code only for an address that is a paragraph of its own."""
    html = cmarkgfm.github_flavored_markdown_to_html(comments[name])
    bare = [line for line in comments[name].splitlines() if line.startswith("https://")]
    assert [link for link in bare if f'<p><a href="{link}">{link}</a></p>' not in html] == []
    assert all(re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/blob/[0-9a-f]{40}/\S+#L\d+", link) for link in bare)


def test_every_accepted_comment_belongs_to_a_kind():
    assert {file.stem for file in GOLDEN.glob("*.md")} == set(KINDS)
