"""Which key goes on as which other one, on histories of a few keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from kb.model import SiteKind
from kb.moves import find_links
from kb.records import CrateRecord, FileVersion, Identity, RepoIndex, RevisionRecord

Site = tuple[str, str, SiteKind, str]
"""File, function, kind, template."""


def index(repo: str, *revisions: Mapping[str, Sequence[Site]], year: int = 2024) -> RepoIndex:
    """A repository whose revisions map crates to sites; a file stands for one revision at a time."""
    files = []
    for place, crates in enumerate(revisions):
        for crate, sites in crates.items():
            for path in sorted({site[0] for site in sites}):
                placed = tuple((Identity(f, k, t), 1, 1) for p, f, k, t in sites if p == path)
                files.append(FileVersion(f"{crate}/{path}", crate, place, place, placed, ()))
    records = tuple(
        RevisionRecord(f"v0.{i}.0", f"{i}" * 40, f"{year + i}-01-01", False, {c: CrateRecord(c, "") for c in crates})
        for i, crates in enumerate(revisions)
    )
    return RepoIndex(repo, records, tuple(sorted(files, key=lambda f: (f.path, f.first))), {}, ())


def followed(*indexes: RepoIndex) -> list[tuple[str, str, str, str, str]]:
    """Crate and function or words that changed, and how."""
    return [
        (link.how, link.old.crate, f"{link.old.function} {link.old.template}", link.new.crate,
         f"{link.new.function} {link.new.template}")
        for link in find_links(indexes)
    ]  # fmt: skip


P, U, E = SiteKind.PANIC, SiteKind.UNWRAP, SiteKind.EXPECT
LONG = "the tensor should have a handle"


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"b": [("y.rs", "A::f", P, LONG)]}, "crate"),
        ({"a": [("x.rs", "A::f", U, "")]}, {"b": [("y.rs", "A::f", U, "")]}, "crate"),
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("y.rs", "B::g", P, LONG)]}, "function"),
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"b": [("y.rs", "B::g", P, LONG)]}, "crate"),
        ({"a": [("x.rs", "A::f", P, "no {x}")]}, {"a": [("x.rs", "B::f", P, "no {x}")]}, "function"),
        ({"a": [("x.rs", "NodeID::new", P, "NodeID!")]}, {"a": [("y.rs", "NodeId::new", P, "NodeId!")]}, "function"),
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("x.rs", "A::f", E, LONG)]}, "kind"),
        ({"a": [("x.rs", "A::f", U, "")]}, {"a": [("x.rs", "A::f", E, "it is there")]}, "kind"),
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("x.rs", "A::f", P, LONG + " of {id}")]}, "reworded"),
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("x.rs", "A::f", P, f"{LONG}: {'y' * 90} {{z}}")]}, "reworded"),
    ],
)  # fmt: skip
def test_one_thing_that_changed_is_followed(old: dict, new: dict, how: str):
    assert [link[0] for link in followed(index("o/r", old, new))] == [how]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # other words altogether
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("x.rs", "A::f", P, "cannot open {path}: {err}")]}),
        # words that are everybody's, in another function and file
        ({"a": [("x.rs", "A::f", P, "no {x}")]}, {"a": [("y.rs", "B::g", P, "no {x}")]}),
        # an unwrap of a free function of the same name elsewhere
        ({"a": [("x.rs", "run", U, "")]}, {"b": [("y.rs", "run", U, "")]}),
        # two that fit alike
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": [("y.rs", "B::g", P, LONG), ("y.rs", "C::h", P, LONG)]}),
        # two that became one
        ({"a": [("x.rs", "B::g", P, LONG), ("x.rs", "C::h", P, LONG)]}, {"a": [("y.rs", "A::f", P, LONG)]}),
        # nothing came instead
        ({"a": [("x.rs", "A::f", P, LONG)]}, {"a": []}),
    ],
)
def test_what_cannot_be_told_is_not_followed(old: dict, new: dict):
    assert followed(index("o/r", old, new)) == []


def test_the_same_file_decides_between_two_functions():
    old = {"a": [("x.rs", "A::f", P, LONG)]}
    new = {"a": [("x.rs", "B::g", P, LONG), ("y.rs", "C::h", P, LONG)]}
    assert [link[4] for link in followed(index("o/r", old, new))] == [f"B::g {LONG}"]


def test_a_renamed_type_that_texts_show_takes_its_bare_sites_along():
    old = {"a": [("x.rs", "<Jit as Ops>::add", P, LONG), ("z.rs", "<Jit as QOps>::q_add", U, "")]}
    new = {"b": [("y.rs", "<Cube as Ops>::add", P, LONG), ("w.rs", "<Cube as QOps>::q_add", U, "")]}
    assert ("function", "a", "<Jit as QOps>::q_add ", "b", "<Cube as QOps>::q_add ") in followed(index("o/r", old, new))


def test_a_key_that_stays_is_left_alone():
    sites = {"a": [("x.rs", "A::f", P, LONG)]}
    assert followed(index("o/r", sites, {"a": [("y.rs", "A::f", P, LONG), ("y.rs", "B::g", P, LONG)]})) == []


TEXTS = [f"text number {word} that says much" for word in ("one", "two", "three")]


def moved_out(words: Sequence[str]) -> list[Site]:
    return [("x.rs", f"load_{word.split()[2]}", P, word) for word in words]


def test_a_crate_that_went_to_another_repository_is_followed():
    here = index("o/here", {"a": moved_out(TEXTS), "k": []}, {"k": []})
    there = index("o/there", {"b": moved_out(TEXTS)}, year=2026)
    assert [(how, old, new) for how, old, _, new, _ in followed(here, there)] == [("repository", "a", "b")] * 3


def test_a_single_text_in_common_is_no_move_unless_people_have_checked_the_crates():
    here = index("o/here", {"a": moved_out(TEXTS[:1]), "k": []}, {"k": []})
    there = index("o/there", {"b": moved_out(TEXTS[:1])}, year=2026)
    assert followed(here, there) == []
    assert len(find_links([here, there], [("o/here", "a", "o/there", "b")])) == 1


def test_what_ended_there_earlier_was_not_moved_there():
    here = index("o/here", {"a": moved_out(TEXTS), "k": []}, {"k": []}, year=2030)
    there = index("o/there", {"b": moved_out(TEXTS)}, {"b": []}, year=2024)
    assert {(link[1], link[3]) for link in followed(here, there)} == {("b", "a")}


def test_a_crate_name_that_both_use_is_two_crates():
    here = index("o/here", {"xtask": moved_out(TEXTS)}, {"xtask": []})
    there = index("o/there", {"xtask": moved_out(TEXTS)}, year=2030)
    assert followed(here, there) == []
