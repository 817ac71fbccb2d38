"""From candidates to the verdict: entry, state today, gone since, what is said and what is not."""

from __future__ import annotations

from dataclasses import replace

from bot.triage.analyze import analyze
from bot.triage.fingerprint import constant_words, fingerprint
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Report, Standing
from bot.triage.render import render
from kb.model import FunctionSpan, SiteKey, SiteKind
from tests.bot.triage.memory_index import REPO, MemoryIndex, facts, site

PATH = "crates/burn-x/src/run.rs"
WORDS = "The queue has no more operations"
DATES = {
    "v0.1.0": "2026-01-01T00:00:00Z",
    "v0.2.0": "2026-02-01T00:00:00Z",
    "v0.3.0-pre.1": "2026-03-01T00:00:00Z",
    "main": "2026-04-01T00:00:00Z",
}


def at(line, words=WORDS, function="Queue::take"):
    return {PATH: facts(site(function, words, line), spans=[FunctionSpan(function, line - 5, line + 5)])}


def base(*trees, aliases=None):
    return Knowledge.of(MemoryIndex(dict(zip(DATES, trees, strict=True)), DATES, aliases=aliases or {}), (), "test")


def verdict(knowledge, version="0.1.0", line=20, message=WORDS):
    where = f"/r/.cargo/registry/src/index-1/burn-x-{version}/src/run.rs:{line}:9"
    return analyze(Report("1", "", f"```\nthread 'main' panicked at {where}:\n{message}\n```"), knowledge)


def test_a_site_that_stands_on_is_followed_to_the_newest_release_and_main():
    found = verdict(base(at(20), at(22), at(24), at(26)))
    assert [(s.revision.name, s.standing, s.place.line) for s in found.states] == [
        ("v0.2.0", Standing.SAME, 22),
        ("main", Standing.SAME, 26),
    ]
    assert found.gone_since is None


def test_gone_since_is_the_first_release_without_it():
    found = verdict(base(at(20), at(22), {PATH: facts()}, {PATH: facts()}))
    assert (found.gone_since, found.states[-1].standing) == ("v0.3.0-pre.1", Standing.GONE)


def test_a_site_that_came_back_is_not_gone():
    assert verdict(base(at(20), {PATH: facts()}, at(24), at(26))).gone_since is None


def test_a_reworded_site_is_told_apart_from_a_gone_one():
    other = "The queue is out of operations"
    old = SiteKey(REPO, "burn-x", "Queue::take", SiteKind.PANIC, WORDS)
    later = at(22, other)
    found = verdict(base(at(20), later, later, later, aliases={old: replace(old, template=other)}))
    assert {s.standing for s in found.states} == {Standing.REWORDED}
    assert found.gone_since is None


def test_a_reporter_on_a_prerelease_is_told_of_prereleases():
    found = verdict(base(at(20), at(22), at(24), at(26)), version="0.3.0-pre.1", line=24)
    assert [s.revision.name for s in found.states] == ["main"]


def test_without_an_entry_only_news_is_worth_a_comment():
    same = base(at(20), at(22), at(24), at(26))
    gone = base(at(20), {PATH: facts()}, {PATH: facts()}, {PATH: facts()})
    assert render(verdict(same), same) is None
    card = render(verdict(gone), gone)
    assert card is not None
    assert "Gone since v0.2.0." in card


def test_somebody_who_asks_is_told_what_is_known():
    same = base(at(20), at(22), at(24), at(26))
    said = render(verdict(same), same, spoken=True)
    assert said is not None
    assert "no written entry" in said


def test_a_flagged_place_is_never_told():
    knowledge = base(at(20), at(22), at(24), at(26))
    found = verdict(knowledge, version="0.2.0", line=20)
    assert (found.outcome, found.place) == (Outcome.UNKNOWN, None)
    assert render(found, knowledge) is None


def test_no_panic_no_word():
    knowledge = base(at(20), at(22), at(24), at(26))
    found = analyze(Report("1", "How do I train?", "No idea."), knowledge)
    assert (found.outcome, render(found, knowledge)) == (Outcome.NONE, None)


def test_the_fingerprint_is_of_the_place_not_of_the_numbers():
    knowledge = base(at(20, "No room for {n}"), at(22), at(24), at(26))
    prints = {verdict(knowledge, message=f"No room for {n}").fingerprint for n in (1, 20)}
    assert len(prints) == 1


def test_the_fingerprint_without_a_place_keeps_the_constant_words():
    panic = verdict(base(at(20), at(22), at(24), at(26))).reading.panics[0]
    one = fingerprint(replace(panic, message="got [2, 3] at 0x7f of /home/a/b.rs"), None)
    two = fingerprint(replace(panic, message="got [4, 5] at 0x9c of /home/c/d.rs"), None)
    assert one == two
    assert one != fingerprint(replace(panic, message="lost [2, 3] at 0x7f of /home/a/b.rs"), None)
    assert constant_words("got [2, 3] of 0x7f") == "got <shape> of <hex>"
