"""The scorer itself: what is right, what is missed, what is wrong, and what a lost answer does to the exit status."""

from __future__ import annotations

import json

import pytest

from bot.cli.evaluate import changes, run, table
from bot.evaluation.cases import Case
from bot.evaluation.score import score
from bot.triage.model import Report

SITE = {
    "repo": "o/r",
    "revision": "v1.0.0",
    "path": "crates/c/src/a.rs",
    "line": 5,
    "function": "A::go",
    "template": "x",
}
PANIC = {"message": "out of work", "crate": "c", "version": "1.0.0", "commit": None, "file": "src/a.rs", "line": 5}
PLACE = {key: SITE[key] for key in ("repo", "revision", "path", "line", "function")}


def case(answer="site", **more):
    expect = {"answer": answer, "panic": {**PANIC, "column": None}, "site": SITE, **more}
    return Case("one", Report("one", "", ""), expect, ())


def verdict(site=PLACE, comment=None, outcome="matched", **more):
    location = {"crate": "c", "version": "1.0.0", "commit": None, "file": "src/a.rs", "line": 5, "column": 9}
    panic = {"message": "out of work", "location": location, "role": "root"}
    return {"panics": [panic], "verdict": outcome, "site": site, "candidates": [], "comment": comment, **more}


def outcome(one, got):
    return score([one], {"one": got}).outcomes["one"]


def test_the_very_place_is_right():
    found = score([case()], {"one": verdict(comment="text")})
    assert (found.outcomes, found.recall, found.precision, found.wrong) == ({"one": "right"}, 1.0, 1.0, [])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"line": 6}, "wrong"),
        ({"repo": "o/other"}, "wrong"),
        ({"revision": "v1.1.0", "line": 9}, "right"),
        ({"revision": "v1.1.0", "function": "A::stop"}, "wrong"),
    ],
)
def test_another_place_is_wrong_unless_it_is_the_same_function_at_another_revision(changed, said):
    assert outcome(case(), verdict(site={**PLACE, **changed})) == said


def test_no_place_is_a_miss_and_no_wrong_answer():
    found = score([case()], {"one": verdict(site=None, outcome="unknown")})
    assert (found.outcomes["one"], found.recall, found.precision) == ("missed", 0.0, None)


def test_a_missing_verdict_fails_every_question():
    found = score([case()], {})
    assert all(count.right == 0 for count in found.questions.values())


def test_a_comment_on_a_silent_case_is_wrong():
    assert outcome(case("silent"), verdict(site=None, comment="text")) == "wrong"
    assert outcome(case("silent"), verdict(site=None)) == "right"


def test_a_place_of_ours_for_a_foreign_panic_is_wrong():
    assert outcome(case("foreign"), verdict(outcome="foreign")) == "wrong"
    assert outcome(case("foreign"), verdict(site=None, outcome="foreign")) == "right"


def test_a_root_among_others_must_be_the_right_one():
    other = {**PANIC, "message": "stopped too", "line": 8, "column": None}
    echo = {"message": "stopped too", "location": {"file": "src/a.rs", "line": 8}, "role": "root"}
    got = verdict()
    found = score([case(also=[other])], {"one": {**got, "panics": [*got["panics"], echo]}})
    assert (found.questions["root"].right, found.questions["others"].right) == (0, 1)


@pytest.mark.parametrize(
    ("got", "why"),
    [
        (verdict(entry="KB-0001"), None),
        (verdict(entry=None), "no entry names the place"),
        (verdict(site=None, outcome="unknown"), "the place is not found"),
        ({**verdict(site=None, outcome="ambiguous"), "candidates": [PLACE, PLACE]}, "the place is not decided"),
    ],
)
def test_a_place_without_an_entry_is_told_with_the_reason(got, why):
    found = score([case()], {"one": got})
    assert (found.questions["explained"].right, found.unexplained.get("one")) == (int(why is None), why)
    reasons = [line for line in table(found, quirks=False) if line.startswith("without an entry")]
    assert reasons == ([f"without an entry, {why}: one"] if why else [])


def test_cases_without_a_place_need_no_entry():
    found = score([case("silent")], {"one": verdict(site=None)})
    assert (found.questions["explained"].total, found.unexplained) == (0, {})


def test_changes_name_old_and_new_and_count_the_same():
    assert changes({"a": "right", "b": "right", "c": "right"}, {"a": "right", "b": "missed", "d": "right"}) == [
        "",
        "b: right -> missed",
        "d: new -> right",
        "c: right -> gone",
        "1 the same",
    ]


def test_a_lost_answer_is_a_failure(tmp_path, monkeypatch, capsys):
    saved = tmp_path / "before.json"
    saved.write_text(json.dumps({"one": "right"}))
    monkeypatch.setattr("bot.cli.evaluate.load_cases", lambda folder: (case(),))
    monkeypatch.setattr("bot.cli.evaluate.open_for_command", lambda *given: (None, "knowledge base"))
    options = {"cases": tmp_path, "kb": None, "clones": None, "json": False, "quirks": False, "save": None}
    statuses = []
    for got in (verdict(), verdict(site=None, outcome="unknown")):
        monkeypatch.setattr("bot.cli.evaluate.analyse_case", lambda one, knowledge, got=got: got)
        statuses.append(run(type("Args", (), {**options, "against": saved})()))
    assert statuses == [0, 1]
    assert "one: right -> missed" in capsys.readouterr().out
