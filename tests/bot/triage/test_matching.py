"""From a panic to candidates: what may be answered at which revision, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.triage.knowledge import BlobRef, HistoryRef, Knowledge, LineRef, RecordedSource
from bot.triage.matching import match_panic
from bot.triage.model import Fact, Location, PanicReport, SourceRef, Trust
from kb.model import Commit, FunctionSpan, SiteKind
from tests.bot.triage.memory_index import REPO, MemoryIndex, facts, site

PATH = "crates/burn-x/src/run.rs"
WORDS = "The queue has no more operations"
OLD = facts(
    site("Queue::take", WORDS, 20),
    site("Queue::lock", "", 30, 15, SiteKind.UNWRAP),
    spans=[FunctionSpan("Queue::take", 10, 25), FunctionSpan("Queue::lock", 27, 35), FunctionSpan("sum", 40, 50)],
)
NEW = facts(
    site("Queue::take", WORDS, 22),
    site("Queue::lock", "", 32, 15, SiteKind.UNWRAP),
    spans=[FunctionSpan("Queue::take", 12, 27), FunctionSpan("Queue::lock", 29, 37), FunctionSpan("sum", 42, 52)],
)
SHA = "ab" * 20
LOG = (Commit(REPO, SHA, "2026-02-01T00:00:00Z", "v0.2.0"),)
INDEX = MemoryIndex(
    {"v0.1.0": {PATH: OLD}, "v0.2.0": {PATH: NEW}, "main": {PATH: NEW}},
    {"v0.1.0": "2026-01-01T00:00:00Z", "v0.2.0": "2026-03-01T00:00:00Z", "main": "2026-04-01T00:00:00Z"},
    LOG,
)


def knowledge(index=INDEX, source=None):
    return Knowledge.of(index, (), "test", source)


def panic(message, line=None, column=None, **location):
    place = Location("src/run.rs", line, column, **location) if line else None
    return PanicReport(message, place, "rust_1_73", SourceRef("body"))


def matched(report, *, stated=(), date=None, base=None):
    given = [Fact("burn", value, SourceRef("body")) for value in stated]
    found = match_panic(report, given, date, base or knowledge())
    return [(c.place.revision.name, c.place.line, c.place.function, c.trust) for c in found.candidates]


def test_a_pinned_version_answers_where_line_column_and_text_agree():
    report = panic(WORDS, 20, 9, crate="burn-x", version="0.1.0")
    assert matched(report) == [("v0.1.0", 20, "Queue::take", Trust.EXACT)]


def test_the_same_location_in_the_wrong_version_is_never_answered():
    report = panic(WORDS, 20, 9, crate="burn-x", version="0.2.0")
    assert {trust for *_, trust in matched(report)} == {Trust.FLAGGED}


def test_a_text_that_disagrees_with_its_place_is_flagged():
    report = panic("Something that is said elsewhere", 30, 15, crate="burn-x", version="0.1.0")
    assert {trust for *_, trust in matched(report)} == {Trust.FLAGGED}


def test_a_damaged_copy_of_the_text_is_taken_at_the_exact_place():
    report = panic("The queue has no more op", 20, 9, crate="burn-x", version="0.1.0")
    assert matched(report) == [("v0.1.0", 20, "Queue::take", Trust.EXACT)]


def test_a_bare_unwrap_is_told_by_its_place():
    report = panic("called `Option::unwrap()` on a `None` value", 30, 15, crate="burn-x", version="0.1.0")
    assert matched(report) == [("v0.1.0", 30, "Queue::lock", Trust.EXACT)]


def test_an_implicit_panic_is_answered_by_its_function():
    report = panic("index out of bounds: the len is 1 but the index is 1", 44, 5, crate="burn-x", version="0.1.0")
    assert matched(report) == [("v0.1.0", 44, "sum", Trust.FUNCTION)]


def test_a_foreign_crate_is_foreign_whatever_the_text_says():
    found = match_panic(panic(WORDS, 20, 9, crate="wgpu", version="0.1.0"), (), None, knowledge())
    assert (found.foreign, found.candidates) == (True, ())


def test_a_version_above_the_index_is_not_guessed_at():
    found = match_panic(panic(WORDS, 20, 9, crate="burn-x", version="0.9.0"), (), None, knowledge())
    assert (found.newer, found.candidates) == (True, ())
    assert "newer than the index" in found.evidence[0].text


def test_a_commit_is_read_on_the_spot():
    moved = facts(site("Queue::take", WORDS, 21), spans=[FunctionSpan("Queue::take", 11, 26)])
    source = RecordedSource(blobs={BlobRef(REPO, SHA, PATH): moved})
    report = panic(WORDS, 21, 9, crate="burn-x", commit=SHA[:7])
    assert matched(report, base=knowledge(source=source)) == [(SHA, 21, "Queue::take", Trust.EXACT)]


def test_a_commit_that_cannot_be_read_is_answered_by_the_nearest_release_and_asked_for():
    base = knowledge()
    report = panic(WORDS, 21, 9, crate="burn-x", commit=SHA[:7])
    assert matched(report, base=base) == [("v0.2.0", 22, "Queue::take", Trust.NEAR)]
    assert base.source.missing == {BlobRef(REPO, SHA, PATH)}


def test_without_a_revision_the_stated_version_must_fit():
    report = panic(WORDS, 20, 9, crate="burn-x")
    assert matched(report, stated=["0.1"]) == [("v0.1.0", 20, "Queue::take", Trust.AGREES)]


def test_without_a_revision_older_versions_of_the_file_are_tried():
    moved = facts(site("Queue::take", WORDS, 21), spans=[FunctionSpan("Queue::take", 11, 26)])
    older = Commit(REPO, "cd" * 20, "2026-01-20T00:00:00Z", "v0.2.0")
    source = RecordedSource(
        blobs={BlobRef(REPO, SHA, PATH): NEW, BlobRef(REPO, older.sha, PATH): moved},
        histories={HistoryRef(REPO, PATH, LOG[0].date): (older.sha,)},
    )
    base = knowledge(replace(INDEX, log=(older, *LOG)), source)
    found = matched(panic(WORDS, 21, 9, crate="burn-x"), date="2026-02-02", base=base)
    assert found == [(older.sha, 21, "Queue::take", Trust.AGREES)]


BARE = panic("called `Option::unwrap()` on a `None` value", 30, 15, crate="burn-x")


def test_a_bare_unwrap_without_a_revision_is_told_by_the_only_function_that_has_one_there():
    assert matched(BARE) == [("v0.1.0", 30, "Queue::lock", Trust.AGREES)]


def test_a_bare_unwrap_without_a_revision_is_not_told_where_two_functions_have_one_there():
    other = facts(site("Queue::wait", "", 30, 15, SiteKind.UNWRAP), spans=[FunctionSpan("Queue::wait", 28, 31)])
    index = replace(INDEX, trees={**INDEX.trees, "v0.2.0": {PATH: other}})
    assert {trust for *_, trust in matched(BARE, base=knowledge(index))} == {Trust.FLAGGED}


def test_words_alone_answer_where_one_function_has_them():
    assert matched(panic(WORDS), date="2026-03-05") == [("v0.2.0", 22, "Queue::take", Trust.WORDS)]


def test_words_alone_mean_a_pre_release_only_where_the_day_does():
    dates = {"v0.2.0": "2026-03-01T00:00:00Z", "v0.3.0-pre.1": "2026-05-01T00:00:00Z"}
    base = knowledge(MemoryIndex({"v0.2.0": {PATH: NEW}, "v0.3.0-pre.1": {PATH: OLD}}, dates))
    assert matched(panic(WORDS), base=base) == [("v0.2.0", 22, "Queue::take", Trust.WORDS)]
    assert matched(panic(WORDS), date="2026-05-02", base=base) == [("v0.3.0-pre.1", 20, "Queue::take", Trust.WORDS)]


def test_words_at_two_functions_are_ambiguous():
    twice = facts(site("Queue::take", WORDS, 22), site("Queue::peek", WORDS, 70))
    index = replace(INDEX, trees={**INDEX.trees, "v0.2.0": {PATH: twice}})
    functions = [f for _, _, f, _ in matched(panic(WORDS), stated=["0.2.0"], base=knowledge(index))]
    assert functions == ["Queue::take", "Queue::peek"]


@pytest.mark.parametrize(
    "message", ["not implemented", "called `Option::unwrap()` on a `None` value", "attempt to divide by zero"]
)
def test_what_rust_itself_prints_is_no_evidence_without_a_place(message):
    assert matched(panic(message), stated=["0.2.0"]) == []


def test_a_tensor_check_is_found_by_its_reason():
    check = site("Tensor::matmul", "", 80, 9, SiteKind.CHECK, target="TensorCheck::matmul")
    words = site(
        "TensorCheck::matmul", "The inner dimension should be the same, but got {} and {}.", 5, 9, SiteKind.TENSOR_ERROR
    )
    index = replace(
        INDEX, trees={**INDEX.trees, "v0.2.0": {PATH: facts(check), "crates/burn-x/src/check.rs": facts(words)}}
    )
    message = (
        "=== Tensor Operation Error ===\n  Operation: 'Matmul'\n  Reason:\n"
        "    1. The inner dimension should be the same, but got 3 and 4. \n"
    )
    assert matched(panic(message), stated=["0.2.0"], base=knowledge(index)) == [
        ("v0.2.0", 80, "Tensor::matmul", Trust.WORDS)
    ]


def test_a_std_place_is_resolved_by_the_innermost_frame_of_the_family():
    location = Location("library/core/src/option.rs", 2184, 5, std=True)
    frames = ("core::option::expect_failed", "burn_x::run::sum", "burn_x::run::Queue::take")
    report = PanicReport("no entry found for key", location, "rust_1_73", SourceRef("body"), frames=frames)
    assert matched(report, stated=["0.2.0"]) == [("v0.2.0", 42, "sum", Trust.FUNCTION)]


def test_a_foreign_frame_in_between_ends_the_search():
    location = Location("library/core/src/option.rs", 2184, 5, std=True)
    frames = ("core::option::expect_failed", "hashbrown::map::index", "burn_x::run::sum")
    report = PanicReport("no entry found for key", location, "rust_1_73", SourceRef("body"), frames=frames)
    assert matched(report, stated=["0.2.0"]) == []


def test_a_half_remembered_text_is_a_suggestion_and_no_answer():
    assert matched(panic("The queue hasno more opera tion"), stated=["0.2.0"]) == [
        ("v0.2.0", 22, "Queue::take", Trust.FLAGGED)
    ]


def test_other_words_suggest_nothing():
    assert matched(panic("The parser found no closing brace"), stated=["0.2.0"]) == []


def test_a_stated_release_is_no_proof_where_the_one_beside_it_has_another_such_site():
    other = facts(site("Queue::wait", WORDS, 20), spans=[FunctionSpan("Queue::wait", 18, 21)])
    index = replace(INDEX, trees={**INDEX.trees, "v0.2.0": {PATH: other}})
    found = matched(panic(WORDS, 20, 9, crate="burn-x"), stated=["0.1"], base=knowledge(index))
    assert found == [
        ("v0.1.0", 20, "Queue::take", Trust.FLAGGED),
        ("v0.2.0", 20, "Queue::wait", Trust.FLAGGED),
    ]


@pytest.mark.parametrize("message", ["called `Option::unwrap()` on a `None` value", "not yet implemented"])
def test_a_text_of_rust_itself_is_not_put_down_to_a_callee(message):
    report = panic(message, 44, 5, crate="burn-x", version="0.1.0")
    assert {trust for *_, trust in matched(report)} == {Trust.FLAGGED}


def test_a_text_that_another_line_of_the_file_can_print_is_not_put_down_to_a_callee():
    holes = facts(
        site("Queue::fail", "{}", 60), spans=[FunctionSpan("sum", 40, 50), FunctionSpan("Queue::fail", 55, 62)]
    )
    index = replace(INDEX, trees={"v0.1.0": {PATH: holes}, "main": {PATH: holes}})
    report = panic("RunnerError(Unknown)", 44, 5, crate="burn-x", version="0.1.0")
    assert {trust for *_, trust in matched(report, base=knowledge(index))} <= {Trust.FLAGGED}


def test_a_function_is_not_guessed_from_one_side_of_a_commit():
    index = replace(INDEX, trees={**INDEX.trees, "v0.1.0": {}})
    report = panic("index out of bounds: the len is 1 but the index is 1", 44, 5, crate="burn-x", commit=SHA[:7])
    assert matched(report, base=knowledge(index)) == []


@pytest.mark.parametrize(
    ("line", "column", "can"),
    [
        ("    name: Ident::new(&name, Span::call_site()),", 11, True),
        ("    let p = x[(b, c)].elem() * w;", 14, True),
        ("    let p = a + b;", 13, True),
        ("        .reshape(shape)", 10, True),
        ("    pub fn ty(&self) -> TokenStream {", 19, False),
        ("    }", 5, False),
        ("    kind,", 5, False),
    ],
)
def test_a_callee_must_be_called_at_the_printed_place(line, column, can):
    source = RecordedSource(lines={LineRef(BlobRef(REPO, INDEX.revision(REPO, "v0.1.0").commit, PATH), 44): line})
    report = panic("index (0, 3) is outside of the array", 44, column, crate="burn-x", version="0.1.0")
    trusts = {trust for *_, trust in matched(report, base=knowledge(source=source))}
    assert trusts == ({Trust.FUNCTION} if can else {Trust.FLAGGED})


@pytest.mark.parametrize(
    ("frame", "foreign"),
    [("tch::wrappers::tensor::Tensor::to", True), ("burn_x::run::sum", False), ("main", False)],
)
def test_a_text_of_rust_itself_is_foreign_where_the_innermost_frame_is(frame, foreign):
    report = PanicReport(
        "called `Option::unwrap()` on a `None` value",
        None,
        "rust_1_73",
        SourceRef("body"),
        frames=("core::panicking::panic_fmt", frame, "burn_x::run::other"),
    )
    assert match_panic(report, (), None, knowledge()).foreign is foreign


def test_the_whole_text_of_another_site_is_no_damaged_copy_of_a_like_one():
    other = facts(
        site("Queue::give", "The stack has no more operations", 20), spans=[FunctionSpan("Queue::give", 1, 25)]
    )
    index = replace(INDEX, trees={"v0.1.0": {PATH: OLD}, "v0.2.0": {PATH: other}, "main": {PATH: other}})
    report = panic(WORDS, 20, 9, crate="burn-x", version="0.2.0")
    assert {trust for *_, trust in matched(report, base=knowledge(index))} == {Trust.FLAGGED}


def test_an_implicit_panic_at_the_very_place_of_a_macro_is_flagged():
    report = panic("index out of bounds: the len is 1 but the index is 1", 20, 9, crate="burn-x", version="0.1.0")
    assert {trust for *_, trust in matched(report)} == {Trust.FLAGGED}


def test_a_commit_that_the_index_knows_is_not_read():
    moved = facts(
        site("Queue::lock", "", 31, 15, SiteKind.UNWRAP),
        spans=[FunctionSpan("Queue::lock", 28, 36), FunctionSpan("sum", 41, 51)],
    )
    base = knowledge(replace(INDEX, pasts={(SHA, PATH): moved}))
    unwrap = panic("called `Option::unwrap()` on a `None` value", 31, 15, crate="burn-x", commit=SHA[:7])
    implicit = panic("attempt to subtract with overflow", 43, 5, crate="burn-x", commit=SHA[:7])
    found = [matched(report, base=base) for report in (unwrap, implicit)]
    assert found == [[(SHA, 31, "Queue::lock", Trust.EXACT)], [(SHA, 43, "sum", Trust.FUNCTION)]]
    assert {type(ref) for ref in base.source.missing} <= {LineRef}


def test_older_versions_of_a_file_are_known_to_the_index():
    older = facts(site("Queue::take", WORDS, 15), spans=[FunctionSpan("Queue::take", 5, 18)])
    first = Commit(REPO, "cd" * 20, "2026-01-15T00:00:00Z", "v0.2.0")
    base = knowledge(replace(INDEX, log=(first, *LOG), pasts={(first.sha, PATH): older, (SHA, PATH): NEW}))
    report = panic(WORDS, 15, 9, crate="burn-x")
    assert matched(report, date="2026-02-02", base=base) == [(first.sha, 15, "Queue::take", Trust.AGREES)]


def test_a_crate_that_no_release_has_is_found_at_its_commit():
    path = "crates/burn-draft/src/run.rs"
    index = replace(INDEX, pasts={(SHA, path): OLD})
    report = panic(WORDS, 20, 9, crate="burn-draft", commit=SHA[:7])
    assert matched(report, base=knowledge(index)) == [(SHA, 20, "Queue::take", Trust.EXACT)]
    assert matched(replace(report, location=replace(report.location, commit=None)), base=knowledge(index)) == []


TRACKED = replace(NEW, spans=(FunctionSpan("Queue::take", 12, 27, track_caller=True), *NEW.spans[1:]))


@pytest.mark.parametrize(("then", "found"), [((42, 52), "sum"), ((50, 60), None)])
def test_a_caller_whose_line_cannot_be_read_is_told_where_it_stood_for_weeks(then, found):
    early = Commit(REPO, "cd" * 20, "2026-01-05T00:00:00Z", "v0.2.0")
    older = facts(spans=[FunctionSpan("sum", *then)])
    trees = {name: {PATH: TRACKED} for name in INDEX.trees}
    pasts = {(early.sha, PATH): older, (SHA, PATH): facts(spans=[FunctionSpan("sum", 42, 52)])}
    base = knowledge(replace(INDEX, trees=trees, log=(early, *LOG), pasts=pasts))
    answers = matched(panic(WORDS, 45, 9, crate="burn-x"), date="2026-02-02", base=base)
    assert [function for *_, function, trust in answers if trust is Trust.FUNCTION] == ([found] if found else [])


@pytest.mark.parametrize(("date", "said"), [("2026-03-15", False), ("2026-06-01", True)])
def test_a_report_that_is_newer_than_the_index_is_told_so_where_nothing_fits(date, said):
    found = match_panic(panic("Something that is said elsewhere", 3, 9, crate="burn-x"), (), date, knowledge())
    assert found.candidates == ()
    assert (
        any("newer than the index of tracel-ai/burn, which ends on 2026-04-01" in e.text for e in found.evidence)
        is said
    )


UNKNOWN = {"crate": "burn-x", "commit": "fe" * 4}
AGES = {f"v0.{n}.0": f"2026-0{n}-01T00:00:00Z" for n in (1, 2, 3, 4)}


def line_and_column(*pairs):
    trees = [{PATH: facts(site(f, WORDS, line, column))} for f, line, column in pairs]
    return knowledge(MemoryIndex(dict(zip(AGES, trees, strict=True)), AGES))


def test_a_commit_that_nothing_knows_is_told_by_the_column_and_the_nearest_line():
    base = line_and_column(("take", 20, 9), ("take", 60, 9), ("take_all", 64, 5), ("take_all", 66, 5))
    found = matched(panic(WORDS, 65, 9, **UNKNOWN), date="2026-05-01", base=base)
    assert found == [("v0.2.0", 60, "take", Trust.NEAR)]


def test_a_commit_that_nothing_knows_is_not_told_where_the_column_is_that_of_two_functions():
    base = line_and_column(("take", 20, 9), ("take_all", 60, 9), ("take", 64, 5), ("take", 66, 5))
    assert {t for *_, t in matched(panic(WORDS, 63, 9, **UNKNOWN), date="2026-01-20", base=base)} <= {Trust.FLAGGED}


def test_one_line_agrees_and_a_line_and_a_column_agree():
    words = [
        match_panic(panic(WORDS, 20, column, crate="burn-x", version="0.1.0"), (), None, knowledge()).candidates[0].why
        for column in (None, 9)
    ]
    assert words == [
        "line 20 and the text agree with this site at v0.1.0",
        "line 20, column 9 and the text agree with this site at v0.1.0",
    ]
    bare = panic("called `Option::unwrap()` on a `None` value", 30, crate="burn-x", version="0.1.0")
    assert match_panic(bare, (), None, knowledge()).candidates[0].why == "line 30 agrees with this site at v0.1.0"
