import pytest

from kb.source.versions import is_prerelease, releases, version_of


def test_prereleases_stand_before_their_release_and_numbers_sort_as_numbers():
    tags = ["v0.10.0", "v0.9.0", "v0.9.0-pre.10", "v0.9.0-pre.2", "v0.9.1", "v1.0.0-alpha", "v1.0.0-1", "v1.0.0"]
    assert releases(tags) == [
        "v0.9.0-pre.2",
        "v0.9.0-pre.10",
        "v0.9.0",
        "v0.9.1",
        "v0.10.0",
        "v1.0.0-1",
        "v1.0.0-alpha",
        "v1.0.0",
    ]


@pytest.mark.parametrize("tag", ["v0.3.0-book", "nightly", "v1.2", "book-v1.0.0", "v1.0.0-book.2"])
def test_what_is_no_release_tag_is_left_out(tag: str):
    assert releases([tag]) == []


def test_a_pattern_of_ones_own_finds_the_version():
    pattern = r"wgpu-(?P<version>\d+\.\d+\.\d+)"
    assert releases(["wgpu-2.0.0", "naga-9.0.0", "wgpu-1.0.0"], pattern) == ["wgpu-1.0.0", "wgpu-2.0.0"]
    assert version_of("wgpu-2.0.0", pattern) == "2.0.0"


@pytest.mark.parametrize(("version", "expected"), [("1.0.0-pre.1", True), ("1.0.0", False), ("1.0.0+x-1", False)])
def test_prerelease(version: str, expected: bool):
    assert is_prerelease(version) is expected
