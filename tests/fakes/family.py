"""A family of two small Rust projects with a history: what the site index has to follow, in a few lines each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.fakes.clone import SmallClone

WORKSPACE = '[workspace]\nmembers = ["crates/*"]\n[workspace.package]\nversion = "{version}"\n'
PACKAGE = '[package]\nname = "{name}"\nversion.workspace = true\n'

CORE_1 = """\
pub struct Store;

impl Store {
    pub fn get(&self, id: usize) -> usize {
        self.find(id).unwrap_or_else(|| panic!("Should have a handle for {id}"))
    }

    pub fn lock(&self) -> usize {
        self.inner.lock().unwrap()
    }

    pub fn size(&self) -> usize {
        todo!("sizes of stores")
    }
}
"""
CORE_2 = "//! One line more.\n" + CORE_1.replace("a handle for {id}", "a handle for the id {id}")
CORE_3 = CORE_2.replace('todo!("sizes of stores")', "self.sizes[0]")

JIT = """\
pub fn launch(n: usize) {
    assert!(n > 0, "cannot launch without a unit");
    run(n).expect("the launch should not fail");
}

#[cfg(test)]
mod tests {
    #[test]
    fn launches() {
        super::launch(1).unwrap();
    }
}
"""

ONNX = """\
pub fn load(path: &str) {
    if path.is_empty() {
        panic!("a model needs a path");
    }
    read(path).expect("the model file should be readable");
    check(path).expect("the model file should be well-formed");
}
"""


@dataclass(frozen=True)
class SmallFamily:
    """The knowledge base's folder, the folder with the clones, and the clones."""

    kb: Path
    clones: Path
    boom: SmallClone
    bang: SmallClone


def small_family(folder: Path) -> SmallFamily:
    """acme/boom with v0.1.0, v0.2.0-pre.1, v0.2.0 and main, and acme/bang, where its crate boom-onnx went."""
    kb, clones = folder / "kb", folder / "clones"
    (kb / "entries").mkdir(parents=True)
    (kb / "repos.yaml").write_text("acme/boom:\n  foreign: [wgpu]\nacme/bang:\n  foreign: [wgpu]\n")
    boom, bang = SmallClone(clones / "acme+boom"), SmallClone(clones / "bang")
    boom.commit(
        {
            "Cargo.toml": WORKSPACE.format(version="0.1.0") + '[workspace.dependencies]\nwgpu = "22"\n',
            "boom-core/Cargo.toml": PACKAGE.format(name="boom-core"),
            "boom-core/src/store.rs": CORE_1,
            "boom-jit/Cargo.toml": PACKAGE.format(name="boom-jit"),
            "boom-jit/src/lib.rs": JIT,
            "boom-onnx/Cargo.toml": PACKAGE.format(name="boom-onnx"),
            "boom-onnx/src/lib.rs": ONNX,
        },
        "v0.1.0",
    )
    for crate in ("boom-core", "boom-onnx"):
        boom.move(crate, f"crates/{crate}")
    boom.move("boom-jit", "crates/boom-cube")
    boom.commit(
        {
            "Cargo.toml": WORKSPACE.format(version="0.2.0-pre.1") + '[workspace.dependencies]\nwgpu = "23"\n',
            "crates/boom-cube/Cargo.toml": PACKAGE.format(name="boom-cube"),
        },
        "v0.2.0-pre.1",
    )
    bang.commit(
        {
            "Cargo.toml": WORKSPACE.format(version="0.7.0") + '[workspace.dependencies]\nboom-core = "0.2.0"\n',
            "crates/bang-onnx/Cargo.toml": PACKAGE.format(name="bang-onnx"),
            "crates/bang-onnx/src/load.rs": ONNX,
        }
    )
    boom.commit(
        {
            "Cargo.toml": WORKSPACE.format(version="0.2.0") + '[workspace.dependencies]\nwgpu = "24"\n',
            "crates/boom-core/src/store.rs": CORE_2,
            "crates/boom-onnx/Cargo.toml": None,
            "crates/boom-onnx/src/lib.rs": None,
        },
        "v0.2.0",
        "v0.2.0-book",
    )
    bang.commit({}, "v0.7.0")
    bang.commit({})
    bang.commit({})
    boom.commit({"crates/boom-core/src/store.rs": CORE_3})
    return SmallFamily(kb, clones, boom, bang)
