"""Printed locations, in all the shapes that cargo, rustc and people give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.triage.location import parse_location

REGISTRY = "/home/ana/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"
CHECKOUT = "/home/ana/.cargo/git/checkouts"

# path as printed, crate, version, commit, file
PATHS = [
    (f"{REGISTRY}/burn-ir-0.18.0/src/handle.rs", "burn-ir", "0.18.0", None, "src/handle.rs"),
    (f"{REGISTRY}/cubecl-runtime-0.10.0-pre.3/src/client.rs", "cubecl-runtime", "0.10.0-pre.3", None, "src/client.rs"),
    (f"{REGISTRY}/wgpu-25.0.2/src/backend/wgpu_core.rs", "wgpu", "25.0.2", None, "src/backend/wgpu_core.rs"),
    ("~/.cargo/registry/src/mirrors.ustc.edu.cn-df7c3c540f42cdbd/onnx-ir-0.17.0/src/util.rs",
     "onnx-ir", "0.17.0", None, "src/util.rs"),
    ("/x/.cargo/registry/src/index.crates.i159f17d22bba15001f/burn-core-0.16.0/src/lib.rs",
     "burn-core", "0.16.0", None, "src/lib.rs"),
    ("/x/index.crates.io-xxx/burn-train-0.20.0/src/a.rs", "burn-train", "0.20.0", None, "src/a.rs"),
    ("/x/index.crates.io-1949cf8c6b5b557fburn-import-0.18.0/src/a.rs", "burn-import", "0.18.0", None, "src/a.rs"),
    (r"C:\Users\ana.cargo\registry\src\rsproxy.cn-e3de039b2554c837\onnx-ir-0.17.1\src\rank.rs",
     "onnx-ir", "0.17.1", None, "src/rank.rs"),
    (r"C:/<...>/cargo\registry\src\index.crates.io-1949cf8c6b5b557f\burn-import-0.18.0\src\burn\scope.rs",
     "burn-import", "0.18.0", None, "src/burn/scope.rs"),
    ("/[...]/onnx-ir-0.17.0/src/util.rs", "onnx-ir", "0.17.0", None, "src/util.rs"),
    ("tch-0.22.0/src/wrappers/tensor.rs", "tch", "0.22.0", None, "src/wrappers/tensor.rs"),
    (r"burn-fusion-0.18.0src\stream\base.rs", "burn-fusion", "0.18.0", None, "src/stream/base.rs"),
    ("/b/vendor/burn-core/src/lib.rs", "burn-core", None, None, "src/lib.rs"),
    ("/b/cargo-vendor-dir/burn-core-0.17.0/src/lib.rs", "burn-core", "0.17.0", None, "src/lib.rs"),
    ("/src/burn-0.18.0/crates/burn-train/src/lib.rs", "burn-train", "0.18.0", None, "src/lib.rs"),
    (f"{CHECKOUT}/burn-178c6829f420dae1/4c73532/crates/burn-tensor/src/tensor/api/base.rs",
     "burn-tensor", None, "4c73532", "src/tensor/api/base.rs"),
    (r"F:\.cargo\git\checkouts\cubecl-5f4b9a89973abd05\791903d\crates\cubecl-runtime\src\tune\local.rs",
     "cubecl-runtime", None, "791903d", "src/tune/local.rs"),
    (f"{CHECKOUT}/wgpu-50febe783b343bfe/8613246/wgpu/src/backend/wgpu_core.rs",
     "wgpu", None, "8613246", "src/backend/wgpu_core.rs"),
    (f"{CHECKOUT}/tracing-rs-50febe783b343bfe/8613246/src/lib.rs", "tracing-rs", None, "8613246", "src/lib.rs"),
    ("crates/burn-import/src/onnx/model_gen.rs", "burn-import", None, None, "src/onnx/model_gen.rs"),
    ("/home/ana/git/burn/burn/crates/burn-tensor/src/a.rs", "burn-tensor", None, None, "src/a.rs"),
    ("/home/ana/src/work/crates/burn-nn/src/loss/mse.rs", "burn-nn", None, None, "src/loss/mse.rs"),
    ("burn-tensor/src/tests/ops/cat.rs", "burn-tensor", None, None, "src/tests/ops/cat.rs"),
    ("/home/ana/src/app/tests/train.rs", "app", None, None, "tests/train.rs"),
    ("examples/mnist-inference-web/src/state.rs", "mnist-inference-web", None, None, "src/state.rs"),
    ("examples/inference.rs", None, None, None, "examples/inference.rs"),
    (r"burn\burn-compute\src\compute.rs", "burn-compute", None, None, "src/compute.rs"),
    ("src/train.rs", None, None, None, "src/train.rs"),
    ("ordering.rs", None, None, None, "ordering.rs"),
    (r"D:\app-main\app-main-59d98fd83cedefb07da861cda5260e216edf4697\src\train.rs", None, None, None, "src/train.rs"),
    ("app/build.rs", "app", None, None, "build.rs"),
    ("burn-autodiff-0.21.0srcopsmodule.rs", "burn-autodiff", "0.21.0", None, "srcopsmodule.rs"),
    ("C:Usersana.cargoregistrysrcindex.crates.io-6f17d22bba15001fburn-ir-0.21.0-pre.3srchandle.rs",
     "burn-ir", "0.21.0-pre.3", None, "srchandle.rs"),
    ("registry/src/burn-core/src/lib.rs", "burn-core", None, None, "src/lib.rs"),
    ("/home/ana/.cargo/registry/src/lib.rs", None, None, None, "src/lib.rs"),
    ("vendor/src/lib.rs", None, None, None, "src/lib.rs"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "crate", "version", "commit", "file"), PATHS)
def test_a_path_is_taken_apart(path: str, crate: str | None, version: str | None, commit: str | None, file: str):
    got = parse_location(f"{path}:12:34")
    assert (got.crate, got.version, got.commit, got.file) == (crate, version, commit, file)
    assert (got.line, got.column, got.raw, got.std) == (12, 34, path, False)


STD = [
    ("library/core/src/time.rs", "core", "src/time.rs"),
    ("/rustc/8ede3aae28fe6e4d52b38157d7bfe0d3bceef225/library/std/src/panicking.rs", "std", "src/panicking.rs"),
    (r"/rustc/9b00956e56009bab2aa15d7bff10916599e3d6d6\/library\alloc\src\vec\mod.rs", "alloc", "src/vec/mod.rs"),
    ("/x/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/result.rs", "core", "src/result.rs"),
    ("src/libcore/option.rs", "core", "option.rs"),
]


@pytest.mark.parametrize(("path", "crate", "file"), STD)
def test_a_path_of_the_standard_library_is_known_as_such(path: str, crate: str, file: str):
    got = parse_location(f"{path}:7:1")
    assert (got.crate, got.file, got.std, got.version, got.commit) == (crate, file, True, None, None)


POSITIONS = [
    ("src/a.rs:63:5:", 63, 5),
    ("src/a.rs:63", 63, None),
    ("(src/a.rs:63)", 63, None),
    ("`src/a.rs:63:5`", 63, 5),
    ("src/a.rs(63,5)", 63, 5),
    ("src/a.rs", None, None),
    ("src/a.rs#L63", 63, None),
    ("src/a.rs#L63C5:", 63, 5),
    ("https://github.com/tracel-ai/burn/blob/main/crates/a/src/a.rs#L63", 63, None),
    ("https://github.com/tracel-ai/burn/blob/main/crates/a/src/a.rs?plain=1#L63C5-L70", 63, 5),
]


@pytest.mark.parametrize(("text", "line", "column"), POSITIONS)
def test_line_and_column_are_read_in_every_form(text: str, line: int | None, column: int | None):
    got = parse_location(text)
    assert (got.file.endswith("src/a.rs"), got.line, got.column) == (True, line, column)


def test_a_link_pins_what_its_address_pins():
    sha = "4c7353230ea8cfba5864d7ecb69493e8da849d4a"
    tagged = parse_location("https://github.com/tracel-ai/burn/blob/v0.18.0/crates/burn-ir/src/handle.rs#L91")
    pinned = parse_location(f"https://github.com/tracel-ai/cubecl/blob/{sha}/crates/cubecl-std/src/lib.rs#L2")
    moving = parse_location("https://github.com/tracel-ai/burn/blob/main/crates/burn-ir/src/handle.rs#L91")
    assert (tagged.crate, tagged.version, tagged.commit) == ("burn-ir", "0.18.0", None)
    assert (pinned.crate, pinned.version, pinned.commit) == ("cubecl-std", None, sha)
    assert (moving.version, moving.commit) == (None, None)


@given(st.text(max_size=300))
def test_any_text_is_taken(text: str):
    assert parse_location(text).raw is not None
