import pytest

from kb.source.cargo import Crate, Requirement, crates, owner, requirements

WORKSPACE = b"""
[workspace]
members = ["crates/*"]
[workspace.package]
version = "0.5.0"
[workspace.dependencies]
wgpu = "25.0"
cubecl = { git = "https://example.org/cubecl", rev = "1234567" }
inner = { path = "crates/inner", version = "0.5.0" }
"""


def test_a_crate_has_the_name_of_its_manifest_and_the_version_of_its_workspace():
    manifests = {
        "Cargo.toml": WORKSPACE,
        "crates/folder-name/Cargo.toml": b'[package]\nname = "real-name"\nversion.workspace = true\n',
        "old/Cargo.toml": b'[package]\nname = "old"\nversion = "0.1.0"\n',
    }
    assert crates(manifests) == (Crate("old", "old", "0.1.0"), Crate("real-name", "crates/folder-name", "0.5.0"))


def test_the_nearest_workspace_gives_the_version():
    manifests = {
        "Cargo.toml": WORKSPACE,
        "sub/Cargo.toml": b'[workspace.package]\nversion = "9.0.0"\n',
        "sub/a/Cargo.toml": b'[package]\nname = "a"\nversion = { workspace = true }\n',
    }
    assert crates(manifests) == (Crate("a", "sub/a", "9.0.0"),)


@pytest.mark.parametrize(
    "source",
    [b"", b"[package", b"\xff\xfe", b"[package]\nname = 3\n", b'[package]\nname = "../up"\n', b"package = 1\n"],
)
def test_a_manifest_that_says_nothing_is_no_crate(source: bytes):
    assert crates({"Cargo.toml": source}) == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("crates/a/src/lib.rs", "a"),
        ("crates/a/tests/inner/src/x.rs", "inner"),
        ("crates/ab/src/lib.rs", ""),
        ("build.rs", ""),
    ],
)
def test_the_nearest_folder_above_owns_a_file(path: str, expected: str):
    assert owner(path, {"crates/a": "a", "crates/a/tests/inner": "inner"}) == expected


def test_a_root_package_owns_what_no_other_does():
    assert owner("src/lib.rs", {"": "root", "crates/a": "a"}) == "root"


def test_requirements_come_from_the_workspace_then_from_members():
    member = b'[target."cfg(unix)".dependencies]\ntch = { version = "0.1", optional = true }\nwgpu = "1"\n'
    found = requirements({"a/Cargo.toml": member, "Cargo.toml": WORKSPACE}, None, lambda name: True)
    assert found == {
        "cubecl": Requirement(rev="1234567"),
        "tch": Requirement("0.1"),
        "wgpu": Requirement("25.0"),
    }


def test_the_lock_adds_exact_versions_commits_and_crates_that_come_in_through_others():
    lock = (
        b'[[package]]\nname = "cubecl"\nversion = "0.6.0"\nsource = "git+https://example.org/cubecl?rev=1234567#'
        + b"a" * 40
        + b'"\n\n[[package]]\nname = "cudarc"\nversion = "0.16.6"\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\n'
    )
    found = requirements({"Cargo.toml": WORKSPACE}, lock, lambda name: name in ("cubecl", "cudarc"))
    assert found == {"cubecl": Requirement("", "1234567", "0.6.0"), "cudarc": Requirement("", "", "0.16.6")}


def test_a_package_under_another_name_counts_by_its_own():
    source = b'[dependencies]\ngpu = { package = "wgpu", version = "25" }\n'
    assert requirements({"Cargo.toml": source}, None, lambda name: True) == {"wgpu": Requirement("25")}
