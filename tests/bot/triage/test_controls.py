"""Controls drawn from the index itself: panic sites of all releases, printed as Rust prints them.

At its own release a site gives itself; at the one beside it nothing, a flag, or what really stands there.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.model import Report
from kb.model import LOCATED_KINDS, SiteKind
from tests.bot.triage import printed_sites as printed

SITES = 300
"""Sites drawn; each is printed in several shapes. 300 take some five seconds."""
CHECKS = 60
"""Tensor checks among them are few, so that they are drawn by themselves."""
SEED = 20
KINDS = LOCATED_KINDS - {SiteKind.MACRO_CALL, SiteKind.CUBE}
"""Kinds whose message the index knows; a macro's words stand elsewhere."""
KB = Path(__file__).parents[3] / "kb"


@pytest.fixture(scope="module")
def knowledge():
    return open_for_command(KB, None)[0]


@pytest.fixture(scope="module")
def drawn(knowledge):
    return draw(knowledge, KINDS, SITES)


def draw(knowledge, kinds, number):
    """Sites with crate, version and file, and what they print: (site, crate, message, layout)."""
    pick, found = Random(SEED), []
    keys = knowledge.index.keys(kinds)
    while len(found) < number:
        site = _any_place(pick.choice(keys), knowledge.index, pick)
        crate = site and printed.crate_of(site, knowledge.index)
        old = pick.random() < 0.3
        message = crate and printed.printed_message(site, knowledge.index, pick, old=old)
        if message:
            found.append((site, crate, message, pick.choice(printed.OLD_LAYOUTS if old else printed.LAYOUTS)))
    return found


def _any_place(key, index, pick):
    first, last = pick.choice(index.stands(key))
    releases = [r for r in index.revisions(key.repo) if first.order <= r.order <= last.order and r.is_release]
    places = index.places(key, pick.choice(releases)) if releases else ()
    places = [site for site in places if not site.test and not site.macro_body]
    return pick.choice(places) if places else None


def asked(knowledge, body, date=None):
    return analyze(Report(None, "It stops", body, (), "tracel-ai/burn", date), knowledge)


def where(site):
    return f":{site.line}:{site.column}"


def outcome(site, place, index):
    """right: the very line; same: the same site or function elsewhere; none; wrong."""
    if place is None:
        return "none"
    if (place.revision, place.path, place.line) == (site.revision, site.path, site.line):
        return "right"
    return "same" if is_same_site(site, place, index) or stands_there(site, place) else "wrong"


def is_same_site(site, place, index):
    followed = {found.key for found in index.follow(site.key, place.revision)}
    if place.site is not None and place.site.key in {site.key, *followed}:
        return True
    name, file = site.key.function.rpartition("::")[2], site.path.rpartition("/")[2]
    return (place.function.rpartition("::")[2], place.path.rpartition("/")[2]) == (name, file)


def stands_there(site, place):
    """Another site of the same kind and words really stands at that line and column: the report says nothing else."""
    other = place.site
    if other is None or other.path.rpartition("/")[2] != site.path.rpartition("/")[2]:
        return False
    same_words = (other.key.kind, other.key.template) == (site.key.kind, site.key.template)
    return same_words and (other.line, other.column) == (site.line, site.column)


def counted(drawn, knowledge, bodies):
    counts, wrong = Counter(), []
    for site, crate, message, layout in drawn:
        for path, before, date in bodies(site, crate):
            body = before + printed.report(layout, path + where(site), message)
            verdict = asked(knowledge, body, date)
            result = outcome(site, verdict.place, knowledge.index)
            result = "read" if result == "wrong" and was_read(site, verdict) else result
            counts[result] += 1
            if result == "wrong":
                wrong.append(body)
    return counts, wrong


def was_read(site, verdict):
    """At a commit between releases a site of the same kind and words stands on the line: nothing else is told."""
    there = verdict.place.site
    same = there is not None and (there.key.kind, there.key.template) == (site.key.kind, site.key.template)
    return same and verdict.place.revision.order < 0 and there.line == site.line


