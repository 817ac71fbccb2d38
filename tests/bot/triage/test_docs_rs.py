"""A foreign crate's line as docs.rs shows it, and nothing else than plain names in the link."""

from __future__ import annotations

import pytest

from bot.triage.docs_rs import source_link
from bot.triage.model import Location


def test_the_printed_line_is_linked_at_its_version():
    where = Location("src/backend/wgpu_core.rs", 1051, 18, "wgpu", "25.0.2")
    assert source_link(where) == "https://docs.rs/crate/wgpu/25.0.2/source/src/backend/wgpu_core.rs#1051"


@pytest.mark.parametrize(
    ("crate", "version", "file"),
    [
        ("wgpu", None, "src/lib.rs"),
        ("wgpu", "25", "src/lib.rs"),
        ("std", None, "src/sys/sync/condvar/no_threads.rs"),
        ("wgpu", "25.0.2", "../../x.rs"),
        ("wgpu", "25.0.2", "src/a b.rs"),
        ("wgpu", "25.0.2", "src/x)[y](z.rs"),
        ("wgpu", "25.0.2", "src/lib.rs?x=1"),
        ("w/gpu", "25.0.2", "src/lib.rs"),
        ("wgpu", "25.0.2/../1.0.0", "src/lib.rs"),
        ("wgpu", "25.0.2", "src/\u202elib.rs"),
    ],
)
def test_no_link_where_the_place_is_not_plain(crate, version, file):
    assert source_link(Location(file, 1, 1, crate, version)) is None
