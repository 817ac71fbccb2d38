"""The index that is committed: complete, within its budget, and true in what people have checked by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from kb.catalog import Catalog, open_catalog
from kb.compiling import read_index
from kb.family import load_family
from kb.folder import find_kb
from kb.model import MAIN, Revision, SiteKey, SiteKind
from kb.moves import Link, find_links, stands
from kb.records import RepoIndex

KB = Path(__file__).parent.parent.parent / "kb"
BURN, CUBECL, CUBEK, ONNX = "tracel-ai/burn", "tracel-ai/cubecl", "tracel-ai/cubek", "tracel-ai/burn-onnx"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def real() -> Catalog:
    return open_catalog(find_kb(KB, {}, KB))


@pytest.fixture(scope="module")
def indexes() -> Sequence[RepoIndex]:
    return [index for member in load_family(KB) if (index := read_index(KB, member.repo)) is not None]


@pytest.fixture(scope="module")
def links(indexes: Sequence[RepoIndex]) -> Sequence[Link]:
    return find_links(indexes)


def at(catalog: Catalog, repo: str, name: str) -> Revision:
    found = catalog.revision(repo, name)
    assert found is not None
    return found


def test_the_files_keep_to_their_budget():
    sizes: Counter[str] = Counter()
    for file in (KB / "sites").rglob("*.*"):
        sizes["rest" if file.name.startswith("_") and file.name != "_outside.jsonl" else "sites"] += file.stat().st_size
    assert sizes["sites"] < 6 * MEGABYTE
    assert sizes["rest"] < 4 * MEGABYTE


@pytest.mark.parametrize(
    ("repo", "first", "least"), [(BURN, "v0.3.0", 42), (CUBECL, "v0.1.1", 25), (CUBEK, "v0.0.1", 2)]
)
def test_every_release_is_there_in_order(real: Catalog, repo: str, first: str, least: int):
    revisions = real.revisions(repo)
    assert len(revisions) >= least
    assert (revisions[0].name, revisions[-1].name) == (first, MAIN)
    assert [r.order for r in revisions] == list(range(len(revisions)))


def test_a_site_is_where_it_was_printed(real: Catalog):
    (path,) = real.paths(at(real, BURN, "v0.21.0"), "src/stream/execution/ordering.rs", "burn-fusion")
    (site,) = [s for s in real.sites_in(at(real, BURN, "v0.21.0"), path) if s.line == 49]
    assert (site.column, site.key.function) == (13, "OrderedExecution::execute_optimization")
    assert site.key.template == "Ordering is bigger than operations"
    (later,) = real.follow(site.key, at(real, BURN, "v0.22.0-pre.1"))
    assert later.key.template.startswith("Ordering is bigger than operations: ordering len {}")


def test_a_tensor_check_leads_to_its_callers(real: Catalog):
    callers = real.callers_of_check("TensorCheck::squeeze_dims_len", at(real, BURN, "v0.21.0"))
    assert {site.key.function for site in callers} == {"Tensor::squeeze", "Tensor::squeeze_dim", "Tensor::squeeze_dims"}


@pytest.mark.parametrize(
    ("crate", "function", "kind", "template", "repo", "new_crate"),
    [
        ("burn-jit", "<JitBackend as FloatTensorOps>::float_sum_dim", SiteKind.MACRO_CALL, "", BURN, "burn-cubecl"),
        (
            "burn-import",
            "ModelGen::generate_model",
            SiteKind.PANIC,
            "Failed to parse ONNX file '{}': {}",
            ONNX,
            "burn-onnx",
        ),
    ],
)
def test_a_site_is_followed_to_where_it_is_now(
    real: Catalog, crate: str, function: str, kind: SiteKind, template: str, repo: str, new_crate: str
):
    keys = [
        k for k in real.keys(frozenset(SiteKind)) if (k.crate, k.function, k.template) == (crate, function, template)
    ]
    assert keys
    assert {place.key.crate for key in keys for place in real.follow(key, at(real, repo, MAIN))} == {new_crate}


@pytest.mark.parametrize(
    ("repo", "name", "other", "expected"),
    [
        (BURN, "v0.18.0", CUBECL, "v0.6.0"),
        (BURN, "v0.19.0", CUBECL, "v0.8.0"),
        (BURN, "v0.21.0-pre.2", CUBECL, "v0.10.0-pre.2"),
        (CUBECL, "v0.6.0", BURN, "v0.18.0"),
        (CUBECL, "v0.9.0", BURN, "v0.20.1"),
        (BURN, "v0.9.0", CUBECL, None),
        (BURN, "v0.21.0", CUBEK, None),
    ],
)
def test_companions(real: Catalog, repo: str, name: str, other: str, expected: str | None):
    found = real.companion(at(real, repo, name), other)
    assert (found.name if found else None) == expected


@pytest.mark.parametrize(
    ("name", "crate", "expected"),
    [
        ("v0.18.0", "wgpu", "25.0.0"),
        ("v0.21.0", "tch", "0.22.0"),
        ("v0.21.0", "ndarray", "0.17.2"),
        ("v0.3.0", "wgpu", None),
    ],
)
def test_versions_of_foreign_crates(real: Catalog, name: str, crate: str, expected: str | None):
    assert real.companion_version(at(real, BURN, name), crate) == expected


def test_a_path_of_a_crate_that_was_renamed_is_found_under_the_other_name(real: Catalog):
    revision = at(real, BURN, "v0.17.0")
    assert real.paths(revision, "src/ops/transaction.rs", "burn-jit") == ("crates/burn-cubecl/src/ops/transaction.rs",)


def successors(repo: str, crate: str, index: RepoIndex, links: Sequence[Link]) -> Counter[tuple[str, str]]:
    """Where the sites of a crate went after the last revision that had it."""
    last = max(place for place, revision in enumerate(index.revisions) if crate in revision.crates)
    return Counter(
        (link.new.repo, link.new.crate)
        for link in links
        if link.step == last and (link.old.repo, link.old.crate) == (repo, crate)
    )


def test_the_checked_renames_are_those_that_the_sites_show(indexes: Sequence[RepoIndex], links: Sequence[Link]):
    members = {member.repo: member for member in load_family(KB)}
    for index in indexes:
        checked = {r.old: (r.repo, r.new) for r in members[index.repo].renamed}
        ended = {key.crate for key in stands(index).masks} - index.revisions[-1].crates.keys() - {""}
        for crate in sorted(ended):
            found = successors(index.repo, crate, index, links).most_common(1)
            if found and found[0][1] >= 20:
                assert checked.get(crate) == found[0][0], crate
        for old, target in checked.items():
            found = successors(index.repo, old, index, links).most_common(1)
            assert [pair for pair, _ in found] in ([], [target]), old


def test_most_sites_are_followed_from_release_to_release(indexes: Sequence[RepoIndex], links: Sequence[Link]):
    followed = {(link.old, link.step) for link in links}
    for index, least in zip(indexes, (0.9, 0.87, 0.95, 0.95), strict=True):
        total = lost = 0
        for key, mask in stands(index).masks.items():
            for step in range(len(index.revisions) - 1):
                if mask >> step & 1:
                    total += 1
                    lost += not mask >> step + 1 & 1 and (key, step) not in followed
        assert 1 - lost / total > least, index.repo


def test_every_key_has_an_id_of_its_own(real: Catalog):
    keys = real.keys(frozenset(SiteKind))
    assert len({key.id for key in keys}) == len(keys)
    assert all(isinstance(key, SiteKey) for key in keys[:10])


@pytest.mark.parametrize(
    ("crate", "text", "paths"),
    [
        ("burn-autodiff", "srcopsmodule.rs", ["crates/burn-autodiff/src/ops/module.rs"]),
        ("burn-autodiff", "srcopsmodul.rs", []),
        ("burn-nn", "srcopsmodule.rs", []),
    ],
)
def test_a_file_whose_separators_were_lost_is_found_by_its_letters(real, crate, text, paths):
    assert list(real.paths(at(real, BURN, "v0.21.0"), text, crate)) == paths
