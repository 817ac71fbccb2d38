"""The repository that a foreign panic belongs to: named where it is known, and where the crate is the published one."""

from __future__ import annotations

import re

import pytest

from bot.triage.extract import read
from bot.triage.model import Location, Report
from bot.triage.upstream import CRATES, home

REGISTRY = "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"


@pytest.mark.parametrize(
    ("folder", "repo"),
    [
        ("wgpu-25.0.2", "gfx-rs/wgpu"),
        ("wgpu-core-0.19.4", "gfx-rs/wgpu"),
        ("naga-26.0.0", "gfx-rs/wgpu"),
        ("ndarray-0.16.1", "rust-ndarray/ndarray"),
        ("cudarc-0.17.3", "chelsea0x3b/cudarc"),
        ("tch-0.22.0", "LaurentMazare/tch-rs"),
        ("candle-core-0.9.1", "huggingface/candle"),
        ("wgpu-core-extra-0.1.0", None),
        ("nobody-knows-1.0.0", None),
    ],
)
def test_a_printed_path_of_the_registry_has_its_repository(folder: str, repo: str | None):
    text = f"thread 'main' panicked at {REGISTRY}/{folder}/src/lib.rs:12:5:\nit broke"
    root = read(Report(None, "It panics", f"```\n{text}\n```")).root
    assert root is not None
    assert root.location is not None
    assert home(root.location) == repo


@pytest.mark.parametrize(
    "location",
    [
        Location("src/lib.rs", 1, 1, "wgpu"),
        Location("src/lib.rs", 1, 1, "wgpu", "25.0.2", commit="0123abc"),
        Location("src/lib.rs", 1, 1, "half", "1.0.0", std=True),
        Location("src/lib.rs", 1, 1),
    ],
    ids=["no version", "a checkout", "std", "no crate"],
)
def test_a_folder_of_that_name_may_be_anybodys(location: Location):
    assert home(location) is None


def test_a_crate_has_one_repository():
    crates = [crate for of_one in CRATES.values() for crate in of_one]
    assert sorted(set(crates)) == sorted(crates)
    assert [repo for repo in CRATES if not re.fullmatch(r"[\w-]+/[\w.-]+", repo, re.ASCII)] == []