def test_a_release_path_of_any_shape_gives_the_very_site(drawn, knowledge):
    pick = Random(SEED)
    counts, wrong = counted(drawn, knowledge, lambda s, c: [(pick.choice(printed.pinned_paths(*c)), "", None)])
    assert wrong == []
    assert counts["right"] >= 0.98 * SITES


def test_a_git_checkout_gives_the_very_site(drawn, knowledge):
    counts, wrong = counted(
        drawn, knowledge, lambda s, c: [(printed.checkout_path(s.key.repo, s.revision.commit, s.path), "", None)]
    )
    assert wrong == []
    assert counts["right"] >= 0.96 * SITES


def test_a_workspace_path_with_its_version_and_date_gives_the_site(drawn, knowledge):
    def bodies(site, crate):
        return [(site.path, printed.stated(site.key.repo, site.revision), site.revision.date)]

    counts, wrong = counted(drawn, knowledge, bodies)
    assert wrong == []
    assert counts["right"] >= 0.95 * SITES


def test_the_release_beside_it_never_gives_another_site(drawn, knowledge):
    counts, wrong = counted(drawn, knowledge, in_the_release_beside(knowledge.index))
    assert wrong == []
    assert counts["none"]
    assert counts["same"]


def test_the_release_beside_it_never_gives_another_tensor_check(knowledge):
    checks = draw(knowledge, frozenset({SiteKind.CHECK}), CHECKS)
    _, wrong = counted(checks, knowledge, in_the_release_beside(knowledge.index))
    assert wrong == []


def in_the_release_beside(index):
    """Bodies whose path names the release before or after the site's own."""
    pick = Random(SEED)

    def bodies(site, crate):
        for other in printed.neighbours(site.revision, index):
            version = other.name.removeprefix("v")
            if index.revision_of_crate(site.key.repo, crate[0], version) == other:
                yield pick.choice(printed.pinned_paths(crate[0], version, crate[2])), "", None

    return bodies


def test_a_wrongly_stated_release_never_gives_another_site(drawn, knowledge):
    def bodies(site, crate):
        for other in printed.neighbours(site.revision, knowledge.index):
            yield site.path, printed.stated(site.key.repo, other), other.date

    _, wrong = counted(drawn, knowledge, bodies)
    assert wrong == []


def test_a_commit_between_releases_never_gives_another_site(drawn, knowledge):
    def bodies(site, crate):
        for other in printed.neighbours(site.revision, knowledge.index)[-1:]:
            commit = knowledge.index.main_at(site.key.repo, between(site.revision.date, other.date))
            if commit is not None:
                yield printed.checkout_path(site.key.repo, commit.sha, site.path), "", None

    counts, wrong = counted(drawn, knowledge, bodies)
    assert wrong == []
    assert counts["none"]
    assert counts["same"]


def between(one, other):
    """The later of the two days: main stood between the releases or at the second of them."""
    return max(one, other)[:10]


def test_a_crate_that_moved_is_looked_for_where_the_commit_is(knowledge):
    sites = [s for s in _sites_of(knowledge.index, "tracel-ai/burn", "onnx-ir") if s.revision.name == "v0.19.0"]
    assert sites
    for site in sites[:20]:
        body = (
            f"```\nthread 'main' panicked at {printed.checkout_path('tracel-ai/burn', site.revision.commit, site.path)}"
        )
        verdict = asked(knowledge, f"{body}{where(site)}:\nindex out of bounds: the len is 1 but the index is 1\n```")
        assert verdict.place is None or verdict.place.repo == "tracel-ai/burn"


def _sites_of(index, repo, crate):
    for key in index.keys(frozenset({SiteKind.UNWRAP, SiteKind.PANIC})):
        if (key.repo, key.crate) == (repo, crate):
            for first, _ in index.stands(key):
                yield from index.places(key, first)
