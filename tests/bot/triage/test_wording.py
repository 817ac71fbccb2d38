"""Sentences that depend on where the reporter stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.opening import open_for_command
from bot.triage import wording
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Evidence, PanicReport, Report, Role, SourceRef, Trust, Verdict
from bot.triage.render import render
from bot.triage.rendered import strangers
from kb.entry import Entry

PRINTED = """\
    thread 'main' panicked at /x/registry/src/index.crates.io-1949/burn-cubecl-{0}/src/ops/bool_tensor.rs:{1}:13:
    not implemented: Unsupported dtype for `bool_from_data` Bool(Native)
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[3] / "kb", None)[0]


def matched(knowledge: Knowledge, version: str, line: int) -> tuple[Entry, Verdict]:
    """An entry that is fixed in v0.22.0-pre.1 while its site stands on."""
    verdict = analyze(Report(None, "", PRINTED.format(version, line)), knowledge)
    assert verdict.entry
    return knowledge.entries[verdict.entry], verdict


def test_before_the_fix_there_is_no_regression(knowledge: Knowledge):
    entry, verdict = matched(knowledge, "0.21.0", 46)
    assert (verdict.fixed_in, wording.regression(entry, verdict)) == ("v0.22.0-pre.1", [])


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.22.0-pre.1", "This report is on burn 0.22.0-pre.1, the version of the fix: the cause may be another"),
        ("0.22.0-pre.2", "This report is on burn 0.22.0-pre.2, newer than the fix in 0.22.0-pre.1: the cause"),
    ],
)
def test_from_the_fix_on_it_is_told(knowledge: Knowledge, version: str, words: str):
    entry, verdict = matched(knowledge, version, 52)
    [said] = wording.regression(entry, verdict)
    assert said.startswith(words)


def test_a_commit_after_the_fix_is_called_by_its_name_and_a_guessed_revision_is_not(knowledge: Knowledge):
    entry, verdict = matched(knowledge, "0.22.0-pre.2", 52)
    assert verdict.place is not None
    commit = replace(verdict.place.revision, name="abcdef0123" * 4, commit="abcdef0123" * 4, order=-1)
    at_commit = replace(verdict, place=replace(verdict.place, revision=commit))
    [said] = wording.regression(entry, at_commit)
    assert said.startswith("This report is on burn at commit `abcdef0123`, newer than the fix in 0.22.0-pre.1")
    assert wording.regression(entry, replace(at_commit, trust=Trust.NEAR)) == []


def panic(text: str, index: int = 0, role: Role = Role.CONSEQUENCE) -> PanicReport:
    return PanicReport(text, None, "rust_1_73", SourceRef("comment", index), role=role)


ROOT = panic("the root", role=Role.ROOT)
ECHO = "sending: SendError { .. }"


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ([], []),
        ([panic("the root", 1)], []),
        ([panic("one")], ["The second panic, `one`, most likely follows from it."]),
        ([panic(ECHO, 1)], [f"The second panic, `{ECHO}`, most likely follows from it."]),
        ([panic("one"), panic("two")], ["The other 2 panics most likely follow from it: `one`, `two`."]),
        ([panic("one", 1)], ["The report holds another panic, `one`, which may be a fault of its own."]),
        (
            [panic("one"), panic("two", 1), panic("three", 2)],
            [
                (
                    "The second panic, `one`, most likely follows from it. "
                    "The report holds 2 more panics that may be faults of their own: `two`, `three`."
                )
            ],
        ),
    ],
)  # fmt: skip
def test_other_panics_are_told_by_what_they_most_likely_are(others: list[PanicReport], words: list[str]):
    assert wording.other_panics([ROOT, *others], ROOT) == words


@pytest.mark.parametrize(
    ("repo", "words"),
    [
        ("tracel-ai/burn", "Update to burn 0.21.0 or later."),
        ("tracel-ai/burn-onnx", "Update to burn-onnx 0.21.0 or later."),
        ("tracel-ai/cubecl", "Update to a burn that comes with cubecl 0.21.0 or later."),
    ],
)
def test_where_only_the_update_helps_it_is_one_that_readers_can_make(knowledge: Knowledge, repo: str, words: str):
    entry = next(entry for entry in knowledge.entries.values() if entry.repo == "tracel-ai/burn" and entry.sites)
    moved = replace(entry, workarounds=(), sites=tuple(replace(site, repo=repo) for site in entry.sites))
    verdict = replace(matched(knowledge, "0.21.0", 46)[1], fixed_in="v0.21.0")
    [said] = wording.workarounds(moved, verdict, knowledge)
    assert said == f"**Workarounds.** {words} No other is known for this version."


TWO = """\
    thread '{0}' panicked at {0}/src/a.rs:1:1:
    no such text here

    thread '{0}' panicked at {0}/src/b.rs:1:1:
    another text, {0}
"""


@pytest.mark.parametrize("bad", ["<unnamed>", "<b>x</b>", "@everyone", "`` `", "[a](https://x.example)", "<!-- x -->"])
def test_names_from_the_report_are_code_in_the_evidence_too(knowledge: Knowledge, bad: str):
    comment = render(analyze(Report(None, "", TWO.format(bad)), knowledge), knowledge, spoken=True)
    assert comment is not None
    assert strangers(comment, lambda href: href.startswith("https://github.com/tracel-ai/")) == ()


def test_evidence_in_which_quoting_was_forgotten_is_code_altogether(knowledge: Knowledge):
    _, verdict = matched(knowledge, "0.21.0", 46)
    spoiled = replace(verdict, evidence=(Evidence("read", "thread <img src=x> of @everyone"),))
    assert "- `thread <img src=x> of @everyone`" in str(render(spoiled, knowledge))


WEIGHTS = "Weights of cross-entropy have to be positive."
ASKED_FOR = "**One thing would decide it:** the line"


def two_places(knowledge: Knowledge, printed: str = WEIGHTS) -> Verdict:
    """A text of two functions; as if nobody had written an entry."""
    report = Report(None, "", f"burn 0.20.0\n```\n{printed}\n```", (), "tracel-ai/burn", "2026-08-20")
    return replace(analyze(report, knowledge), entry=None)


def test_what_is_asked_for_is_the_line_that_decides(knowledge: Knowledge):
    verdict = two_places(knowledge)
    assert (len(verdict.candidates), ASKED_FOR in str(render(verdict, knowledge))) == (2, True)


def test_what_was_told_already_is_not_asked_for(knowledge: Knowledge):
    """The printed line fits neither: asked for again, it would leave both standing."""
    place = "thread 'main' panicked at crates/burn-nn/src/loss/other.rs:12:3:"
    assert render(two_places(knowledge, f"{place}\n{WEIGHTS}"), knowledge) is None


@pytest.mark.parametrize("copies", [0, 3])
def test_one_place_is_no_choice_and_six_are_no_question(knowledge: Knowledge, copies: int):
    verdict = two_places(knowledge)
    places = verdict.candidates * copies or verdict.candidates[:1]
    assert render(replace(verdict, candidates=places), knowledge) is None
